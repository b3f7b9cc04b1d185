import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCsv, type DraftOptions } from '../../../engine/data/csv/read-csv.ts'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'
import { sentenceOf } from '../../../engine/loading/load-dataset.ts'

let folder = ''
let database: Database
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'layouts-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const read = async (text: string | Buffer, choices: Partial<DraftOptions> = {}) => {
  const file = join(folder, 'dados.csv')
  await writeFile(file, text)
  const table = `t${++count}`
  const notices: string[] = []
  const draft = { typesOf: () => ({}), ...choices }
  const notice = (sentence: string) => void notices.push(sentence)
  const { columns } = await copyCsv(database, file, table, {}, { notice, quotesData: true, draft })
  const list = columns.map(({ name }) => `"${name}"::VARCHAR`).join(', ')
  return {
    columns: columns.map(({ name }) => name),
    rows: await database.query(`SELECT ${list} FROM ${table}`),
    notices,
  }
}
const chosen = (first: number, count: 0 | 1 | 2 = 1): Partial<DraftOptions> => ({
  search: { heading: { first, count } },
})
const CODES: Partial<DraftOptions> = { typesOf: () => ({ Código: 'integer' }) }
const refused = (text: string | Buffer, choices?: Partial<DraftOptions>) =>
  read(text, choices).then(
    () => 'accepted',
    (error) => sentenceOf(error, true),
  )

describe('the delimiter of a draft', () => {
  const lines = (count: number, line: string) => Array.from({ length: count }, () => `${line}\n`).join('')

  // Up to the five-hundredth line, both delimiters split alike, and the first one would win.
  test('the delimiter of a draft is decided by lines far below the heading', async () => {
    const text = `Item;nota,Valor\n${lines(500, 'a;b,1')}${lines(20, 'c,2')}`
    const { columns, rows } = await read(text)
    expect([columns, rows.length, rows.at(-1)]).toEqual([['Item;nota', 'Valor'], 520, ['c', '2']])
  })

  test('the delimiter of a draft is decided by the first thousand lines, and a later one is named', async () => {
    const text = (more: string) => `Item;nota,Valor\n${lines(more ? 900 : 999, 'a;b,1')}${more}c,2\n`
    expect((await read(text('d,3\n'))).columns).toEqual(['Item;nota', 'Valor'])
    expect(await refused(text(''))).toBe('linha 1001: 1 campo, e o cabeçalho tem 2')
  })
})

describe('the heading of a draft', () => {
  test('the heading of a draft is found below titles that a spreadsheet pads with delimiters', async () => {
    const text = 'Internações;;\nPeríodo: 2026;;\n\nUnidade;Mês;Valor\nCentro;jan;10\nSul;fev;20\n'
    expect(await read(text)).toMatchObject({
      columns: ['Unidade', 'Mês', 'Valor'],
      rows: [
        ['Centro', 'jan', '10'],
        ['Sul', 'fev', '20'],
      ],
      notices: ['o cabeçalho é a linha 4; as linhas 1 a 3 ficam de fora'],
    })
  })

  test('the heading of a draft may repeat a name, unless the replaced table has it once', async () => {
    const text = 'Custos;;\nNome;Valor;Valor\nA;1;2\nB;3;4\n'
    const expecting = (...expected: string[][]) => ({ search: { expected } })
    const all = expecting(['nome'], ['valor'], ['valor_2', 'valor 2'])
    expect((await read(text, all)).columns).toEqual(['Nome', 'Valor', 'Valor 2'])
    expect(await refused(text, expecting(['nome'], ['valor']))).toBe(
      'linha 2: a coluna 3 repete o nome Valor, da coluna 2 (maiúsculas não distinguem)',
    )
  })

  test('the heading of a draft is not the first row of values below a heading of one name', async () => {
    expect(await refused('Unidade\nCentro;10,5\nSul;20\n')).toBe('linha 2: 2 campos, e o cabeçalho tem 1')
  })

  test('the heading of a draft tells commas of values from delimiters', async () => {
    expect(await read('Valor\n1,5\n2,5\n')).toMatchObject({ columns: ['Valor'], rows: [['1.5'], ['2.5']] })
    expect(await refused('a,b\n1,2,3\n4,5,6\n')).toBe('linha 2: 3 campos, e o cabeçalho tem 2')
  })

  test('the heading of a draft is the chosen line, and a line that does not exist is named', async () => {
    const text = 'Ano;2026\nUnidade;Valor\nCentro;10\n'
    expect((await read(text)).columns).toEqual(['Ano', '2026'])
    expect(await read(text, chosen(2))).toMatchObject({
      columns: ['Unidade', 'Valor'],
      rows: [['Centro', '10']],
    })
    expect(await refused(text, chosen(9))).toBe('não tem a linha 9, a do cabeçalho')
  })

  test('the heading of a draft gets a name where one is missing above values, and no column where both are missing', async () => {
    expect(await read('a;;c;\n1;x;2;\n3;y;4;\n')).toEqual({
      columns: ['a', 'Coluna 2', 'c'],
      rows: [
        ['1', 'x', '2'],
        ['3', 'y', '4'],
      ],
      notices: ['uma coluna com valores não tem nome no cabeçalho: aqui ela é Coluna 2'],
    })
  })

  test('the heading of a draft may have no delimiter at its end although each row has one', async () => {
    expect(await read('a;b\n1;2;\n3;4;\n')).toMatchObject({
      columns: ['a', 'b'],
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
    })
    expect(await refused('a;b\n1;2;\n3;4;5\n')).toBe('linha 3: 3 campos, e o cabeçalho tem 2')
    expect(await refused('a;b\n1;2;\n3;4\n')).toBe('linha 3: 2 campos, e o cabeçalho tem 2')
  })
})

describe('a heading with groups', () => {
  const grouped = ';2025;;2026;\nUnidade;Jan;Fev;Jan;Fev\nCentro;1,5;2;3;4\nSul;1;2;3;4\n'
  const names = ['Unidade', '2025 · Jan', '2025 · Fev', '2026 · Jan', '2026 · Fev']

  test.each([
    ['whose groups stand over their first names', grouped, 1],
    ['whose groups stand over each name', grouped.replace(';2025;;2026;', 'Unidade;2025;2025;2026;2026'), 1],
    ['below a title', `Produção;;;;\n${grouped}`, 2],
    ['below the delimiter and a title', `sep=;\nProdução\n${grouped}`, 3],
    ['with Windows line ends', grouped.replaceAll('\n', '\r\n'), 1],
  ])('a heading with groups has two rows when names repeat, %s', async (_name, text, line) => {
    const { columns, rows, notices } = await read(text)
    expect([columns, rows]).toEqual([
      names,
      [
        ['Centro', '1.5', '2', '3', '4'],
        ['Sul', '1.0', '2', '3', '4'],
      ],
    ])
    expect(notices).toEqual([
      `o cabeçalho são as linhas ${line} e ${line + 1}${['', '; a linha 1 fica de fora', '; as linhas 1 a 2 ficam de fora'][line - 1]}`,
    ])
  })

  test('a heading with groups is chosen where names do not repeat', async () => {
    const text = ';2025;2026\nUnidade;Jan;Fev\nCentro;1;2\n'
    expect((await read(text, chosen(1, 2))).columns).toEqual(['Unidade', '2025 · Jan', '2026 · Fev'])
    expect(await refused('a;b\n', chosen(1, 2))).toBe('está vazio: falta ao menos a linha de cabeçalho')
  })

  test('a heading with groups is not made of a heading and values that repeat', async () => {
    expect(await read('Unidade;;Valor;\nCentro;x;10;x\nSul;y;20;y\n')).toMatchObject({
      columns: ['Unidade', 'Coluna 2', 'Valor', 'Coluna 4'],
      rows: [
        ['Centro', 'x', '10', 'x'],
        ['Sul', 'y', '20', 'y'],
      ],
    })
  })
})

describe('a file that begins with its delimiter', () => {
  test.each([
    ['above a title', 'sep=;\nRelatório de vendas'],
    ['above a title with the delimiter in it', 'sep=;\nVendas; janeiro a março'],
    ['followed by spaces', 'sep=; \nVendas'],
    ['padded by a spreadsheet', 'sep=;;;\nVendas;;;'],
    ['above a title of two cells', 'sep=;\nVendas;2026;;'],
  ])('the file is read with its heading: %s', async (_name, above) => {
    expect(await read(`${above}\nUnidade;Mês;Valor;UF\nCentro;jan;10,5;PR\nSul;fev;20;SC\n`)).toMatchObject({
      columns: ['Unidade', 'Mês', 'Valor', 'UF'],
      rows: [
        ['Centro', 'jan', '10.5', 'PR'],
        ['Sul', 'fev', '20.0', 'SC'],
      ],
      notices: ['o cabeçalho é a linha 3; as linhas 1 a 2 ficam de fora'],
    })
  })
})

describe('a file without a heading', () => {
  const text = 'Centro;10,5;01/03/2026\nSul;20,5;02/03/2026\n'

  test('a file without a heading loses no row when that is chosen', async () => {
    expect(await read(text, chosen(1, 0))).toEqual({
      columns: ['Coluna 1', 'Coluna 2', 'Coluna 3'],
      rows: [
        ['Centro', '10.5', '2026-03-01'],
        ['Sul', '20.5', '2026-03-02'],
      ],
      notices: ['o arquivo foi lido sem cabeçalho: as colunas são Coluna 1, Coluna 2 e assim por diante'],
    })
    expect((await read(`Vendas\n\n${text}`, chosen(3, 0))).rows).toHaveLength(2)
    expect((await read('Centro;10;\nSul;20;\n', chosen(1, 0))).columns).toEqual(['Coluna 1', 'Coluna 2'])
    expect((await read('10\n20\n', chosen(1, 0))).rows).toEqual([['10'], ['20']])
  })

  test('a notice names the line of a value', async () => {
    const { notices } = await read(`${'1;01/03/2026\n'.repeat(8)}2;31/02/2026\n`, chosen(1, 0))
    expect(notices).toContain('a coluna Coluna 2 fica como texto: na linha 9, "31/02/2026" não é uma data')
  })

  const notice = (example: string) =>
    `o cabeçalho parece ser a primeira linha de dados: ${example}. Se o arquivo não tem cabeçalho, diga isso em Linha do cabeçalho; assim a linha conta`

  test.each([
    ['numbers and dates', text, 'a coluna "10,5" tem números'],
    ['dates', 'Centro;01/03/2026\nSul;02/03/2026\n', 'a coluna "01/03/2026" tem datas'],
    ['amounts in reais', 'R$ 10,50;a\nR$ 20,00;b\n', 'a coluna "R$ 10,50" tem números'],
    ['years above years', '2024;a\n2025;b\n2026;c\n', 'a coluna "2024" tem números'],
  ])('a file without a heading is noticed by its first row: %s', async (_name, rows, example) => {
    expect((await read(rows)).notices).toEqual([notice(example)])
  })

  test.each([
    ['years above amounts', 'Unidade;2025;2026\nCentro;10;20\nSul;30;40\n'],
    ['months above amounts', 'Unidade;01/2026;jan/2026;202602\nCentro;10;20;5\n'],
    ['a name among numbers', 'Valor;10\n1,5;2\n'],
    ['texts only', 'Centro;Norte\nSul;Leste\n'],
  ])('a heading is not taken for a row: %s', async (_name, rows) => {
    expect((await read(rows)).notices).toEqual([])
  })
})

describe('the lines below a table', () => {
  test.each([
    ['a source', 'Fonte: ANS\n', '4, abaixo da tabela, é uma nota e fica'],
    ['padded notes', 'Notas:;;\n1. Provisório;;\n', 's 4 a 5, abaixo da tabela, são notas e ficam'],
    ['a text after an empty line', '\nDados sujeitos a revisão.\n', '5, abaixo da tabela, é uma nota e fica'],
  ])('the lines below a table are left out when they are %s', async (_name, below, words) => {
    const { rows, notices } = await read(`a;b;c\n1;x;2\n3;y;4\n${below}`)
    expect(rows).toHaveLength(2)
    expect(notices).toEqual([
      `a${words.startsWith('s') ? '' : ' linha '}${words.replace(/^s /, 's linhas ')} de fora`,
    ])
  })

  test.each([
    ['a row that was cut short', 'a;b;c\n1;x;2\n3;y', 'linha 3: 2 campos, e o cabeçalho tem 3'],
    [
      'one field without an empty line before',
      'a;b;c\n1;x;2\nCent\n',
      'linha 3: 1 campo, e o cabeçalho tem 3',
    ],
    ['a source with rows below it', 'a;b\n1;2\nFonte: x\n3;4\n', 'linha 3: 1 campo, e o cabeçalho tem 2'],
  ])('the lines below a table are a fault when they may be rows: %s', async (_name, text, fault) => {
    expect(await refused(text)).toBe(fault)
  })

  test('the lines below a table keep a last row of which only the first value is filled', async () => {
    expect((await read('a;b;c\n1;x;2\nNotas fiscais;;\n')).rows).toHaveLength(2)
  })
})

test('a draft trims texts as a spreadsheet does, and keeps lines of the file in sentences', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => `"U${n}\nsegunda linha"; x \u00A0;${n}`)
  const { rows: values, notices } = await read(`Título\n\na;b;c\n${rows.join('\n')}\ny;z;#DIV/0!\n`)
  expect(values[0]).toEqual(['U0\nsegunda linha', 'x', '0'])
  expect(notices.at(-1)).toBe('coluna c: 1 valor sem dado ("#DIV/0!") ficou vazio, na linha 44')
})

test('a draft in UTF-16 with the bytes in either order is read', async () => {
  const little = Buffer.from('\uFEFFa\tb\r\nMaringá\t1,5\r\n', 'utf16le')
  const big = Buffer.from(little).swap16()
  for (const bytes of [little, big]) expect((await read(bytes)).rows).toEqual([['Maringá', '1.5']])
})

test('the reading of a draft leaves rows of totals out before the types are compared, and names lines of the file', async () => {
  const text = 'Código;Valor\n10;1,5\n\n20;2,5\n30;-\nTotal;4\n40;x\nTotal geral;8\n'
  expect(await refused(text, CODES)).toBe('linha 6: coluna Código: "Total" não é um número inteiro')
  const types: Partial<DraftOptions> = {
    typesOf: () => ({ Código: 'integer', Valor: 'number' }),
    withoutTotals: true,
  }
  expect(await refused(text, types)).toBe('linha 7: coluna Valor: "x" não é um número')
  const { rows, notices } = await read(text.replace('x', '9'), types)
  expect(rows).toEqual([
    ['10', '1.5'],
    ['20', '2.5'],
    ['30', null],
    ['40', '9.0'],
  ])
  expect(notices).toEqual([
    'coluna Valor: 1 valor sem dado ("-") ficou vazio, na linha 5',
    '2 linhas parecem totais, a partir da linha 6, e ficam de fora',
  ])
  // Without the totals, the codes are whole numbers.
  expect((await read('Código;Valor\n10;1\n20;2\nTotal;3\n', { withoutTotals: true })).rows).toEqual([
    ['10', '1'],
    ['20', '2'],
  ])
})

test('the reading of a draft takes the type of a column from rows below many marks of missing values', async () => {
  const many = Array.from({ length: 20_500 }, (_, row) => `${row};${row > 20_400 ? '1,5' : '-'}`)
  expect((await read(`a;b\n${many.join('\n')}`)).rows.at(-1)).toEqual(['20499', '1.5'])
})
