import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CsvOptions } from '../../../definitions/definition.ts'
import { sentenceOf } from '../../loading/load-dataset.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv } from './read-csv.ts'

let dir = ''
let file = ''
let database: Database
let tables = 0

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'csv-'))
  file = join(dir, 'dados.csv')
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

type Read = { types: unknown; rows: unknown; notices: string[] }
const read = async (content: string | Uint8Array, options?: CsvOptions): Promise<Read> => {
  await writeFile(file, content)
  return load(options)
}
const load = async (options?: CsvOptions): Promise<Read> => {
  const table = `t${++tables}`
  const notices: string[] = []
  await copyCsv(database, file, table, options, {
    notice: (sentence) => notices.push(sentence),
    quotesData: true,
  })
  const described = await database.query(`DESCRIBE ${table}`)
  const list = described.map(([name]) => `CAST("${String(name).replaceAll('"', '""')}" AS VARCHAR)`)
  return {
    types: Object.fromEntries(described.map(([name, type]) => [name, type])),
    rows: await database.query(`SELECT ${list.join(', ')} FROM ${table}`),
    notices,
  }
}
const refused = async (content: string | Uint8Array, options?: CsvOptions) =>
  read(content, options).then(
    () => 'accepted',
    (error) => sentenceOf(error, true),
  )
const latin = (text: string) => Buffer.from(text, 'latin1')

describe('copyCsv with files of Brazilian programs', () => {
  test('copyCsv with files of Brazilian programs reads semicolons, decimal commas, thousands points, day-first dates and leading zeros', async () => {
    const text =
      'Código;Data;Hora;Valor;Qtd;Ativo;Nota\n00123;31/12/2024;05/01/2025 08:30;1.234,56;7;verdadeiro;"diz ""oi""; sim"\n00007;1/2/2025;05/01/2025 08:30:15;-0,5;12;falso;\n'
    expect(await read(text)).toEqual({
      types: {
        Código: 'VARCHAR',
        Data: 'DATE',
        Hora: 'TIMESTAMP',
        Valor: 'DOUBLE',
        Qtd: 'BIGINT',
        Ativo: 'BOOLEAN',
        Nota: 'VARCHAR',
      },
      rows: [
        ['00123', '2024-12-31', '2025-01-05 08:30:00', '1234.56', '7', 'true', 'diz "oi"; sim'],
        ['00007', '2025-02-01', '2025-01-05 08:30:15', '-0.5', '12', 'false', null],
      ],
      notices: [],
    })
  })

  test('copyCsv with files of Brazilian programs reads money and percentages as numbers', async () => {
    const text = 'a;b;c;d\nR$ 1.200,00;8%;R$\u00A00,50;10\n-R$ 3,5;12,5 %;R$ -2;x\n900;-1%;;10%\n'
    expect(await read(text)).toEqual({
      types: { a: 'DOUBLE', b: 'DOUBLE', c: 'DOUBLE', d: 'VARCHAR' },
      rows: [
        ['1200.0', '0.08', '0.5', '10'],
        ['-3.5', '0.125', '-2.0', 'x'],
        ['900.0', '-0.01', null, '10%'],
      ],
      notices: [],
    })
    expect((await read('a,b\n"R$ 1,200.50",8.5%\n')).rows).toEqual([['1200.5', '0.085']])
    // 0.14 / 100 is 0.0014000000000000002, and 0.55 / 100 is 0.0055000000000000005.
    expect((await read('a\n0,14%\n-0,55%\n')).rows).toEqual([['0.0014'], ['-0.0055']])
  })

  test.each<[string, string | Uint8Array]>([
    ['UTF-8', 'nome;valor\nSão João;1,5\nAvó;2\n'],
    ['UTF-8 with a byte order mark', '\uFEFFnome;valor\nSão João;1,5\nAvó;2\n'],
    ['Windows-1252', latin('nome;valor\nSão João;1,5\nAvó;2\n')],
    ['Windows line endings', 'nome;valor\r\nSão João;1,5\r\nAvó;2\r\n'],
    ['UTF-16', Buffer.from('\uFEFFnome;valor\nSão João;1,5\nAvó;2\n', 'utf16le')],
    ['a line with the separator', 'sep=;\r\nnome;valor\r\nSão João;1,5\r\nAvó;2\r\n'],
    ['mixed line endings', 'nome;valor\r\nSão João;1,5\nAvó;2'],
    ['carriage returns as line endings', latin('nome;valor\rSão João;1,5\rAvó;2')],
    ['empty lines, and trailing rows of delimiters', 'nome;valor\n\nSão João;1,5\nAvó;2\n;\n;\n\n'],
  ])('copyCsv with files of Brazilian programs reads %s', async (_name, content) => {
    expect(await read(content)).toMatchObject({
      types: { nome: 'VARCHAR', valor: 'DOUBLE' },
      rows: [
        ['São João', '1.5'],
        ['Avó', '2.0'],
      ],
    })
  })

  test('copyCsv with files of Brazilian programs reads characters that Windows-1252 has and Latin-1 lacks', async () => {
    const euro = Buffer.concat([Buffer.from('a;b\n'), Buffer.from([0x80, 0x93]), Buffer.from(';1\n')])
    expect((await read(euro)).rows).toEqual([['€“', '1']])
  })

  test('copyCsv with files of Brazilian programs reads commas with decimal points and ISO dates', async () => {
    const { types, rows } = await read('dia,valor,"nome"\n2024-01-05,1.234,"a, b"\n2024-01-06,2e+3,c\n')
    expect(types).toEqual({ dia: 'DATE', valor: 'DOUBLE', nome: 'VARCHAR' })
    expect(rows).toEqual([
      ['2024-01-05', '1.234', 'a, b'],
      ['2024-01-06', '2000.0', 'c'],
    ])
  })

  test('copyCsv with files of Brazilian programs reads a point next to ; as a thousands separator unless a value or the definition contradicts', async () => {
    expect((await read('v\tx\n1.234\t1\n')).rows).toEqual([['1234.0', '1']])
    expect((await read('v;x\n1.234;1\n10.5;1\n')).rows).toEqual([
      ['1.234', '1'],
      ['10.5', '1'],
    ])
    expect((await read('v;x\n1.234;1\n', { decimal: '.' })).rows).toEqual([['1.234', '1']])
  })

  test('copyCsv with files of Brazilian programs uses the delimiter and types of the definition', async () => {
    const types = { codigo: 'text', mes: 'date' } as const
    const text = 'codigo|mes\n1|2024-01-05\n2|\n'
    expect((await read(text, { delimiter: '|', types })).types).toEqual({ codigo: 'VARCHAR', mes: 'DATE' })
    expect(await refused('codigo;mes\n1;05/01/2024\n2;32/01/2024\n', { types })).toBe(
      'linha 3: coluna mes: "32/01/2024" não é uma data',
    )
    expect(await refused(text, { types: { nada: 'text' } })).toBe(
      'csv.types: a coluna nada não existe no arquivo',
    )
  })

  test('copyCsv with files of Brazilian programs reads a published folder as before: what only drafts convert stays as it is written', async () => {
    const text =
      'a;b;c;d;"e\nf"\n(1,50);-;Sim;Centro ;1.234\n2,00;10;Não;Norte;2.345\n3,00;20;Sim;Sul;3.456\n'
    expect(await read(text)).toEqual({
      types: { a: 'VARCHAR', b: 'VARCHAR', c: 'VARCHAR', d: 'VARCHAR', ef: 'DOUBLE' },
      rows: [
        ['(1,50)', '-', 'Sim', 'Centro ', '1234.0'],
        ['2,00', '10', 'Não', 'Norte', '2345.0'],
        ['3,00', '20', 'Sim', 'Sul', '3456.0'],
      ],
      notices: [expect.stringContaining('a coluna ef aceita as duas marcas decimais')],
    })
  })

  test.each([
    ['a point that nothing shows', 'v,x\n3.250,1\n12.500,2\n', {}, '"3.250" é 3,25, e não 3.250'],
    ['a comma that nothing shows', 'v;x\n3.250;1\n12.500;2\n', {}, '"3.250" é 3.250, e não 3,25'],
    ['another mark in the file', 'v,x\n3.250,"1,5"\n12.500,"2,75"\n', {}, '"3.250" é 3,25, e não 3.250'],
    ['reais with a point', 'v,x\nR$ 3.250,1\nR$ 12.500,2\n', {}, '"R$ 3.250" é 3,25, e não 3.250'],
    ['codes that show a point', 'v,Código\n3.250,1.1\n12.500,1.2\n', {}, '"3.250" é 3,25, e não 3.250'],
    ['a declared number', 'v,x\n3.250,1\n', { types: { v: 'number' } }, '"3.250" é 3,25, e não 3.250'],
  ] as const)('copyCsv says how it reads what both marks fit: %s', async (_case, text, options, meaning) => {
    const { notices } = await read(text, options)
    const mark = meaning.startsWith('"3.250" é 3.250') ? 'a vírgula' : 'o ponto'
    expect(notices).toEqual([
      `a coluna v aceita as duas marcas decimais, e foi lida com ${mark}: na linha 2, ${meaning}. Escreva a marca certa em csv.decimal: "," ou "."`,
    ])
  })

  test.each([
    ['another column shows the mark', 'v;x\n3.250;1,5\n12.500;2,75\n', {}],
    ['the definition says the mark', 'v,x\n3.250,1\n', { decimal: '.' }],
    ['the amounts are reais', 'v;x\nR$ 3.250;1\n', {}],
    ['both marks give the same', 'v;x\nR$ 5;1\n', {}],
    ['the numbers fit one mark only', 'v;x\n3.250.000;1\n3.250;2\n', {}],
  ] as const)('copyCsv says nothing of a folder where %s', async (_case, text, options) => {
    expect((await read(text, options)).notices).toEqual([])
  })

  test('copyCsv with files of Brazilian programs names the codes of a folder that become one number, and keeps them numbers', async () => {
    const text = 'conta,valor\n1.1,10\n1.2,20\n1.10,30\n'
    const { types, notices } = await read(text)
    expect(types).toEqual({ conta: 'DOUBLE', valor: 'BIGINT' })
    expect(notices).toEqual([
      'a coluna conta tem textos diferentes que são o mesmo número: "1.1" e "1.10". Se são códigos, escreva "text" em csv.types',
    ])
    expect((await read(text, { types: { conta: 'number' } })).notices).toEqual([])
    expect((await read('valor,x\n1.1,10\n1.10,20\n')).notices).toEqual([])
  })

  test('copyCsv with files of Brazilian programs reads other notations in columns whose type the definition says, and counts them', async () => {
    const types = { a: 'number', b: 'integer', c: 'boolean', d: 'date' } as const
    const text = 'a;b;c;d\n(1,50);-;Sim;05/03/2026\n1.234,5-;10;Não;N/D\nR$ -;20;Sim;\n'
    expect(await read(text, { types })).toEqual({
      types: { a: 'DOUBLE', b: 'BIGINT', c: 'BOOLEAN', d: 'DATE' },
      rows: [
        ['-1.5', null, 'true', '2026-03-05'],
        ['-1234.5', '10', 'false', null],
        ['0.0', '20', 'true', null],
      ],
      notices: [
        'coluna a: 1 valor com um traço ("R$ -") é zero, na linha 4',
        'coluna a: 2 valores entre parênteses ou com o sinal no fim ("(1,50)") são negativos, o primeiro na linha 2',
        'coluna b: 1 valor sem dado ("-") ficou vazio, na linha 2',
        'coluna d: 1 valor sem dado ("N/D") ficou vazio, na linha 3',
      ],
    })
    expect(await refused('a\n1,5\nx\n', { types: { a: 'number' } })).toBe(
      'linha 3: coluna a: "x" não é um número',
    )
  })

  test('copyCsv with files of Brazilian programs keeps keys and codes as text, but integers that a BIGINT holds, and chosen numbers', async () => {
    const text = `a;b;c;d\n${'1'.repeat(44)};900719925474099301;12E3;1.5e3\n${'2'.repeat(44)};900719925474099303;13E4;2e-3\n`
    expect((await read(text)).types).toEqual({ a: 'VARCHAR', b: 'BIGINT', c: 'VARCHAR', d: 'DOUBLE' })
    expect((await read(text, { types: { a: 'number' } })).types).toMatchObject({ a: 'DOUBLE' })
    const one = `v;x\n${'1234567890123456,5;1\n'}${'1,5;1\n'.repeat(20)}`
    expect((await read(one)).notices).toEqual([
      'a coluna v fica como texto: na linha 2, "1234567890123456,5" tem mais de 15 algarismos, e um número perderia os últimos',
    ])
  })

  test('copyCsv with files of Brazilian programs names the numbers that a spreadsheet shortened', async () => {
    const { types, notices } = await read(
      'CNPJ;Código;v\n1,23457E+13;1E5;1\n12345678000195;2E3;2\n1,91E+13;3;3\n',
    )
    expect(types).toMatchObject({ CNPJ: 'VARCHAR', Código: 'VARCHAR' })
    expect(notices).toContain(
      'coluna CNPJ: 2 valores perderam algarismos ("1,23457E+13") ao serem gravados pela planilha, o primeiro na linha 2. Na planilha, formate a coluna como número, sem casas decimais, e salve o CSV de novo',
    )
    expect(notices.filter((notice) => notice.includes('Código'))).toEqual([])
  })

  test('copyCsv with files of Brazilian programs names a row of totals, also of a published folder', async () => {
    const { rows, notices } = await read('a;b\nCentro;1,5\nSul;2,5\nTotal:;4\n')
    expect(rows).toHaveLength(3)
    expect(notices).toEqual(['a linha 4 parece um total: as somas a contam de novo'])
    expect((await read('a;b\nTotal;1\nParcial;2\n')).notices).toEqual([])
  })

  test('copyCsv with files of Brazilian programs says of dates with the month first why they stay text', async () => {
    const { types, notices } = await read('a;b\n03/05/2026;1\n03/25/2026;2\n12/31/2025;3\n')
    expect(types).toEqual({ a: 'VARCHAR', b: 'BIGINT' })
    expect(notices).toEqual([
      'a coluna a fica como texto: na linha 3, "03/25/2026" tem o mês antes do dia. Escreva as datas como 25/03/2026 ou 2026-03-25',
    ])
  })

  test('copyCsv with files of Brazilian programs says of a file without rows that columns stay text', async () => {
    expect((await read('v;x\n')).notices).toEqual([
      'só tem o cabeçalho, nenhuma linha: as colunas sem um tipo escolhido ficam como texto, e as somas do relatório são recusadas',
    ])
  })

  test('copyCsv with files of Brazilian programs reads a nearly numeric column as text, with a notice that says why', async () => {
    const rows = Array.from({ length: 30 }, (_, row) => (row === 17 ? '"n/d\nno mês"' : `${row},5`))
    const { notices, types } = await read(`v;x\n${rows.map((one) => `${one};1`).join('\n')}`)
    expect(types).toEqual({ v: 'VARCHAR', x: 'BIGINT' })
    expect(notices).toEqual(['a coluna v fica como texto: na linha 19, "n/d\nno mês" não é um número'])
  })

  test('copyCsv with files of Brazilian programs detects a type that differs after the sample', async () => {
    const many = Array.from({ length: 20_500 }, (_, row) => `${row};${row === 20_400 ? '1,5' : row}`)
    expect((await read(`a;b\n${many.join('\n')}`)).types).toEqual({ a: 'BIGINT', b: 'DOUBLE' })
  })

  test('copyCsv with files of Brazilian programs takes the type of a column from the first rows with values, wherever they are', async () => {
    const many = Array.from({ length: 20_500 }, (_, row) => `${row};${row > 20_400 ? '1,5' : ''};`)
    expect((await read(`a;b;c\n${many.join('\n')}`)).types).toEqual({
      a: 'BIGINT',
      b: 'DOUBLE',
      c: 'VARCHAR',
    })
  })

  test('copyCsv with files of Brazilian programs names the line of a file that has a column called record', async () => {
    const rows = Array.from({ length: 10 }, (_, row) => (row === 4 ? 'x;1' : `${row};1`))
    expect((await read(`record;b\n${rows.join('\n')}\n`)).notices).toEqual([
      'a coluna record fica como texto: na linha 6, "x" não é um número inteiro',
    ])
  })

  test('copyCsv with files of Brazilian programs reads the commas of a single column as decimal marks', async () => {
    expect(await read('a\n1,5\n2,5\n')).toMatchObject({ types: { a: 'DOUBLE' }, rows: [['1.5'], ['2.5']] })
  })

  test('copyCsv with files of Brazilian programs reads a heading without rows', async () => {
    expect((await read('a;b\n')).rows).toEqual([])
  })
})

describe('copyCsv', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'está vazio: falta ao menos a linha de cabeçalho'],
    ['a byte order mark alone', '\uFEFF', 'está vazio: falta ao menos a linha de cabeçalho'],
    ['empty lines', '\n\n\n', 'está vazio: falta ao menos a linha de cabeçalho'],
    ['a NUL', 'a;b\n1;2\n3;\0\n', 'linha 3: tem um byte nulo; não é um texto CSV'],
    [
      'two encodings',
      Buffer.concat([Buffer.from('a;b\nSão;1\n'), latin('João;2\n')]),
      'mistura codificações: a linha 2 está em UTF-8, e a linha 3 não',
    ],
    [
      'bytes of no encoding',
      Buffer.concat([Buffer.from('a;b\nx;1\n'), Buffer.from([0x81, 0x3b, 0x32])]),
      'linha 3: tem um byte que não existe em Windows-1252',
    ],
    ['a row too short', 'a;b;c\n1;2;3\n\n4;5\n', 'linha 4: 2 campos, e o cabeçalho tem 3'],
    ['a row too long', 'a;b\n"1\n1";2\n4;5;6\n', 'linha 4: 3 campos, e o cabeçalho tem 2'],
    ['unclosed quotes', 'a;b\n1;"2\n3;4\n', 'linha 2: aspas abertas que não se fecham'],
    [
      'text after quotes',
      'a;b\n1;"2"x\n',
      'linha 2: texto depois de aspas fechadas (dentro de aspas, escreva "")',
    ],
    [
      'a duplicate column name',
      'a;b;A\n1;2;3\n',
      'linha 1: a coluna 3 repete o nome A, da coluna 1 (maiúsculas não distinguem)',
    ],
    ['an empty column name', 'a;;c\n1;2;3\n', 'linha 1: a coluna 2 não tem nome'],
    [
      '10,000 columns',
      `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(';')}\n`,
      'tem 10.000 colunas; o limite é 500. Deixe no arquivo só as que o relatório usa; se há uma por mês ou por ano, ponha o período em uma coluna e uma linha para cada um',
    ],
    [
      'a binary program',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 0, 0]),
      'linha 1: tem um byte nulo; não é um texto CSV',
    ],
  ])('copyCsv refuses %s with a sentence that names the place', async (_name, content, sentence) => {
    expect(await refused(content)).toBe(sentence)
  })

  test('copyCsv names no heading to others than its author: it may be a row of values', async () => {
    await writeFile(file, 'Ana;111;Ana\nBia;222;3\n')
    const copied = copyCsv(database, file, 't', {}, { quotesData: false })
    await expect(copied).rejects.toThrow(
      'linha 1: a coluna 3 repete o nome da coluna 1 (maiúsculas não distinguem)',
    )
  })

  test('copyCsv refuses more rows than the memory holds', async () => {
    const small = await openDatabase({ memoryMegabytes: 64, timeoutMs: 10_000 })
    onTestFinished(() => small.close())
    const rows = function* () {
      yield 'a;b\n'
      // All values differ, so that DuckDB cannot deduplicate them.
      for (let row = 0; row < 10_000; row++) yield `${randomBytes(7500).toString('base64')};1\n`
    }
    await pipeline(Readable.from(rows()), createWriteStream(file))
    const refusal = copyCsv(small, file, 't', {}, { quotesData: true }).then(
      () => 'accepted',
      (error) => sentenceOf(error, true),
    )
    expect(await refusal).toBe('não cabe na memória que há (REPORTS_MEMORY_MB)')
    expect(await small.query('SELECT 1')).toEqual([[1]])
  })

  test('copyCsv refuses a file that is not in the declared encoding UTF-8', async () => {
    expect(await refused(latin('a;b\nSão;1\n'), { encoding: 'utf-8' })).toBe('linha 2: não está em UTF-8')
  })

  test.each([
    [
      'a field of a gigabyte',
      'a;b\n1;"',
      'linha 2: aspas abertas que não se fecham (ou um campo com mais de 1 MB)',
    ],
    ['a line without end', 'a;b\n1;', 'linha 2: tem mais de 1 MB; não parece um CSV'],
  ])('copyCsv refuses %s without reading the whole file', async (_name, head, sentence) => {
    let written = 0
    const endless = function* () {
      yield head
      // 300 MB in total: the reader must stop after the first megabyte.
      for (; written < 300; written++) yield 'x'.repeat(1_000_000)
    }
    await pipeline(Readable.from(endless()), createWriteStream(file))
    const before = process.threadCpuUsage()
    const memory = process.memoryUsage().rss
    expect(await load().catch((error) => sentenceOf(error, true))).toBe(sentence)
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
    expect(process.memoryUsage().rss - memory).toBeLessThan(100_000_000)
  })
})

test('copyCsv treats column names that look like SQL as names', async () => {
  const { types, rows } = await read(`a"");DROP TABLE x;--;b'c\n1;2;3;4\n`.replace('a"")', 'a)'))
  expect(Object.keys(types as object)).toEqual(['a)', 'DROP TABLE x', '--', "b'c"])
  expect(rows).toEqual([['1', '2', '3', '4']])
})
