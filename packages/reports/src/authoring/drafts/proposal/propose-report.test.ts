import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'
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

describe('real headers of Brazilian open data, with invented rows', () => {
  type Card = { type: string; title: string; name: string; layout: object }
  const propose = async (name: string, text: string) => {
    const service = await serviceWith()
    const { token, call, draft } = await beginDrafts(service)
    const id = await draft(text, name)
    const read = await call(`${id}/read`, { reportName: 'Dados' })
    expect(read.faults).toEqual([])
    const body = { workspace: { name: 'Área' }, report: JSON.stringify(read.report) }
    const published = await call(`${id}/publish`, body)
    expect(published).toMatchObject({ faults: [], remarks: [] })
    const { workspaceId, reportId } = published
    const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
    const embed = (await service.rest(token, 'POST', path, { accessLevel: 'View' })).json().token
    const rowsOf = async (page: string) => (await service.data(embed, [], page, reportId)).json().visuals
    const [overview, behind] = read.report.pages
    const data = await rowsOf(overview.name)
    const shown = overview.visuals.map(({ type, title }: Card) => [type, title])
    const cards = overview.visuals.flatMap(({ type, title, name }: Card) =>
      type === 'card' ? [[title, ...data[name].rows[0]]] : [],
    )
    return { shown, cards, data, behind: await rowsOf(behind.name), explanation: read.explanation }
  }
  const MONTHS = ['2025-06', '2025-07', '2025-08']
  const beneficiaries = (month: (text: string) => string) => [
    '#ID_CMPT_MOVEL;CD_OPERADORA;NM_RAZAO_SOCIAL;SG_UF;CD_MUNICIPIO;TP_SEXO;DE_FAIXA_ETARIA;QT_BENEFICIARIO_ATIVO;DT_CARGA',
    ...Array.from({ length: 42 }, (_, n) =>
      [
        month(MONTHS[n % 3] ?? ''),
        300_001 + (n % 4),
        `FICTÍCIA ${n % 4}`,
        n % 2 ? 'PR' : 'SC',
        410_690 + (n % 5),
        n % 2 ? 'M' : 'F',
        n % 7 ? '00 a 05' : '06 a 10',
        n + 1,
        '2025-09-20',
      ].join(';'),
    ),
  ]
  // The 14 rows of August: 3 + 6 + … + 42.
  const ACTIVE_IN_AUGUST = 315

  test.each([
    ['2025-08', (text: string) => text],
    ['202508', (text: string) => text.replace('-', '')],
    ['08/2025', (text: string) => text.split('-').toReversed().join('/')],
  ])(
    'proposeReport shows ANS beneficiaries, with months as %s: the last month’s, by month',
    async (_name, month) => {
      const { shown, cards, data, behind, explanation } = await propose(
        'beneficiarios.csv',
        beneficiaries(month).join('\n'),
      )
      expect(shown).toEqual([
        ['card', 'Linhas'],
        ['card', 'QT_BENEFICIARIO_ATIVO'],
        ['slicer', 'NM_RAZAO_SOCIAL'],
        ['slicer', 'SG_UF'],
        ['line', 'QT_BENEFICIARIO_ATIVO por mês'],
        ['bar', 'QT_BENEFICIARIO_ATIVO por NM_RAZAO_SOCIAL'],
      ])
      expect(cards).toEqual([
        ['Linhas', 42],
        ['QT_BENEFICIARIO_ATIVO', ACTIVE_IN_AUGUST, '2025-08-01'],
      ])
      expect(data.por_mes.rows).toEqual([
        ['2025-06-01', 287],
        ['2025-07-01', 301],
        ['2025-08-01', ACTIVE_IN_AUGUST],
      ])
      const byOperator = data.por_dimensao.rows.map(([, count]: [string, number]) => count)
      expect(byOperator.reduce((sum: number, one: number) => sum + one, 0)).toBe(ACTIVE_IN_AUGUST)
      expect(behind.linhas.rows).toHaveLength(42)
      expect(explanation).toEqual([
        'Contadas em cada período, e por isso só as do último são somadas: QT_BENEFICIARIO_ATIVO.',
        'No eixo do tempo: #ID_CMPT_MOVEL.',
        'Em filtros e grupos: NM_RAZAO_SOCIAL, SG_UF, TP_SEXO e DE_FAIXA_ETARIA.',
        'Códigos, anos e meses, que não são somados: CD_OPERADORA e CD_MUNICIPIO.',
      ])
    },
  )

  test('ANS operators: only the rows are counted', async () => {
    const file = new URL('../../../../test/open-data/ans-operadoras.csv', import.meta.url)
    const { shown, explanation } = await propose('operadoras.csv', await readFile(file, 'latin1'))
    expect(shown).toEqual([
      ['card', 'Linhas'],
      ['slicer', 'Modalidade'],
      ['slicer', 'Cidade'],
      ['line', 'Linhas por mês'],
      ['bar', 'Linhas por Modalidade'],
    ])
    expect(explanation.at(-1)).toBe(
      'Códigos, anos e meses, que não são somados: Registro_ANS, CNPJ, CEP, DDD, Telefone e Regiao_de_Comercializacao.',
    )
  })

  test('proposeReport shows ANS accounting: balances of the last quarter', async () => {
    const rows = Array.from({ length: 12 }, (_, n) =>
      [
        `"2025-0${1 + 3 * (n % 3)}-01"`,
        `"${300_001 + (n % 4)}"`,
        `"${41_111 + n}"`,
        `"Eventos ${n}"`,
        `"${n * 100},10"`,
        `"${n * 1000},2"`,
      ].join(';'),
    )
    const heading = '"DATA";"REG_ANS";"CD_CONTA_CONTABIL";"DESCRICAO";"VL_SALDO_INICIAL";"VL_SALDO_FINAL"'
    const { cards } = await propose('contabil.csv', [heading, ...rows].join('\n'))
    expect(cards).toEqual([
      ['Linhas', 12],
      ['VL_SALDO_INICIAL', 2_600.4, '2025-07-01'],
      ['VL_SALDO_FINAL', 26_000.8, '2025-07-01'],
    ])
  })

  test('SIDRA and TABNET: a column of each year or month is summed, the total first', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `Cidade ${n};${n + 1}.200;${n},5;${n + 7};${n * 9}`)
    const { cards } = await propose('tabela.csv', ['Município;2024;2025;2026/Jan;Total', ...rows].join('\n'))
    expect(cards).toEqual([
      ['Linhas', 12],
      ['Total', 594, 12],
      ['2024', 80_400, 12],
    ])
  })

  test('SIDRA: values are summed, codes and years are not, and a count of rows is below each sum', async () => {
    const rows = Array.from({ length: 30 }, (_, n) =>
      [
        `"${4_100_000 + n}"`,
        `"Cidade ${n}"`,
        '"39"',
        '"Mil Reais"',
        '"2021"',
        '"Salários"',
        n ? n * 10 : '',
      ].join(';'),
    )
    const heading =
      '"Município (Código)";"Município";"Unidade de Medida (Código)";"Unidade de Medida";"Ano";"Variável";"Valor"'
    const { cards } = await propose('sidra.csv', [heading, ...rows].join('\n'))
    expect(cards).toEqual([
      ['Linhas', 30],
      ['Valor', 4_350, 29],
    ])
  })
})
