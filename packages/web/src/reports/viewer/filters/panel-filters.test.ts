import {
  type DeclaredPanelFilter,
  panelFieldsOf,
  type ReportFilter,
  specifiedPanel,
} from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { TimeLimitError } from '../problems/time-limit.ts'
import {
  applyFilters,
  choiceFrom,
  emptyPanelChoice,
  filtersOf,
  lackingFields,
  missingSentence,
  searchWith,
} from './panel-filters.ts'

const all = { operadora: 'CNU', sexo: 'feminino', titularidade: 'pronto-socorro' }

const panel = panelFieldsOf({ operadora: 'BRADESCO' })
const region: DeclaredPanelFilter = {
  tabela: 'Dim Região',
  coluna: 'nome',
  rotulo: 'Região',
  padrao: 'Sul',
  valores: ['Norte', 'Sul'].map((valor) => ({ valor, rotulo: '' })),
}

describe('choice and URL', () => {
  test('the panel reads only offered values from the URL', () => {
    const search = new URLSearchParams("operadora=CNU&sexo=x' or 1 eq 1&titularidade=consulta&outra=1")
    expect(choiceFrom(search, panel)).toEqual({ operadora: 'CNU', titularidade: 'consulta' })
  })

  test('the panel starts with its defaults', () => {
    expect(choiceFrom(new URLSearchParams(), panel)).toEqual({ operadora: 'BRADESCO' })
    expect(choiceFrom(new URLSearchParams(), specifiedPanel)).toEqual(emptyPanelChoice)
  })

  test('the panel writes a choice to the URL and reads the same choice back', () => {
    const before = new URLSearchParams('aba=2&sexo=masculino')
    const after = searchWith(before, { operadora: 'CNU' }, panel)
    expect(after.toString()).toBe('aba=2&operadora=CNU')
    const cleared = searchWith(after, emptyPanelChoice, panel)
    expect(cleared.toString()).toBe('aba=2&operadora=')
    expect(choiceFrom(cleared, panel)).toEqual(emptyPanelChoice)
    expect(searchWith(after, emptyPanelChoice, specifiedPanel).toString()).toBe('aba=2')
  })

  test('the panel writes and reads a declared filter under its table and column', () => {
    const fields = panelFieldsOf({ declared: [region], operadora: '' })
    expect(choiceFrom(new URLSearchParams(), fields)).toEqual({ 'Dim Região/nome': 'Sul' })
    const written = searchWith(new URLSearchParams('sexo=feminino'), { 'Dim Região/nome': 'Norte' }, fields)
    expect([...written]).toEqual([['Dim Região/nome', 'Norte']])
    expect(choiceFrom(written, fields)).toEqual({ 'Dim Região/nome': 'Norte' })
  })

  test('lackingFields names the filters with a value that the panel lacks', () => {
    const choice = { 'Dim Região/nome': 'Sul', 'T/cor': '', operadora: 'CNU', pagina: 'x' }
    expect(lackingFields(Object.entries(choice), specifiedPanel).map(missingSentence)).toEqual([
      'Este relatório não tem o filtro Dim Região/nome.',
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

  test("applyFilters adds the chosen filters to the report's own, even on the same column", async () => {
    const report = reportWith('operadora', 'sexo', 'titularidade')
    expect(await applyFilters(report.setFilters, own, filtersOf(specifiedPanel, all))).toEqual([])
    expect(report.inForce).toEqual([[...own, ...filtersOf(specifiedPanel, all).map(({ filter }) => filter)]])
  })

  test('applyFilters applies the remaining filters when the report lacks a column, and returns that field', async () => {
    const report = reportWith('operadora', 'titularidade')
    const missing = await applyFilters(report.setFilters, own, filtersOf(specifiedPanel, all))
    expect(missing.map(missingSentence)).toEqual(['Este relatório não tem o filtro Sexo.'])
    expect(report.inForce.at(-1)?.map(({ target }) => target.column)).toEqual([
      'operadora',
      'operadora',
      'titularidade',
    ])
  })

  test("applyFilters applies the report's own filters when it lacks every chosen column", async () => {
    const report = reportWith('operadora')
    const chosen = filtersOf(specifiedPanel, { sexo: 'masculino' })
    expect(await applyFilters(report.setFilters, own, chosen)).toHaveLength(1)
    expect(report.inForce).toEqual([own])
  })

  test("applyFilters keeps the report's own filters when the choice is cleared", async () => {
    const report = reportWith('operadora', 'sexo')
    await applyFilters(report.setFilters, own, [])
    expect(report.inForce).toEqual([own])
  })

  test('applyFilters rejects when the report refuses even its own filters', async () => {
    const refuse = async () => {
      throw { message: 'LoadReportFailed' }
    }
    await expect(applyFilters(refuse, own, filtersOf(specifiedPanel, all))).rejects.toEqual({
      message: 'LoadReportFailed',
    })
  })

  test('applyFilters does not call a report again after a timeout', async () => {
    let calls = 0
    const hang = async () => {
      calls += 1
      throw new TimeLimitError()
    }
    await expect(applyFilters(hang, own, filtersOf(specifiedPanel, all))).rejects.toThrow(
      'não respondeu a tempo',
    )
    expect(calls).toBe(1)
  })
})
