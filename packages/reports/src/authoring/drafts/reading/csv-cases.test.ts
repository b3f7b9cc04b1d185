import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useDrafts } from '../../../../test/draft-calls.ts'

/*
 * Files after public reports of other projects, with the right answer to each. They are not part of
 * the repository: without them, these tests are skipped.
 */
const folder = join(process.env.SHARED_FOLDER ?? '', 'cases/data')
const isThere = existsSync(folder)
if (!isThere) console.warn(`The outside cases are skipped: ${folder} does not exist.`)

type Read = {
  faults: string[]
  remarks: string[]
  rows: number
  columns: { label: string; type: string; shownAs?: string; fitsBothMarks: boolean }[]
  preview: (string | null)[][]
  decimal: string | null
  isInDoubt: boolean
  totals: number
  choice: { heading: { first: number; count: number }; rows: { row: number; text: string }[] }
}
const drafts = useDrafts()

/** Sends a file as the page does, and reads it. */
const read = async (name: string, choices: object = {}): Promise<Read> => {
  const id = await drafts.draft(await readFile(join(folder, name)), name)
  const answer = await drafts.call(`${id}/read`, { reportName: 'x', ...choices })
  await drafts.call(`${id}/discard`, {})
  return answer
}
const typesOf = ({ columns }: Read) => Object.fromEntries(columns.map(({ label, type }) => [label, type]))
const valuesOf = ({ columns, preview }: Read, wanted: string) => {
  const index = columns.findIndex(({ label }) => label === wanted)
  return preview.map((row) => row[index])
}
const numbersOf = (answer: Read, wanted: string) =>
  valuesOf(answer, wanted).map((value) => (value === null ? null : Number(value)))

describe.skipIf(!isThere)('POST /drafts/:id/read with outside files', () => {
  test('POST /drafts/:id/read with outside files reads the decimal mark that another column shows (01)', async () => {
    const answer = await read('01-ponto-decimal-em-outra-coluna.csv')
    expect(answer).toMatchObject({ decimal: '.', isInDoubt: false })
    expect(numbersOf(answer, 'Peso').slice(0, 3)).toEqual([3.25, 2.98, 3.415])
    const comma = await read('01-ponto-decimal-em-outra-coluna.csv', { decimal: ',' })
    expect(numbersOf(comma, 'Peso').slice(0, 3)).toEqual([3250, 2980, 3415])
    expect(numbersOf(comma, 'Custo')[0]).toBe(1234.56)
  })

  test('POST /drafts/:id/read with outside files reads the accounting format, whose dash is zero (03)', async () => {
    const answer = await read('03-contabil.csv')
    expect(answer.columns[1]).toMatchObject({ type: 'number', shownAs: 'money' })
    expect(numbersOf(answer, 'Despesa')).toEqual([1234.56, 0, -12, 800, 45.1, 7])
    expect(answer.remarks).toEqual([
      expect.stringMatching(/coluna Despesa: 1 valor com um traço \("R\$ -"\) é zero, na linha 3$/),
    ])
  })

  test.each([
    ['04-parenteses.csv', '2 valores entre parênteses ou com o sinal no fim ("(1.234,56)") são negativos'],
    ['05-menos-no-fim.csv', '2 valores entre parênteses ou com o sinal no fim ("1.234,56-") são negativos'],
  ])(
    'POST /drafts/:id/read with outside files reads negative numbers of accountants (%s)',
    async (name, remark) => {
      const answer = await read(name)
      expect(numbersOf(answer, 'Saldo')).toEqual([-1234.56, 980.1, -30, 12])
      expect(answer.remarks).toEqual([`${name}: coluna Saldo: ${remark}, o primeiro na linha 2`])
    },
  )

  test('POST /drafts/:id/read with outside files keeps as text what no number holds exactly (07, 08)', async () => {
    const keys = await read('07-chave-nfe.csv')
    expect(typesOf(keys)).toEqual({ Nota: 'integer', 'Chave de acesso': 'text', Valor: 'number' })
    expect(new Set(valuesOf(keys, 'Chave de acesso')).size).toBe(4)
    const members = await read('08-carteira-18.csv')
    expect(typesOf(members)).toMatchObject({ Carteira: 'text' })
    expect(valuesOf(members, 'Carteira')[0]).toBe('900719925474099301')
  })

  test('POST /drafts/:id/read with outside files reads UTF-16 with tabs (12), Windows-1252 (13), a byte order mark (14), tabs (69)', async () => {
    const unicode = await read('12-texto-unicode.txt')
    expect(valuesOf(unicode, 'Unidade')[0]).toBe('Maringá')
    expect(numbersOf(unicode, 'Valor')[0]).toBe(1.5)
    const windows = await read('13-windows-1252.csv')
    expect(windows.preview).toEqual([
      ['Maringá', 'consulta – retorno', '1234.5'],
      ['São José', 'sessão', '80.0'],
    ])
    const marked = await read('14-com-bom.csv')
    expect(typesOf(marked)).toEqual({ Data: 'date', Valor: 'number' })
    expect(typesOf(await read('69-tabulado.tsv'))).toEqual({ A: 'integer', B: 'integer' })
  })

  test('POST /drafts/:id/read with outside files leaves out the empty column that delimiters at the end of lines make (15)', async () => {
    const answer = await read('15-separador-no-fim.csv')
    expect(typesOf(answer)).toEqual({ Data: 'date', Estação: 'text', Chuva: 'number' })
    expect(answer).toMatchObject({ rows: 2, remarks: [] })
  })

  test('POST /drafts/:id/read with outside files reads a table between titles and notes, and names the lines that it leaves out (17)', async () => {
    const answer = await read('17-tabnet.csv')
    expect(answer).toMatchObject({ rows: 3, totals: 1, choice: { heading: { first: 4, count: 1 } } })
    expect(typesOf(answer)).toEqual({
      Região: 'text',
      '2026/Jan': 'integer',
      '2026/Fev': 'integer',
      '2026/Mar': 'integer',
      Total: 'integer',
    })
    expect(numbersOf(answer, '2026/Mar')).toEqual([null, 70, 70])
    expect(answer.remarks).toEqual([
      '17-tabnet.csv: o cabeçalho é a linha 4; as linhas 1 a 3 ficam de fora',
      expect.stringMatching(/as linhas 9 a 11, abaixo da tabela, são notas e ficam de fora/),
      expect.stringMatching(/coluna 2026\/Mar: 1 valor sem dado \("-"\) ficou vazio, na linha 5$/),
      expect.stringMatching(/a linha 7 parece um total/),
    ])
    const without = await read('17-tabnet.csv', { withoutTotals: true })
    expect(without).toMatchObject({ rows: 2, totals: 1 })
    const other = await read('17-tabnet.csv', { heading: { first: 2, count: 1 } })
    expect(other.faults[0]).toMatch(/^17-tabnet.csv: linha 4: 5 campos, e o cabeçalho tem 1$/)
    expect(other.choice).toMatchObject({ heading: { first: 2, count: 1 } })
    expect(other.choice.rows[3]).toEqual({ row: 4, text: 'Região · 2026/Jan · 2026/Fev · 2026/Mar · Total' })
  })

  test('POST /drafts/:id/read with outside files reads marks of missing values as empty, and counts them (18)', async () => {
    const answer = await read('18-traco-sem-dado.csv')
    expect(numbersOf(answer, '2024').slice(2, 5)).toEqual([3200, null, 5200])
    expect(numbersOf(answer, '2025').slice(4, 7)).toEqual([4.5, null, 6.5])
    expect(answer.remarks).toEqual([
      expect.stringMatching(/coluna 2024: 1 valor sem dado \("-"\) ficou vazio, na linha 5$/),
      expect.stringMatching(/coluna 2025: 1 valor sem dado \("\.\.\."\) ficou vazio, na linha 7$/),
    ])
  })

  test('POST /drafts/:id/read with outside files names a row of totals, and leaves it out on demand (19)', async () => {
    const answer = await read('19-linha-de-total.csv')
    expect(answer).toMatchObject({ rows: 4, totals: 1 })
    expect(answer.remarks).toEqual([
      '19-linha-de-total.csv: a linha 5 parece um total: as somas a contam de novo',
    ])
    const without = await read('19-linha-de-total.csv', { withoutTotals: true })
    expect(without).toMatchObject({ rows: 3, totals: 1 })
    expect(numbersOf(without, 'Valor')).toEqual([100, 50, 25])
  })

  test('the delimiter is decided by the rows too (20)', async () => {
    const answer = await read('20-virgula-no-cabecalho.csv')
    expect(typesOf(answer)).toEqual({ 'Receita (bruta, líquida, ajustada)': 'number', Ano: 'integer' })
    expect(answer.preview).toEqual([
      ['1200.5', '2025'],
      ['1300.0', '2026'],
    ])
  })

  test('POST /drafts/:id/read with outside files keeps quotes and line breaks of values (21, 22, 28), and makes a space of one in a heading (23)', async () => {
    expect((await read('21-aspas-e-quebras.csv')).preview[0]).toEqual([
      'Cama;"luxo"',
      expect.stringMatching(/^linha 1\r?\nlinha 2$/),
      '1',
    ])
    expect((await read('22-polegada.csv')).preview).toEqual([
      ['Monitor 24"', '1'],
      ['TV 32" LED', '2'],
    ])
    expect((await read('28-so-cr.csv')).preview).toEqual([
      ['Centro', '1.5'],
      ['Norte', '2.0'],
      ['Sul', '3.0'],
    ])
    expect(typesOf(await read('23-quebra-no-cabecalho.csv'))).toEqual({
      Unidade: 'text',
      'Valor pago': 'number',
    })
  })

  test('POST /drafts/:id/read with outside files takes no date for another day (24, 25)', async () => {
    const answer = await read('24-datas.csv')
    expect(typesOf(answer)).toMatchObject({ Admissão: 'date', Curta: 'text', Traço: 'text', Hora: 'text' })
    expect(valuesOf(answer, 'Admissão')[0]).toBe('2026-03-05')
    const impossible = await read('25-data-impossivel.csv')
    expect(typesOf(impossible)).toMatchObject({ Admissão: 'text' })
    expect(impossible.remarks).toEqual([
      '25-data-impossivel.csv: a coluna Admissão fica como texto: na linha 3, "31/02/2026" não é uma data',
    ])
  })

  test('POST /drafts/:id/read with outside files gives equal headings a number (26)', async () => {
    const answer = await read('26-cabecalhos-iguais.csv')
    expect(answer.columns.map(({ label }) => label)).toEqual(['Valor', 'Qtd', 'valor 2'])
    expect(answer.remarks).toEqual([
      '26-cabecalhos-iguais.csv: o cabeçalho repete nomes, que aqui levam um número: a coluna 3 é valor 2',
    ])
  })

  test('POST /drafts/:id/read with outside files reads files of the ANS (29 to 32)', async () => {
    const operators = await read('29-ans-operadoras.csv')
    expect(operators).toMatchObject({ faults: [], rows: 30 })
    expect(operators.preview[0]?.[2]).toBe('OPERADORA FICTÍCIA 0 LTDA')
    const accounts = await read('30-ans-contabil.csv')
    expect(numbersOf(accounts, 'VL_SALDO_INICIAL').slice(0, 3)).toEqual([0.1, 1000.1, -1500.25])
    expect(numbersOf(accounts, 'VL_SALDO_FINAL')[0]).toBe(0.2)
    for (const name of ['31-ans-beneficiarios.csv', '32-ans-cmpt-antigo.csv'])
      expect(await read(name)).toMatchObject({ faults: [], rows: 40, isInDoubt: false })
  })

  test('POST /drafts/:id/read with outside files reads Sim and Não, S and N (34), and errors of spreadsheets as empty (35)', async () => {
    const answer = await read('34-sim-nao.csv')
    expect(typesOf(answer)).toEqual({ Ativo: 'boolean', Óbito: 'boolean', Qtd: 'integer' })
    expect(valuesOf(answer, 'Ativo')).toEqual(['true', 'false', 'true'])
    expect(valuesOf(answer, 'Óbito')).toEqual(['true', 'false', 'true'])
    // They may also be south and north.
    expect(answer.remarks).toEqual([
      expect.stringMatching(
        /coluna Óbito: 3 valores de uma letra \("S"\) são sim \(S\) ou não \(N\); se não forem, escolha Texto, o primeiro na linha 2$/,
      ),
    ])
    const errors = await read('35-erros-em-portugues.csv')
    expect(numbersOf(errors, 'Taxa')).toEqual([1.5, null, 2.5, null, 3])
    expect(errors.remarks).toEqual([
      expect.stringMatching(
        /coluna Taxa: 2 valores sem dado \("#N\/D"\) ficaram vazios, o primeiro na linha 3$/,
      ),
    ])
  })
})
