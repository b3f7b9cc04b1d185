import { expect, it } from 'vitest'
import { proposeReport } from './propose-report.ts'
import type { DraftColumn } from './read-draft.ts'

const column = (label: string, more: Partial<DraftColumn>): DraftColumn => ({
  ...{
    name: label,
    label,
    type: 'text',
    shownAs: undefined,
    fitsBothMarks: false,
    distinct: 20,
    isKey: false,
  },
  ...more,
})
const ids = { id: 'r', dataset: 'd', name: 'Atendimentos' }
const titles = (columns: DraftColumn[]) => {
  const { pages } = proposeReport('T', columns, ids) as { pages: { visuals: { title: string }[] }[] }
  return pages.flatMap(({ visuals }) => visuals.map(({ title }) => title))
}

it('sums money before other decimals, and integers, which may be repeated keys, last', () => {
  const unit = column('Unidade', {})
  const member = column('Carteira', { type: 'integer', distinct: 2_000 })
  const hours = column('Horas', { type: 'number' })
  const paid = column('Valor pago', { type: 'number', shownAs: 'money' })
  expect(titles([member, unit, hours, paid])).toEqual([
    'Linhas',
    'Valor pago',
    'Horas',
    'Unidade',
    'Valor pago por Unidade',
  ])
  expect(titles([member, unit])).toContain('Carteira por Unidade')
})

it('shows amounts of money and shares in a table as the file does', () => {
  const columns = [
    column('Carteira', { isKey: true }),
    column('Mensalidade', { type: 'number', shownAs: 'money' }),
    column('Coparticipação', { type: 'number', shownAs: 'percent' }),
    column('Valor em palavras', { isKey: true }),
    column('Horas', { type: 'number' }),
  ]
  const { pages } = proposeReport('T', columns, ids) as {
    pages: { visuals: { type: string; format: object }[] }[]
  }
  const table = pages[0]?.visuals.find(({ type }) => type === 'table')
  expect(table?.format).toEqual({ Mensalidade: 'moeda', Coparticipação: 'percentual' })
})

it('sums no integer of which each row has its own', () => {
  const member = column('Carteira', { type: 'integer', distinct: 2_000, isKey: true })
  expect(titles([member, column('Unidade', {})])).toEqual(['Linhas', 'Unidade', 'Linhas por Unidade'])
})
