import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'

/* What a proposed report shows of a sent file. */

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

  // Kind: one bar or point has the amounts of two years.
  test.each([
    ['names', ['Janeiro', 'Março', 'dezembro']],
    ['short names', ['jan', 'mar.', 'DEZ']],
    ['numbers', ['1', '3', '12']],
  ])('proposeReport shows months as %s by month and year, never two years in one', async (_name, months) => {
    const rows = ['2024', '2025'].flatMap((year) =>
      months.flatMap((month, index) =>
        ['Norte', 'Sul'].map((unit) => `${year};${month};${unit};${index + 1}0`),
      ),
    )
    const { shown, data, explanation } = await propose(
      'vendas.csv',
      ['Ano;Mês;Unidade;Valor', ...rows].join('\n'),
    )
    expect(shown).toContainEqual(['line', 'Valor por mês'])
    expect(shown).toContainEqual(['bar', 'Valor por Unidade'])
    expect(data.por_mes.rows).toEqual([
      ['2024-01-01', 20],
      ['2024-03-01', 40],
      ['2024-12-01', 60],
      ['2025-01-01', 20],
      ['2025-03-01', 40],
      ['2025-12-01', 60],
    ])
    expect(explanation).toContain('No eixo do tempo: Ano e Mês.')
  })

  test.each([
    ['of a year', 'Ano', (year: string) => year],
    ['of days', 'Data', (year: string) => `${year}-05-20`],
  ])(
    'proposeReport has no bars of quarters and months that two years share, beside a column %s',
    async (_name, label, at) => {
      const rows = ['2024', '2025'].flatMap((year) =>
        ['1º tri', '2º tri'].flatMap((quarter) =>
          ['Jan', 'Fev'].map((month) => `${at(year)};${quarter};${month};10`),
        ),
      )
      const { shown } = await propose('vendas.csv', [`${label};Trimestre;Mês;Valor`, ...rows].join('\n'))
      expect(shown.map(([, title]: string[]) => title)).toEqual(['Linhas', 'Valor', 'Valor por mês'])
    },
  )

  test('proposeReport shows the names of months of one period as bars', async () => {
    const rows = ['Janeiro', 'Fevereiro', 'Janeiro', 'Fevereiro'].map((month) => `${month};10`)
    const { shown } = await propose('vendas.csv', ['Mês;Valor', ...rows].join('\n'))
    expect(shown).toContainEqual(['bar', 'Valor por Mês'])
  })

  test('proposeReport only counts the rows of ANS operators', async () => {
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

  test('proposeReport sums a column of each year or month of SIDRA and TABNET, the total first', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `Cidade ${n};${n + 1}.200;${n},5;${n + 7};${n * 9}`)
    const { cards } = await propose('tabela.csv', ['Município;2024;2025;2026/Jan;Total', ...rows].join('\n'))
    expect(cards).toEqual([
      ['Linhas', 12],
      ['Total', 594, 12],
      ['2024', 80_400, 12],
    ])
  })

  test('proposeReport sums values of SIDRA, not its codes and years, with a count of rows below each sum', async () => {
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
