import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv } from './read-csv.ts'

let dir = ''
let database: Database
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'motivos-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
}, 300_000)
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

/** One file with all columns: reading one takes seconds on a busy machine. */
const read = async (columns: Record<string, string[]>, quotesData = true) => {
  const file = join(dir, 'dados.csv')
  const length = Math.max(...Object.values(columns).map((texts) => texts.length))
  const rows = Array.from({ length }, (_, row) =>
    Object.values(columns).map((texts) => texts[row % texts.length]),
  )
  await writeFile(file, [Object.keys(columns), ...rows].map((row) => row.join(';')).join('\n'))
  const notices: string[] = []
  const draft = { typesOf: () => ({}) }
  const options = { notice: (sentence: string) => notices.push(sentence), quotesData, draft }
  const reading = await copyCsv(database, file, 'lido', {}, options)
  await database.load('DROP TABLE lido')
  return { types: new Set(reading.columns.map(({ type }) => type)), notices }
}

describe('a draft says why a column stays text', { timeout: 120_000 }, () => {
  const stays = (name: string, why: string) => `a coluna ${name} fica como texto${why}`
  const columns = {
    'Duas ordens': ['25/03/2026', '03/26/2026', '01/02/2026', '27/03/2026'],
    Momentos: ['25/03/2026 10:00', '03/26/2026 10:00'],
    'Ano curto': ['05/03/26', '06/03/26'],
    Extrato: ['1.000,00 D', '25,10 C', '3 C'],
    Turma: ['3C', '4D', '5C'],
    'Metade percentual': ['8%', '12', '9,5%', '0,5'],
    Moedas: ['R$ 10,00', 'US$ 12,00', '5'],
    Dólares: ['US$ 10,00', 'US$ 12,00'],
    Marcas: ['1.234,56', '1,234.56'],
    Traços: ['05-03-2026', '06-03-2026'],
    Formas: ['2026-03-05', '06/03/2026'],
    Valor: ['1', '2', 'isento', '3,5'],
    'Valor ou data': ['1', '05/03/2026', 'isento', '2'],
    Conta: ['10', '20', '0030', '40'],
  }

  test('a draft says why a column stays text with the first values that are no notation together, and their lines', async () => {
    const { types, notices } = await read(columns)
    expect([...types]).toEqual(['text'])
    expect(notices).toEqual([
      stays(
        'Duas ordens',
        ', porque mistura notações: na linha 2, "25/03/2026" é uma data com o dia antes do mês, e na linha 3, "03/26/2026" é uma data com o mês antes do dia',
      ),
      stays(
        'Momentos',
        ', porque mistura notações: na linha 2, "25/03/2026 10:00" é uma data com o dia antes do mês e a hora, e na linha 3, "03/26/2026 10:00" é uma data com o mês antes do dia e a hora',
      ),
      stays(
        'Ano curto',
        ': na linha 2, "05/03/26" tem o ano com dois algarismos. Escreva-o com quatro, como 05/03/2026',
      ),
      stays(
        'Extrato',
        ': na linha 2, "1.000,00 D" tem a letra de um débito ou crédito. Escreva os débitos com o sinal de menos, como -1.000,00',
      ),
      stays(
        'Metade percentual',
        ', porque mistura notações: na linha 2, "8%" é um percentual, e na linha 3, "12" é um número',
      ),
      stays(
        'Moedas',
        ', porque mistura notações: na linha 2, "R$ 10,00" é um valor em R$, e na linha 3, "US$ 12,00" é um valor em outra moeda',
      ),
      stays(
        'Dólares',
        ': na linha 2, "US$ 10,00" tem outra moeda que o real. Se são valores de uma só moeda, escreva só os números',
      ),
      stays(
        'Marcas',
        ', porque mistura notações: na linha 2, "1.234,56" é um número com vírgula decimal, e na linha 3, "1,234.56" é um número com ponto decimal',
      ),
      stays(
        'Traços',
        ': na linha 2, "05-03-2026" tem traços ou pontos. Escreva as datas como 25/03/2026 ou 2026-03-25',
      ),
      stays(
        'Formas',
        ', porque mistura notações: na linha 2, "2026-03-05" é uma data como 2026-03-25, e na linha 3, "06/03/2026" é uma data com barras',
      ),
      stays('Valor', ': na linha 4, "isento" não é um número'),
      stays('Valor ou data', ': na linha 4, "isento" não é um número nem uma data'),
      stays('Conta', ': na linha 4, "0030" tem zeros à esquerda, que um número perderia'),
    ])
  })

  test('a draft says why a column stays text without a value where sentences must have none', async () => {
    const { notices } = await read({ A: ['8%', '12'], B: ['05/03/26', '06/03/26'] }, false)
    expect(notices).toEqual([
      stays(
        'A',
        ', porque mistura notações: na linha 2, o valor é um percentual, e na linha 3, o valor é um número',
      ),
      stays(
        'B',
        ': na linha 2, o valor tem o ano com dois algarismos. Escreva-o com quatro, como 05/03/2026',
      ),
    ])
  })

  test('a draft says why a column stays text and nothing of names, codes, telephones and times', async () => {
    const { types, notices } = await read({
      Nome: ['Ana', 'Bia 2'],
      CPF: ['123.456.789-01', '987.654.321-09'],
      Telefone: ['+5511999998888', '+551133334444'],
      Hora: ['08:30', '23:59'],
      Chave: ['35260312345678000190550010000000011000000011', '35260312345678000190550010000000021000000028'],
      Poucos: ['isento', '12'],
    })
    expect([...types]).toEqual(['text'])
    expect(notices).toEqual([])
  })

  test('a draft says why a column stays text of many columns in little memory', async () => {
    const many = Array.from({ length: 60 }, (_, index) => [`c${index}`, ['25/03/2026', '03/26/2026']])
    const { types, notices } = await read(Object.fromEntries(many))
    expect([...types]).toEqual(['text'])
    expect(notices).toHaveLength(20)
  })
})

test('a draft says why a column stays text whose first thousand values are words', {
  timeout: 120_000,
}, async () => {
  const values = Array.from({ length: 5_000 }, (_, row) => (row < 1_200 ? 'sem valor' : `${row},5`))
  const { notices } = await read({ Valor: values, Outra: ['a', 'b'] })
  expect(notices).toContain('a coluna Valor fica como texto: na linha 2, "sem valor" não é um número')
})
