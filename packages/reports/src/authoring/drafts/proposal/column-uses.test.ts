import { describe, expect, test } from 'vitest'
import { NO_EVIDENCE } from '../reading/column-evidence.ts'
import type { DraftColumn } from '../reading/read-draft.ts'
import { isMoney, usesOf } from './column-uses.ts'

const ROWS = 5_000
const column = (label: string, more: Partial<DraftColumn>): DraftColumn => ({
  name: label,
  label,
  type: 'integer',
  shownAs: undefined,
  fitsBothMarks: false,
  fitsBothOrders: false,
  distinct: 900,
  isKey: false,
  evidence: { ...NO_EVIDENCE, isWhole: true },
  ...more,
})
const useOf = (label: string, more: Partial<DraftColumn> = {}) => usesOf([column(label, more)], ROWS)[0]
/** Whole numbers, and numbers with decimals. */
const usesOfNumbers = (label: string) => [
  useOf(label),
  useOf(label, { type: 'number', evidence: NO_EVIDENCE }),
]

describe('usesOf with a telling word at the end of a heading', () => {
  test.each([
    'cliente_id',
    'idCliente',
    'IDCliente',
    'codProduto',
    'operadora_cd',
    'operadora_cd_2',
    'venda_id',
    'fone_ddd',
    'Contato DDD',
    'DDD2',
    'telefone1',
    'ponto_lat',
  ])('usesOf with a telling word at the end of a heading takes %s for a code', (label) =>
    expect(usesOfNumbers(label)).toEqual(['code', 'code']),
  )

  test.each([
    'Cobertura_pct',
    'Cobertura PERC',
    'coberturaPct',
    'Cobertura pct 2024',
    'Total_pct',
    'Ocupação taxa',
    'Glosa tx',
    'venda_preco',
  ])('usesOf with a telling word at the end of a heading averages %s', (label) =>
    expect(usesOfNumbers(label)).toEqual(['average', 'average']),
  )

  test.each([
    'VL_TAXA',
    'QT_ID',
    'qtdMes',
    'Valor do mês',
    'Valor da taxa',
    'Total de códigos',
    'Quantidade por mês',
    'Consultas por preço',
    'Emissões CO2',
    'NO2',
    'ICMS ST',
    'Total NFe',
  ])('usesOf with a telling word at the end of a heading sums %s', (label) =>
    expect(usesOfNumbers(label)).toEqual(['sum', 'sum']),
  )

  test('usesOf with a telling word at the end of a heading takes the last word for a period where the values are months, days or years', () => {
    const whole = { ...NO_EVIDENCE, isWhole: true }
    const months = { evidence: { ...whole, isCalendar: true }, distinct: 12, isKey: true }
    const years = { evidence: { ...whole, isYear: true, digits: 4 } }
    expect(useOf('Referência mês', months)).toBe('code')
    expect(useOf('refMes', months)).toBe('code')
    expect(useOf('venda_ano', years)).toBe('code')
    const few = { evidence: { ...whole, isCalendar: true }, distinct: 40 }
    expect(useOf('Vendas mês', few)).toBe('sum')
    expect(useOf('Pagamentos por mês', few)).toBe('sum')
    expect(useOf('Pagamentos mês')).toBe('sum')
  })

  test('usesOf with a telling word at the end of a heading takes a text for a code', () => {
    expect(useOf('operadora_cd', { type: 'text', distinct: 20, evidence: NO_EVIDENCE })).toBe('code')
    expect(useOf('idCliente', { type: 'text', distinct: 20, evidence: NO_EVIDENCE })).toBe('code')
  })
})

test('usesOf averages numbers of which a spreadsheet shows only some as percentages', () => {
  expect(useOf('Reajuste', { type: 'number', evidence: NO_EVIDENCE, isPartlyPercent: true })).toBe('average')
})

describe('usesOf with whole numbers under a heading that says nothing', () => {
  const whole = { ...NO_EVIDENCE, isWhole: true }
  const useIn = (rows: number, more: Partial<DraftColumn>) =>
    usesOf([column('Coluna', { distinct: rows, isKey: true, evidence: whole, ...more })], rows)[0]

  test('usesOf sums different values of few rows, also when all have four or five digits', () => {
    for (const rows of [2, 8, 40, 100]) {
      expect(useIn(rows, {})).toBe('sum')
      for (const digits of [1, 4, 5]) expect(useIn(rows, { evidence: { ...whole, digits } })).toBe('sum')
    }
    expect(useIn(900, {})).toBe('sum')
  })

  test('usesOf takes values that look like identifiers for codes', () => {
    expect(useIn(8, { evidence: { ...whole, digits: 6 } })).toBe('code')
    expect(useIn(8, { evidence: { ...whole, isSequence: true, digits: 1 } })).toBe('code')
    expect(useIn(900, { evidence: { ...whole, digits: 5 } })).toBe('code')
    expect(useIn(900, { evidence: { ...whole, digits: 4 } })).toBe('code')
    // No two of thousands of amounts would be equal only by chance.
    expect(useIn(5_000, {})).toBe('code')
    expect(useIn(5_000, { distinct: 4_900 })).toBe('sum')
  })

  test.each(['Município', 'Cliente', 'UF', 'Operadora'])(
    'usesOf takes %s, the name of one thing, for a code',
    (label) => expect(usesOf([column(label, { isKey: true, distinct: 8 })], 8)).toEqual(['code']),
  )
})

describe('usesOf decides by the name before it looks at the values', () => {
  const whole = { ...NO_EVIDENCE, isWhole: true }
  /** Amounts of many rows, 1 to n, a few that repeat, and numbers such as 1.1 and 1.2. */
  const kinds: Partial<DraftColumn>[] = [
    {},
    { distinct: ROWS, isKey: true, evidence: { ...whole, isSequence: true } },
    { distinct: 5, evidence: { ...whole, isCalendar: true, isScore: true } },
    { type: 'number', evidence: { ...NO_EVIDENCE, isScore: true } },
  ]
  const usesIn = (label: string) => [...new Set(kinds.map((more) => useOf(label, more)))]

  test.each(['Sinistro', 'Internação', 'Atendimento'])(
    'usesOf takes whole numbers of %s for a code, and sums its costs with decimals',
    (label) => {
      expect(kinds.map((more) => useOf(label, more))).toEqual(['code', 'code', 'code', 'sum'])
    },
  )

  test.each([
    'Lote',
    'LOTE_VACINA',
    'Ordem de serviço',
    'OS',
    'Processo',
    'Pedido',
    'Pedido de compra',
    'Nota fiscal',
    'Protocolo',
    'Guia',
    'Sequência',
    'Sequencial',
    'Item',
    'Item do pedido',
    'Ranking',
    'Posição',
    '#',
    'Chamado',
    'Prontuário',
    'Turma',
    'Linha',
    'Prioridade',
    'Identificador',
  ])('usesOf takes %s for a code, whatever its values', (label) => expect(usesIn(label)).toEqual(['code']))

  test.each(['Nível', 'Nível de risco', 'Grau', 'Grau de risco', 'Escore', 'Idade'])(
    'usesOf averages %s, whatever its values',
    (label) => expect(usesIn(label)).toEqual(['average']),
  )

  test.each(['Ano', 'Nota'])('usesOf never sums %s', (label) => expect(usesIn(label)).not.toContain('sum'))

  test.each([
    'Quantidade',
    'Qtd',
    'Qtd itens',
    'Quantidade por lote',
    'Valor',
    'Valor do pedido',
    'Valor da nota fiscal',
    'Total do lote',
    'Itens',
    'Pedidos',
    'Horas',
    'Dias',
    'Atendimentos',
    'Exames realizados',
    'Número de itens',
  ])('usesOf sums %s, also where the values are 1 to n', (label) => expect(usesIn(label)).toEqual(['sum']))

  test('usesOf sums amounts of money under the name of a thing', () =>
    expect(useOf('Pedido', { type: 'number', shownAs: 'money', evidence: NO_EVIDENCE })).toBe('sum'))

  test('usesOf looks at the values where the name says nothing', () => {
    expect(useOf('Coluna', kinds[1])).toBe('code')
    expect(useOf('Coluna', kinds[0])).toBe('sum')
  })
})

describe('usesOf with a measure that is no amount', () => {
  const small = { ...NO_EVIDENCE, isScore: true }
  const usesOfScores = (label: string) => [
    useOf(label, { evidence: { ...small, isWhole: true } }),
    useOf(label, { type: 'number', evidence: small }),
  ]

  test.each([
    'Vl Unit',
    'VL_UNIT',
    'Vlr. unit.',
    'Valor un.',
    'Valores unitários',
    'Custo (R$/kg)',
    'Preço unitário',
    'Nota',
    'Nota final',
    'NPS',
    'Satisfação',
    'Satisfação do cliente',
    'Idade',
    'Temperatura',
    'Temperatura (°C)',
    'Índice',
    'Taxas',
    'IPCA',
    'IMC',
    'Score',
    'Sinistralidade',
    'Cotação',
  ])('usesOf averages %s', (label) => expect(usesOfScores(label)).toEqual(['average', 'average']))

  test.each(['Qtd de notas', 'Total de notas', 'Notas', 'QT_IDADE_ATE_5'])('usesOf sums %s', (label) =>
    expect(usesOfScores(label)).toEqual(['sum', 'sum']),
  )

  test('usesOf takes the numbers of invoices for codes', () => {
    expect(useOf('Nota', { evidence: { ...NO_EVIDENCE, isWhole: true } })).toBe('code')
    expect(useOf('Nota fiscal', { evidence: { ...small, isWhole: true } })).toBe('code')
  })
})

test.each(['Saldo (R$)', 'Saldo', 'Saldo do dia'])('usesOf never sums %s of a bank statement', (label) => {
  const balance = column(label, { type: 'number', evidence: NO_EVIDENCE })
  const text = (name: string) => column(name, { type: 'text', distinct: 40, evidence: NO_EVIDENCE })
  const day = column('Data', { type: 'date', distinct: 900, evidence: NO_EVIDENCE })
  // Amounts with a letter, as 1.000,00 D, are texts.
  for (const columns of [
    [day, text('Histórico'), text('Valor'), balance],
    [text('Data'), text('Histórico'), text('Valor'), balance],
    [text('Dt. lançamento'), text('Valor'), balance],
  ])
    expect(usesOf(columns, ROWS).at(-1)).toBe('average')
  expect(usesOf([text('Conta'), balance], ROWS).at(-1)).toBe('sum')
})

test('usesOf never sums the days that a spreadsheet writes as numbers', () => {
  for (const label of ['Data', 'Data de pagamento', 'DT_ATEND', 'dataEmissao'])
    expect([label, ...usesOfNumbers(label)]).toEqual([label, 'code', 'code'])
})

test('usesOf takes notes that are counted for invoices, and others up to 1000 for grades', () => {
  const score = { ...NO_EVIDENCE, isWhole: true, isScore: true }
  expect(useOf('Nota', { evidence: { ...score, isSequence: true } })).toBe('code')
  expect(useOf('Nota', { evidence: score })).toBe('average')
})

test('usesOf averages ages, but not those of DATASUS that begin with a unit', () => {
  const digits = (count: number | undefined) => ({
    evidence: { ...NO_EVIDENCE, isWhole: true, digits: count },
  })
  expect(useOf('NU_IDADE_N', digits(4))).toBe('code')
  expect(useOf('IDADE', digits(3))).toBe('code')
  for (const count of [undefined, 1, 2]) expect(useOf('Idade', digits(count))).toBe('average')
  expect(useOf('Idade em meses', digits(3))).toBe('average')
})

test('usesOf groups months without a year only where no column has years', () => {
  const year = { ...NO_EVIDENCE, isWhole: true, isYear: true, digits: 4 }
  const names = { ...NO_EVIDENCE, yearlessMonth: 'name' as const }
  const month = column('Mês', { type: 'text', distinct: 12, evidence: names })
  const years = (label: string) => column(label, { distinct: 2, evidence: year })
  const value = column('Valor', {})
  expect(usesOf([month, value], ROWS)[0]).toBe('group')
  for (const label of ['Safra', 'Período', 'Edição'])
    expect([label, usesOf([years(label), month, value], ROWS)[1]]).toEqual([label, 'code'])
  // Amounts that are near 2000 are no years.
  const amount = column('Valor pago', { distinct: 90, evidence: year })
  expect(usesOf([amount, month], ROWS)[1]).toBe('group')
})

describe('isMoney', () => {
  const isShownAsMoney = (label: string, more: Partial<DraftColumn> = {}) => {
    const one = column(label, { type: 'number', evidence: NO_EVIDENCE, ...more })
    return isMoney(one, [one])
  }

  test.each(['Valor', 'VL_PAGO', 'Preço unitário', 'Custos', 'Saldo (R$)', 'Horas (R$)', 'Mensalidade'])(
    'isMoney accepts %s',
    (label) => expect(isShownAsMoney(label)).toBe(true),
  )
  test('isMoney accepts what the file shows as money', () =>
    expect(isShownAsMoney('X', { shownAs: 'money' })).toBe(true))

  test.each([
    'Saldo',
    'Saldo em estoque',
    'Crédito',
    'Qtd de valores',
    'QT_PAGO',
    'Nº de despesa',
    'Custo (US$)',
    'Valor em dólar',
    'Preço (EUR)',
    'Valor (%)',
    'Custo pct',
    'Índice de custo',
    'Idade',
  ])('isMoney refuses %s', (label) => expect(isShownAsMoney(label)).toBe(false))
})

test('usesOf takes numbers under Data for days, and the costs of a data center for amounts', () => {
  expect(usesOfNumbers('Data de entrega')).toEqual(['code', 'code'])
  expect(useOf('Data center (R$)', { shownAs: 'money' })).toBe('sum')
})
