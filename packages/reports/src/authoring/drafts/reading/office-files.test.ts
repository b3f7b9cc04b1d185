import { expect, test } from 'vitest'
import { useDrafts } from '../../../../test/draft-calls.ts'
import { type TestCell, workbookOf } from '../../../../test/workbooks.ts'

/*
 * Files as banks, the ANS, the IBGE and spreadsheets of offices write them, with the numbers that a person
 * expects. Each is read by the call that the page makes, and its proposals are taken as they are.
 */

const drafts = useDrafts()

const csvOf = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
const readFile = async (bytes: Buffer, name: string, choices: object = {}) => {
  const id = await drafts.draft(bytes, name)
  const read = await drafts.call(`${id}/read`, { reportName: 'Arquivo', ...choices })
  await drafts.call(`${id}/discard`, {})
  expect(read.faults).toEqual([])
  const types = Object.fromEntries(
    read.columns.map(({ label, type }: Record<string, string>) => [label, type]),
  )
  const remarks: string[] = read.remarks.map((one: string) => one.replace(`${name}: `, ''))
  const columnOf = (label: string) => {
    const index = read.columns.findIndex((one: { label: string }) => one.label === label)
    return read.preview.map((row: (string | null)[]) => row[index])
  }
  const numbersOf = (label: string) =>
    columnOf(label).map((text: string | null) => (text === null ? null : Number(text)))
  return { read, types, remarks, numbersOf }
}

const STATEMENT = csvOf(
  '"Data","Dependencia Origem","Histórico","Data do Balancete","Número do documento","Valor",',
  '"01/03/2026","","Saldo Anterior","","0","1000.00",',
  '"02/03/2026","0000-00","Pix - Enviado","","30201","-150.25",',
  '"03/03/2026","1234-5","TED","","401234567","2500.00",',
  '"04/03/2026","1234-5","Tarifa","","401234568","-10.50",',
  '"31/03/2026","","S A L D O","","0","3339.25",',
)

test('a draft names the balances in the amounts of a bank statement, and leaves them out on demand', async () => {
  const { read, remarks, numbersOf } = await readFile(STATEMENT, 'extrato.csv')
  expect(remarks).toEqual([
    '2 linhas parecem totais ou saldos, a partir da linha 2: as somas as contam de novo',
  ])
  expect([read.totals, numbersOf('Valor').length]).toEqual([2, 5])
  const without = await readFile(STATEMENT, 'extrato.csv', { withoutTotals: true })
  expect(without.numbersOf('Valor')).toEqual([-150.25, 2500, -10.5])
})

test('a draft names the subtotals that spreadsheets write behind the name of a group', async () => {
  const rows = [
    ['Setor', 'Item', 'Valor'],
    ['A', 'x', 10],
    ['A', 'y', 20],
    ['A Total', null, { value: 30, formula: 'SUBTOTAL(9,C2:C3)' }],
    ['B', 'z', 5],
    ['B Total', null, { value: 5, formula: 'SUBTOTAL(9,C5:C5)' }],
    ['Total Geral', null, { value: 35, formula: 'SUBTOTAL(9,C2:C6)' }],
  ]
  const bytes = workbookOf({ sheets: [{ rows }] })
  const { remarks } = await readFile(bytes, 'setores.xlsx')
  expect(remarks).toEqual(['3 linhas parecem totais, a partir da linha 4: as somas as contam de novo'])
  const without = await readFile(bytes, 'setores.xlsx', { withoutTotals: true })
  expect(without.numbersOf('Valor')).toEqual([10, 20, 5])
})

test('a draft keeps products whose names end in Total', async () => {
  const lines = ['Produto;Item;Valor', 'Saúde Total;a;10', 'Vida Total;b;20', 'Lar;c;5', 'Total;;35']
  const { read } = await readFile(csvOf(...lines), 'produtos.csv', { withoutTotals: true })
  expect([read.totals, read.rows]).toEqual([1, 3])
})

test('a draft keeps balances in a column of their own, below titles of several parts', async () => {
  const lines = [
    'Extrato Conta Corrente;;;;',
    'Agência: 1234;Conta: 56789-0;;;',
    'Período: 01/03/2026 a 31/03/2026;;;;',
    ';;;;',
    'Data;Lançamento;Ag./Origem;Valor (R$);Saldo (R$)',
    '01/03/2026;SALDO ANTERIOR;;;1.000,00',
    '02/03/2026;PIX TRANSF;1234;-150,25;',
    '02/03/2026;TED;0341;2.500,00;',
    '03/03/2026;SALDO DO DIA;;;3.349,75',
  ]
  const { read, types, remarks, numbersOf } = await readFile(csvOf(...lines), 'itau.csv')
  expect(types).toEqual({
    Data: 'date',
    Lançamento: 'text',
    'Ag./Origem': 'text',
    'Valor (R$)': 'number',
    'Saldo (R$)': 'number',
  })
  expect(numbersOf('Valor (R$)')).toEqual([null, -150.25, 2500, null])
  expect(numbersOf('Saldo (R$)')).toEqual([1000, null, null, 3349.75])
  expect(remarks).toEqual(['o cabeçalho é a linha 5; as linhas 1 a 4 ficam de fora'])
  expect([read.totals, read.explanation[0]]).toEqual([0, 'Somadas: Valor (R$).'])
})

test.each([
  'Emitido em: 05/03/2026',
  'Gerado em 05/03/2026',
  'Fonte: sistema de faturamento',
  'Usuário: ana',
])('a draft finds the heading of a small table below the title %s', async (title) => {
  const lines = [
    'Relatório de atendimentos',
    title,
    'Unidade;Mês;Valor',
    'Centro;jan/2026;10',
    'Norte;jan/2026;20',
  ]
  const { read, numbersOf } = await readFile(csvOf(...lines), 'atendimentos.csv')
  expect([read.choice.heading, numbersOf('Valor')]).toEqual([{ first: 3, count: 1 }, [10, 20]])
})

test('a draft takes no row of texts below amounts for a heading', async () => {
  const lines = ['Unidade;;Valor;', 'Centro;;10,5;', 'obs;lançado;por;Ana', 'Norte;;20,5;']
  const { read } = await readFile(csvOf(...lines), 'obs.csv')
  expect([read.rows, read.choice.heading]).toEqual([3, { first: 1, count: 1 }])
})

test('a draft counts negative amounts in parentheses after the sign of the currency', async () => {
  const { remarks, numbersOf } = await readFile(csvOf('Item;V', 'A;R$ (1.234,56)', 'B;R$ 2,00'), 'moeda.csv')
  expect(numbersOf('V')).toEqual([-1234.56, 2])
  expect(remarks).toEqual([
    'coluna V: 1 valor entre parênteses ou com o sinal no fim ("R$ (1.234,56)") é negativo, na linha 2',
  ])
})

test('a draft says why hours with AM and PM stay texts', async () => {
  const lines = ['Quando;Valor', '05/03/2026 02:30 PM;1', '06/03/2026 11:00 AM;2']
  const { types, remarks } = await readFile(csvOf(...lines), 'horas.csv')
  expect(types.Quando).toBe('text')
  expect(remarks).toEqual([
    'a coluna Quando fica como texto: na linha 2, "05/03/2026 02:30 PM" tem AM ou PM. Escreva as horas de 00:00 a 23:59, como 14:30',
  ])
})

test('a draft sums neither the days of a spreadsheet as numbers nor the coded ages of DATASUS', async () => {
  const lines = ['Data;NU_IDADE_N;Valor', '46086;4045;10,5', '46087;3002;12,5', '46090;4082;1,5']
  const { read } = await readFile(csvOf(...lines), 'sinan.csv')
  expect(read.explanation).toEqual([
    'Somadas: Valor.',
    'Códigos, anos e meses, que não são somados: Data e NU_IDADE_N.',
  ])
})

test('a draft reads a small table of the SIDRA, whose legend is longer than the table', async () => {
  const lines = [
    '"Tabela 6579 - População residente estimada"',
    '"Variável - População residente estimada (Pessoas)"',
    '"Município";"Ano";"";""',
    '"";"2020";"2021";"2024"',
    '"Curitiba (PR)";"1948626";"1963726";"1829225"',
    '"Londrina (PR)";"575377";"580870";"..."',
    '"Fonte: IBGE - Estimativas de População"',
    '"Legenda"',
    '"Símbolo";"Significado"',
    '"-";"Zero absoluto, não resultante de um cálculo ou arredondamento"',
    '"0";"Zero resultante de um cálculo ou arredondamento"',
    '"X";"Valor inibido para não identificar o informante"',
    '"..";"Valor não se aplica"',
    '"...";"Valor não disponível"',
  ]
  const { read, numbersOf } = await readFile(csvOf(...lines), 'tabela6579.csv')
  expect(read.rows).toBe(2)
  expect(numbersOf('2020')).toEqual([1_948_626, 575_377])
  expect(numbersOf('2024')).toEqual([1_829_225, null])
})

/* The ANS writes one row of groups over one of names, in TABNET and in its tables. */

const GROUPS = ['UF', 'Assistência médica', '', '', 'Exclusivamente odontológico', '', '']
const NAMES = ['', 'Individual', 'Coletivo', 'Total', 'Individual', 'Coletivo', 'Total']
const ANS = [
  ['Paraná', 312_345, 2_134_567, 2_446_912, 45_678, 934_210, 979_888],
  ['São Paulo', 2_512_000, 13_234_567, 15_746_567, 1_345_678, 8_345_210, 9_690_888],
  ['Acre', 3_201, 40_120, 43_321, 980, 12_004, 12_984],
] as const
const WHOLE_NAMES = [
  'UF',
  ...['Assistência médica', 'Exclusivamente odontológico'].flatMap((group) =>
    ['Individual', 'Coletivo', 'Total'].map((name) => `${group} · ${name}`),
  ),
]
const TITLE = 'Beneficiários de planos privados de saúde, por cobertura e tipo de contratação'
const SOURCE = 'Fonte: SIB/ANS/MS - 03/2025'

const expectAns = async (bytes: Buffer, name: string, first: number, choices: object = {}) => {
  const { read, types, numbersOf } = await readFile(bytes, name, choices)
  expect(read.choice.heading).toEqual({ first, count: 2 })
  expect(Object.keys(types)).toEqual(WHOLE_NAMES)
  expect(WHOLE_NAMES.slice(1).map(numbersOf)).toEqual(
    WHOLE_NAMES.slice(1).map((_label, index) => ANS.map((row) => row[index + 1])),
  )
  return read
}

test('a draft reads a CSV of the ANS with two rows of headings', async () => {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('pt-BR') : cell)).join(';')
  const bytes = csvOf(TITLE, line(GROUPS), line(NAMES), ...ANS.map(line), SOURCE, 'Notas: 1. Vínculos.')
  await expectAns(bytes, 'ans.csv', 2, { decimal: ',' })
})

test('a draft reads a file of TABNET with two rows of headings, in quotes and without points', async () => {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell) => (typeof cell === 'string' ? `"${cell}"` : cell)).join(';')
  const bytes = csvOf(`"${TITLE}"`, line(GROUPS), line(NAMES), ...ANS.map(line), `"${SOURCE}"`)
  await expectAns(bytes, 'tabnet.csv', 2)
})

test('a draft reads a spreadsheet of the ANS with merged groups over the names', async () => {
  const cells = (row: readonly (string | number)[]): TestCell[] =>
    row.map((cell) => (cell === '' ? null : cell))
  const rows = [[TITLE], GROUPS, NAMES, ...ANS, [SOURCE]].map(cells)
  const merged = ['A1:G1', 'A2:A3', 'B2:D2', 'E2:G2']
  await expectAns(workbookOf({ sheets: [{ name: 'Tabela 1', rows, merged }] }), 'ans.xlsx', 2)
})
