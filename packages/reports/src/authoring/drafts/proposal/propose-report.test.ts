import { describe, expect, test } from 'vitest'
import { NO_EVIDENCE } from '../reading/column-evidence.ts'
import type { DraftColumn } from '../reading/read-draft.ts'
import { proposeReport } from './propose-report.ts'

const column = (label: string, more: Partial<DraftColumn>): DraftColumn => ({
  name: label,
  label,
  type: 'text',
  shownAs: undefined,
  fitsBothMarks: false,
  fitsBothOrders: false,
  distinct: 20,
  isKey: false,
  evidence: NO_EVIDENCE,
  ...more,
})
const ids = { id: 'r', dataset: 'd', name: 'Atendimentos', rows: 5_000 }
type Visual = { type: string; title: string; format: object; query: string | string[] }
const visualsOf = (columns: DraftColumn[]) => {
  const { pages } = proposeReport('T', columns, ids).report as { pages: { visuals: Visual[] }[] }
  return pages[0]?.visuals ?? []
}
const titles = (columns: DraftColumn[]) => visualsOf(columns).map(({ title }) => title)

test('proposeReport sums money before other decimals, and integers last', () => {
  const unit = column('Unidade', {})
  const items = column('Itens', { type: 'integer', distinct: 2_000 })
  const hours = column('Horas', { type: 'number' })
  const paid = column('Valor pago', { type: 'number', shownAs: 'money' })
  expect(titles([items, unit, hours, paid])).toEqual([
    'Linhas',
    'Valor pago',
    'Horas',
    'Unidade',
    'Valor pago por Unidade: os 15 maiores',
  ])
  expect(titles([items, column('Unidade', { distinct: 15 })])).toContain('Itens por Unidade')
  const [chart] = visualsOf([items, column('Unidade '.repeat(14), {})]).filter(({ type }) => type === 'bar')
  expect(chart?.title).toMatch(/^Itens por Unidade .*: os 15 maiores$/)
  expect(chart?.title.length).toBe(120)
})

test('proposeReport shows amounts of money and shares in a table as the file does', () => {
  const columns = [
    column('Carteira', { isKey: true }),
    column('Mensalidade', { type: 'number', shownAs: 'money' }),
    column('Coparticipação', { type: 'number', shownAs: 'percent' }),
    column('Valor em palavras', { isKey: true }),
    column('Horas', { type: 'number' }),
    column('Carteira antiga', { type: 'integer' }),
  ]
  const table = visualsOf(columns).find(({ type }) => type === 'table')
  expect(table?.format).toEqual({
    Mensalidade: 'moeda',
    Coparticipação: 'percentual',
    'Carteira antiga': 'texto',
  })
})

test('proposeReport shows amounts in thousands without R$, and averages a column whose unit is %', () => {
  const columns = ['Receita (R$ mil)', 'Receita (em milhões de R$)', 'Custo (R$)', 'Cobertura (%)'].map(
    (label) => column(label, { name: label.replace(/\W+/g, '_'), type: 'number' }),
  )
  const table = visualsOf(columns).find(({ type }) => type === 'table')
  expect(table?.format).toEqual({ Custo_R_: 'moeda' })
  expect(titles(columns)).toContain('Custo (R$)')
  expect(titles([column('Cobertura (%)', { name: 'Cobertura', type: 'number' })])).toContain(
    'Cobertura (%) (média)',
  )
})

test('proposeReport averages numbers up to 1, and sums whole amounts of as many digits', () => {
  const share = column('Glosa', { type: 'number', evidence: { ...NO_EVIDENCE, isFraction: true } })
  expect(titles([share])).toContain('Glosa (média)')
  const digits = { ...NO_EVIDENCE, isWhole: true, digits: 7 }
  const budget = column('Empenhado', { type: 'number', evidence: digits, isAmount: true })
  expect(titles([budget])).toContain('Empenhado')
  expect(titles([{ ...budget, isAmount: false }])).not.toContain('Empenhado')
})

test('proposeReport sums no integer of which each row has its own', () => {
  const member = column('Filiado', { type: 'integer', distinct: 5_000, isKey: true })
  expect(titles([member, column('Unidade', {})])).toEqual([
    'Linhas',
    'Unidade',
    'Linhas por Unidade: os 15 maiores',
  ])
})

describe('the heading and the values of a number decide what becomes of it', () => {
  const whole = { ...NO_EVIDENCE, isWhole: true }
  const integer = (label: string, more: Partial<DraftColumn> = {}) =>
    column(label, { type: 'integer', distinct: 900, evidence: whole, ...more })
  const sqlOf = (one: DraftColumn) => {
    const card = visualsOf([one]).find(({ title }) => title.startsWith(one.label))
    return /(sum|avg)\(/.exec(String(card?.query))?.[1]
  }

  test.each([
    'CD_OPERADORA',
    '#ID_CMPT_MOVEL',
    'CO_MUNICIPIO_GESTAO',
    'NR_INSCRICAO',
    'NU_ANO_CENSO',
    'TP_SEXO',
    'DDD',
    'CEP',
    'CPF do titular',
    'CNES',
    'Código IBGE',
    'Brasil e Município (Código)',
    'ANOMES',
    'Competência',
    'Ano',
    'Registro_ANS',
    'Número do contrato',
    'Nº',
    'Latitude',
  ])('%s is not summed', (label) => {
    expect(sqlOf(integer(label))).toBeUndefined()
    expect(sqlOf(column(label, { type: 'number', evidence: { ...whole, isWhole: false } }))).toBeUndefined()
  })

  test.each([
    'QT_BENEFICIARIO_ATIVO',
    'QTDE',
    'Qtd. de guias',
    'VL_SALDO_FINAL',
    'VLR_PAGO',
    'Valor da guia',
    'Número de vidas',
    'Nº de internações',
    'Total',
    'Casos',
    '2024',
    '2026/Jan',
    'Março',
  ])('%s is summed, also when each row has another value', (label) => {
    expect(sqlOf(integer(label, { isKey: true }))).toBe('sum')
  })

  test.each([
    'PC_COBERTURA',
    'Taxa de ocupação',
    'PERC_CONSULTAS',
    'Idade',
    'Valor unitário',
    '% de cesáreas',
  ])('%s is averaged', (label) => expect(sqlOf(integer(label))).toBe('avg'))

  test('numbers that the file shows as shares are averaged, whatever their heading', () => {
    expect(sqlOf(column('Desconto', { type: 'number', shownAs: 'percent' }))).toBe('avg')
  })

  test.each([
    ['each has as many digits', { evidence: { ...whole, digits: 6 } }],
    ['they are years', { evidence: { ...whole, isYear: true, digits: 4 } }],
    ['they are few and repeat', { distinct: 5 }],
    ['they are months', { evidence: { ...whole, digits: 6, month: '%Y%m' as const } }],
  ])('whole numbers without a telling heading are not summed when %s', (_name, more) => {
    expect(sqlOf(integer('Coluna', more))).toBeUndefined()
    expect(sqlOf(integer('Coluna'))).toBe('sum')
  })
})

test('the proposal names an average in the titles of its card and charts', () => {
  const age = column('Idade', { type: 'integer', distinct: 90, evidence: { ...NO_EVIDENCE, isWhole: true } })
  const stay = column('Permanência média', { type: 'number' })
  const unit = column('Unidade', { distinct: 3 })
  const day = column('Data', { type: 'date', distinct: 900 })
  expect(titles([day, unit, age, stay])).toEqual([
    'Linhas',
    'Idade (média)',
    'Permanência média',
    'Unidade',
    'Idade (média) por mês',
    'Idade (média) por Unidade',
  ])
  const [, card] = visualsOf([age]).filter(({ type }) => type === 'card') as (Visual & { labels: object })[]
  expect(card?.labels).toMatchObject({ Idade: 'Idade (média)' })
  const long = visualsOf([column(`Idade ${'x'.repeat(80)}`, { type: 'number' })])
  expect(long[1]?.title).toMatch(/^Idade x+ \(média\)$/)
  expect(long[1]?.title.length).toBe(60)
})

describe('a stock is never summed over time', () => {
  const whole = { ...NO_EVIDENCE, isWhole: true }
  const number = (label: string) => column(label, { type: 'number', distinct: 900 })
  const days = (distinct: number, more: Partial<DraftColumn> = {}) =>
    column('Data', { type: 'date', distinct, ...more })
  const sqlOf = (columns: DraftColumn[], label: string) => {
    const names = [label, `${label} (média)`]
    const card = visualsOf(columns).find(({ type, title }) => type === 'card' && names.includes(title))
    const [, aggregate, where] = /(sum|avg)\(.*? FROM T( WHERE)?/.exec(String(card?.query)) ?? []
    expect(card?.title).toBe(names[aggregate === 'avg' ? 1 : 0])
    return aggregate && `${aggregate}${where ? ' of the last period' : ''}`
  }
  const VALUE = number('Valor (R$)')

  test.each(['Saldo (R$)', 'Saldo acumulado', 'Acumulado', 'VL_SALDO'])(
    '%s of a bank statement is averaged, or that of the last day where each day has one row',
    (label) => {
      for (const distinct of [900, 2_500, 4_000])
        expect(sqlOf([days(distinct), VALUE, number(label)], label)).toBe('avg')
      expect(sqlOf([days(5_000), VALUE, number(label)], label)).toBe('sum of the last period')
      // Many rows of one day have times that differ.
      const moments = days(5_000, { type: 'timestamp' })
      expect(sqlOf([moments, VALUE, number(label)], label)).toBe('avg')
      expect(sqlOf([VALUE, number(label)], label)).toBe('avg')
      expect(sqlOf([days(900), VALUE, number(label)], 'Valor (R$)')).toBe('sum')
    },
  )

  test.each(['Estoque', 'Estoque final', 'População', 'Leitos'])('%s is that of the last period', (label) => {
    expect(sqlOf([days(12), number(label)], label)).toBe('sum of the last period')
    expect(sqlOf([days(12), VALUE, number(label)], label)).toBe('sum of the last period')
    expect(sqlOf([days(5_000), number(label)], label)).toBe('sum of the last period')
    // Periods with one row and some with more are no snapshots.
    expect(sqlOf([days(3_000), number(label)], label)).toBe('avg')
    // The file holds one state.
    expect(sqlOf([number(label)], label)).toBe('sum')
  })

  test.each([
    ['years', column('Ano', { type: 'integer', distinct: 5, evidence: { ...whole, isYear: true } })],
    ['names of months', column('Mês', { distinct: 12 })],
  ])('one is averaged where no column is a time axis and there are %s', (_name, period) => {
    expect(sqlOf([period, number('População')], 'População')).toBe('avg')
  })
})
