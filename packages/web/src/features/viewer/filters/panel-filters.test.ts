import type { ReportFilter } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { TimeLimitError } from '../problems/time-limit.ts'
import {
  applyFilters,
  choiceFrom,
  emptyPanelChoice,
  filtersOf,
  missingSentence,
  searchWith,
} from './panel-filters.ts'

const all = { operadora: 'CNU', sexo: 'feminino', titularidade: 'pronto-socorro' }

describe('choice and URL', () => {
  test('reads only values of the closed lists from the URL', () => {
    const search = new URLSearchParams("operadora=CNU&sexo=x' or 1 eq 1&titularidade=consulta&outra=1")
    expect(choiceFrom(search, 'BRADESCO')).toEqual({ operadora: 'CNU', sexo: '', titularidade: 'consulta' })
  })

  test("preselects the report's operadora when it is one of the four", () => {
    expect(choiceFrom(new URLSearchParams(), 'SANTA_CASA').operadora).toBe('SANTA_CASA')
    expect(choiceFrom(new URLSearchParams(), 'UNIMED')).toEqual(emptyPanelChoice)
  })

  test('writes a choice to the URL and reads the same choice back', () => {
    const before = new URLSearchParams('aba=2&sexo=masculino')
    const after = searchWith(before, { ...emptyPanelChoice, operadora: 'CNU' }, 'BRADESCO')
    expect(after.toString()).toBe('aba=2&operadora=CNU')
    const cleared = searchWith(after, emptyPanelChoice, 'BRADESCO')
    expect(cleared.toString()).toBe('aba=2&operadora=')
    expect(choiceFrom(cleared, 'BRADESCO')).toEqual(emptyPanelChoice)
    expect(searchWith(after, emptyPanelChoice, 'UNIMED').toString()).toBe('aba=2')
  })
})

describe('filtersOf', () => {
  test('returns one basic filter for each field with a chosen value', () => {
    expect(filtersOf(emptyPanelChoice)).toEqual([])
    expect(filtersOf(all).map(({ filter }) => filter)).toEqual(
      [
        ['operadora', 'CNU'],
        ['sexo', 'feminino'],
        ['titularidade', 'titular'],
      ].map(([column, value]) => ({
        $schema: 'http://powerbi.com/product/schema#basic',
        target: { table: 'Sinistralidade', column },
        filterType: 1,
        operator: 'In',
        values: [value],
      })),
    )
    expect(filtersOf({ ...emptyPanelChoice, titularidade: 'consulta' })[0]?.filter.values).toEqual([
      'dependente',
    ])
  })
})

describe('applyFilters', () => {
  const own: ReportFilter[] = [
    {
      $schema: 'http://powerbi.com/product/schema#basic',
      target: { table: 'Sinistralidade', column: 'operadora' },
      filterType: 1,
      operator: 'In',
      values: ['BRADESCO'],
    },
  ]

  /** A report that has these columns and refuses a list that names another. */
  const reportWith = (...columns: string[]) => {
    const inForce: ReportFilter[][] = []
    const setFilters = async (filters: ReportFilter[]) => {
      if (filters.some(({ target }) => !columns.includes(target.column)))
        throw { message: 'InvalidParameters', errorCode: '400' }
      inForce.push(filters)
    }
    return { inForce, setFilters }
  }

  test("adds the chosen filters to the report's own, even on the same column", async () => {
    const report = reportWith('operadora', 'sexo', 'titularidade')
    expect(await applyFilters(report.setFilters, own, filtersOf(all))).toEqual([])
    expect(report.inForce).toEqual([[...own, ...filtersOf(all).map(({ filter }) => filter)]])
  })

  test('applies the remaining filters when the report lacks a column, and returns that field', async () => {
    const report = reportWith('operadora', 'titularidade')
    const missing = await applyFilters(report.setFilters, own, filtersOf(all))
    expect(missing.map(missingSentence)).toEqual(['Este relatório não tem o filtro Sexo.'])
    expect(report.inForce.at(-1)?.map(({ target }) => target.column)).toEqual([
      'operadora',
      'operadora',
      'titularidade',
    ])
  })

  test("applies the report's own filters when it lacks every chosen column", async () => {
    const report = reportWith('operadora')
    const chosen = filtersOf({ ...emptyPanelChoice, sexo: 'masculino' })
    expect(await applyFilters(report.setFilters, own, chosen)).toHaveLength(1)
    expect(report.inForce).toEqual([own])
  })

  test("keeps the report's own filters when the choice is cleared", async () => {
    const report = reportWith('operadora', 'sexo')
    await applyFilters(report.setFilters, own, [])
    expect(report.inForce).toEqual([own])
  })

  test('rejects when the report refuses even its own filters', async () => {
    const refuse = async () => {
      throw { message: 'LoadReportFailed' }
    }
    await expect(applyFilters(refuse, own, filtersOf(all))).rejects.toEqual({ message: 'LoadReportFailed' })
  })

  test('does not call a report again after a timeout', async () => {
    let calls = 0
    const hang = async () => {
      calls += 1
      throw new TimeLimitError()
    }
    await expect(applyFilters(hang, own, filtersOf(all))).rejects.toThrow('não respondeu a tempo')
    expect(calls).toBe(1)
  })
})
