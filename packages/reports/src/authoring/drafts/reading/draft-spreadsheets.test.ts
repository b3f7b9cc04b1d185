import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'
import { type TestCell, type TestSheet, workbookOf } from '../../../../test/workbooks.ts'

const costs: TestCell[][] = [
  ['Unidade', 'Valor'],
  ['Centro', 10],
  ['Norte', 20],
]

/** Sends workbooks as the portal does, and reads them. */
const begin = async () => {
  const calls = await beginDrafts(await serviceWith())
  const read = async (bytes: Buffer, fields: object = {}, name = 'Custos.xlsx') => {
    const id = await calls.draft(bytes, name)
    return { id, ...(await calls.call(`${id}/read`, { reportName: 'Custos', ...fields })) }
  }
  return { ...calls, read }
}
const typesOf = (read: { columns: Record<string, string>[] }) =>
  read.columns.map(({ label, type, shownAs }) => [label, type, shownAs].filter(Boolean).join(' '))

describe('the sheet', () => {
  const sheets: TestSheet[] = [
    { name: 'Parâmetros', state: 'veryHidden', rows: [['Chave'], ['x']] },
    { name: '2025', rows: costs },
    { name: '2026', rows: [...costs, ['Sul', 30]] },
  ]

  test('the sheet is the first visible one, and the author may choose another', async () => {
    const { read, call } = await begin()
    const found = await read(workbookOf({ sheets }))
    expect(found).toMatchObject({ faults: [], rows: 2, choice: { sheets: ['2025', '2026'], sheet: '2025' } })
    expect(found.remarks).toEqual([
      'Custos.xlsx: foi lida só a aba 2025, sem 2026',
      'Custos.xlsx: a aba oculta Parâmetros não foi lida',
    ])
    const chosen = await call(`${found.id}/read`, { reportName: 'Custos', sheet: '2026' })
    expect(chosen).toMatchObject({ faults: [], rows: 3, choice: { sheet: '2026' } })
    const missing = await call(`${found.id}/read`, { reportName: 'Custos', sheet: '2027' })
    expect(missing.faults).toEqual(['Custos.xlsx: não tem a aba 2027: tem 2025 e 2026'])
  })
})

describe('the heading', () => {
  const titled: TestSheet = {
    merged: ['A1:E1', 'B4:C4', 'D4:E4', 'A4:A5'],
    rows: [
      ['Produção por unidade', null, null, null, null],
      ['Período:', '01/2026'],
      [null],
      ['Unidade', 'Consultas', null, 'Exames', null],
      [null, 'Qtd', 'Valor', 'Qtd', 'Valor'],
      ['Centro', 10, 1.5, 3, 2.5],
      [null],
      ['Norte', 20, 2.5, 4, 3.5],
    ],
  }

  test('the heading is found below title rows, with the groups above its names', async () => {
    const { read } = await begin()
    const found = await read(workbookOf({ sheets: [titled] }))
    expect(found).toMatchObject({ faults: [], rows: 2, choice: { heading: { first: 4, count: 2 } } })
    expect(typesOf(found)).toEqual([
      'Unidade text',
      'Consultas · Qtd integer',
      'Consultas · Valor number',
      'Exames · Qtd integer',
      'Exames · Valor number',
    ])
    expect(found.remarks).toEqual([
      'Custos.xlsx: o cabeçalho são as linhas 4 e 5; as que estão acima não foram lidas',
    ])
    expect(found.choice.rows.slice(0, 3)).toEqual([
      { row: 1, text: 'Produção por unidade' },
      { row: 2, text: 'Período: · 01/2026' },
      { row: 4, text: 'Unidade · Consultas · Exames' },
    ])
  })

  test('the heading is the one that the author chooses, also when the found one is refused', async () => {
    const { read, call } = await begin()
    const rows = [['A', 'a'.repeat(121)], ['Unidade', 'Valor'], ...costs.slice(1)]
    const found = await read(workbookOf({ sheets: [{ rows }] }))
    expect(found.faults).toEqual([expect.stringMatching(/linha 1: a coluna B tem um nome com mais de 120 /)])
    expect(found.choice.rows.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3, 4])
    const heading = { first: 2, count: 1 }
    const chosen = await call(`${found.id}/read`, { reportName: 'Custos', heading })
    expect(chosen).toMatchObject({ faults: [], rows: 2, choice: { heading } })
    const beyond = await call(`${found.id}/read`, { reportName: 'Custos', heading: { first: 9, count: 1 } })
    expect(beyond.faults).toEqual(['Custos.xlsx: a linha 9 não tem nomes de colunas: escolha outra'])
  })

  test('the heading names months of two years by their days, where its format shows no year', async () => {
    const { read } = await begin()
    const day = (value: number) => ({ value, style: 1 })
    const rows = [
      ['Unidade', day(45_658), day(46_023), day(46_054)],
      ['Norte', 1, 2, 3],
    ]
    const found = await read(workbookOf({ formats: ['mmm'], sheets: [{ rows }] }))
    expect(found).toMatchObject({ faults: [], rows: 1 })
    expect(found.columns.map(({ label }: { label: string }) => label)).toEqual([
      'Unidade',
      '01/01/2025',
      '01/01/2026',
      'fev',
    ])
  })

  test('the heading that looks like values is noticed, and counts as a row when the author says so', async () => {
    const { read, call } = await begin()
    const found = await read(workbookOf({ sheets: [{ rows: costs.slice(1) }] }))
    expect(found.remarks).toEqual([
      'Custos.xlsx: o cabeçalho parece ser a primeira linha de dados: a coluna "10" tem números. Se o arquivo não tem cabeçalho, diga isso em Linha do cabeçalho; assim a linha conta',
    ])
    const heading = { first: 1, count: 0 }
    const chosen = await call(`${found.id}/read`, { reportName: 'Custos', heading })
    expect(chosen).toMatchObject({ faults: [], rows: 2, choice: { heading } })
    expect(typesOf(chosen)).toEqual(['Coluna 1 text', 'Coluna 2 integer'])
    expect(chosen.remarks).toEqual([
      'Custos.xlsx: o arquivo foi lido sem cabeçalho: as colunas são Coluna 1, Coluna 2 e assim por diante',
    ])
  })

  test('the heading stays the first row when it names some of the columns only', async () => {
    const { read } = await begin()
    const rows = [['Unidade', 'Valor'], ...costs.slice(1).map((row) => [...row, 1, 2, 3])]
    const found = await read(workbookOf({ sheets: [{ rows }] }))
    expect(typesOf(found)).toEqual([
      'Unidade text',
      'Valor integer',
      'Coluna 3 integer',
      'Coluna 4 integer',
      'Coluna 5 integer',
    ])
    expect(found.remarks).toEqual(
      [3, 4, 5].map(
        (place) =>
          `Custos.xlsx: uma coluna com valores não tem nome no cabeçalho: aqui ela é Coluna ${place}`,
      ),
    )
  })
})

describe('cells', () => {
  const formats = ['dd/mm/yyyy hh:mm', '[h]:mm', 'hh:mm', '00000-000', '0.0%', '"R$" #,##0.00', 'dd/mm/yyyy']
  const [MOMENT, HOURS, TIME, CEP, RATE, MONEY, DAY] = [1, 2, 3, 4, 5, 6, 7]
  const as = (style: number, ...values: (number | string)[]) =>
    values.map((value): TestCell => ({ value, style }))
  const columns = (headings: string[], ...cells: TestCell[][]): TestCell[][] => [
    headings,
    ...(cells[0] ?? []).map((_, row) => cells.map((column) => column[row] ?? null)),
  ]

  test('cells are what their formats say', async () => {
    const { read } = await begin()
    const rows = columns(
      ['Entrada', 'Jornada', 'Início', 'CEP', 'Taxa', 'Preço', 'Dia'],
      as(MOMENT, 46_086, 46_086.333333333, 46_087.5),
      as(HOURS, 0.333333333333, 1.5, 0),
      as(TIME, 0.333333333333, 0.75, 0),
      as(CEP, 1_310_100, 80_010_000, 1),
      as(RATE, 0.08, 0.125, 0),
      as(MONEY, 1_234.5, 2, 0),
      as(DAY, 46_086, 46_087, 46_088),
    )
    const found = await read(workbookOf({ sheets: [{ rows }], formats }))
    expect(found.faults).toEqual([])
    expect(typesOf(found)).toEqual([
      'Entrada timestamp',
      'Jornada number',
      'Início text',
      'CEP text',
      'Taxa number percent',
      'Preço number money',
      'Dia date',
    ])
    expect(found.preview).toEqual([
      ['2026-03-05 00:00:00', '8.0', '08:00', '01310-100', '0.08', '1234.5', '2026-03-05'],
      ['2026-03-05 08:00:00', '36.0', '18:00', '80010-000', '0.125', '2.0', '2026-03-06'],
      ['2026-03-06 12:00:00', '0.0', '00:00', '00000-001', '0.0', '0.0', '2026-03-07'],
    ])
    expect(found.remarks).toEqual([
      'Custos.xlsx: a coluna Jornada tem durações, que viram números de horas: 8:30 vira 8,5',
      'Custos.xlsx: a coluna Início tem horas do dia, que ficam como texto: 08:30',
    ])
  })

  test('cells that are mixed stay text as the sheet shows them, and a sentence says where', async () => {
    const { read } = await begin()
    const rows = columns(
      ['Prazo', 'Valor', 'Taxas'],
      [...as(DAY, 46_086), 30, 'sem prazo'],
      [1_234.5, 'isento', 2],
      [...as(RATE, 0.08, 0.09), 0.5],
    )
    const found = await read(workbookOf({ sheets: [{ rows }], formats }))
    expect(typesOf(found)).toEqual(['Prazo text', 'Valor text', 'Taxas number'])
    expect(found.preview).toEqual([
      ['05/03/2026', '1234,5', '0.08'],
      ['30', 'isento', '0.09'],
      ['sem prazo', '2', '0.5'],
    ])
    expect(found.remarks).toEqual([
      'Custos.xlsx: a coluna Taxas mistura percentuais (desde C2) e números (desde C4), e fica como número: 8% vira 0,08',
      'Custos.xlsx: a coluna Prazo fica como texto, porque mistura datas (desde A2), números (desde A3) e textos (desde A4)',
      'Custos.xlsx: a coluna Valor fica como texto, porque mistura números (desde B2) e textos (desde B3)',
    ])
    const report = JSON.stringify(found.report)
    expect([report.includes('avg(Taxas)'), report.includes('sum(Taxas)')]).toEqual([true, false])
  })

  test('cells of amounts keep their kind beside plain numbers, and say what the sheet has rounded', async () => {
    const { read } = await begin()
    const rows = columns(
      ['Preço', 'Chave', 'Ativo', 'Vazia'],
      [...as(MONEY, 1_234.5), 2, 0],
      [3_526_000_000_000_000, 12, 13],
      [true, false, true],
      [null, null, null],
    )
    const found = await read(workbookOf({ sheets: [{ rows }], formats }))
    expect(typesOf(found)).toEqual(['Preço number money', 'Chave integer', 'Ativo boolean', 'Vazia text'])
    expect(found.preview[0]).toEqual(['1234.5', '3526000000000000', 'true', null])
    expect(found.remarks).toEqual([
      'Custos.xlsx: a coluna Chave tem números com mais de 15 algarismos, que a planilha arredonda: se são códigos, formate a coluna como texto e digite-os de novo',
    ])
  })

  test('cells without a value are counted and named: errors, formulas that were not computed, no dates', async () => {
    const { read } = await begin()
    const rows: TestCell[][] = [
      ['Unidade', 'Valor', 'Dia'],
      ['A', { value: '#N/D', type: 'e', formula: 'PROCV(1;A:B;2)' }, { value: 0, style: DAY }],
      ['B', { value: '', formula: 'SUM(A1:A2)' }, { value: 46_086, style: DAY }],
      ['C', { value: '', formula: 'SUM(A1:A2)' }, null],
      ['D', 5, { value: '', type: 'str', formula: 'IF(1;"";"")' }],
    ]
    const found = await read(workbookOf({ sheets: [{ rows }], formats }))
    expect(found.preview).toEqual([
      ['A', null, null],
      ['B', null, '2026-03-05'],
      ['C', null, null],
      ['D', '5', null],
    ])
    expect(found.remarks).toEqual([
      'Custos.xlsx: 1 célula com erro de fórmula ficou vazia (B2)',
      'Custos.xlsx: 2 fórmulas sem valor gravado ficaram vazias (a primeira é B3): abra a planilha no Excel e salve-a, para que ele as calcule',
      'Custos.xlsx: 1 célula com formato de data e um número que não é uma data ficou vazia (C2)',
    ])
  })

  test('cells that are hidden are read, which is said', async () => {
    const { read } = await begin()
    const sheet = { rows: costs, hiddenRows: [3], hiddenColumns: [2] }
    const found = await read(workbookOf({ sheets: [sheet] }))
    expect(found.rows).toBe(2)
    expect(found.remarks).toEqual([
      'Custos.xlsx: 1 linha oculta, por um filtro ou à mão, foi lida com as outras',
      'Custos.xlsx: a coluna oculta Valor foi lida com as outras',
    ])
  })

  test('cells are named by their row in the sheet when a chosen type does not fit', async () => {
    const { read } = await begin()
    const rows: TestCell[][] = [['Título'], [null], ['Código', 'Valor'], ['1', 1], [null], ['x', 2]]
    const bytes = workbookOf({ sheets: [{ rows }] })
    const text = await read(bytes, { types: { Codigo: 'integer' } })
    expect(text.faults).toEqual(['Custos.xlsx: linha 6: coluna Código: "x" não é um número inteiro'])
    const fraction = workbookOf({ sheets: [{ rows: [...costs, [null], ['Sul', 1.5]] }] })
    const whole = await read(fraction, { types: { Valor: 'integer' } })
    expect(whole.faults).toEqual(['Custos.xlsx: linha 5: coluna Valor: "1.5" não é um número inteiro'])
    expect(typesOf(await read(fraction, { types: { Valor: 'text' } }))).toEqual([
      'Unidade text',
      'Valor text',
    ])
  })
})

describe('a file of each writer', () => {
  const rows: TestCell[][] = [
    ['Unidade & setor', 'Valor'],
    ['Centro <1>', 10],
    [' "Norte"; Sul ', -2.5],
  ]
  test.each([
    ['openpyxl, with inline texts', {}],
    ['Excel, with shared texts', { texts: 'shared' as const }],
    ['a writer without addresses', { withoutAddresses: true }],
    ['the Open XML SDK, with a prefix', { prefix: 'x', texts: 'shared' as const }],
    ['Excel, in the strict format', { isStrict: true }],
    ['a writer without styles', { parts: { 'xl/styles.xml': null } }],
    ['a writer of parts in other folders', movedParts()],
  ])('a file of %s is read', async (_writer, how) => {
    const { read } = await begin()
    const found = await read(workbookOf({ sheets: [{ rows }], ...how }))
    expect(found.faults).toEqual([])
    expect(typesOf(found)).toEqual(['Unidade & setor text', 'Valor number'])
    expect(found.preview).toEqual([
      ['Centro <1>', '10.0'],
      ['"Norte"; Sul', '-2.5'],
    ])
  })

  /** The main part has any name; only relationships tell it. */
  function movedParts() {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const related = (...list: string[]) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
    return {
      parts: {
        'xl/workbook.xml': null,
        'xl/_rels/workbook.xml.rels': null,
        '_rels/.rels': related(
          `<Relationship Id="a" Type="${type}/officeDocument" Target="/livro/pasta.xml"/>`,
        ),
        'livro/pasta.xml': `<workbook xmlns:r="${type}"><sheets><sheet name="P" sheetId="1" r:id="b"/></sheets></workbook>`,
        'livro/_rels/pasta.xml.rels': related(
          `<Relationship Id="b" Type="${type}/worksheet" Target="../xl/worksheets/sheet1.xml"/>`,
        ),
      },
    }
  }

  test('a file of each writer is known by its content, whatever its name', async () => {
    const { read } = await begin()
    const found = await read(workbookOf({ sheets: [{ rows: costs }] }), {}, 'Custos.csv')
    expect(found).toMatchObject({ faults: [], rows: 2 })
    const csv = await read(Buffer.from('a;b\n1;2\n'), {}, 'Custos.xlsx')
    expect(csv.faults).toEqual([expect.stringMatching(/^Custos\.xlsx: não é uma planilha XLSX: /)])
  })
})
