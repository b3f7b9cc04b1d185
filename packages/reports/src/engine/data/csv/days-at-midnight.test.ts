import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CsvType } from '../../../definitions/definition.ts'
import { sentenceOf } from '../../loading/load-dataset.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv, type DraftOptions } from './read-csv.ts'

let folder = ''
let database: Database
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'days-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const read = async (values: string[], options: Partial<DraftOptions> = {}) => {
  const file = join(folder, 'dados.csv')
  await writeFile(file, ['Unidade;Dia', ...values.map((value) => `A;${value}`)].join('\n'))
  const table = `t${++count}`
  const notices: string[] = []
  const notice = (sentence: string) => void notices.push(sentence)
  const draft = { typesOf: () => ({}), ...options }
  const { columns, doubts } = await copyCsv(database, file, table, {}, { notice, quotesData: true, draft })
  const rows = await database.query(`SELECT Dia::VARCHAR FROM ${table}`)
  return { type: columns[1]?.type, days: rows.map(([day]) => day), notices, doubts }
}
const typed = (type: CsvType): Partial<DraftOptions> => ({ typesOf: () => ({ Dia: type }) })

test.each([
  ['05/03/2026 00:00', '01/02/2026', '25/03/2026'],
  ['05/03/2026', '01/02/2026 00:00:00', '25/03/2026 0:00'],
  ['2026-03-05', '2026-02-01 00:00:00.000', '2026-03-25T00:00'],
])('the service reads days beside days at midnight as days: %s, %s, %s', async (...values) => {
  expect(await read(values)).toMatchObject({ type: 'date', days: ['2026-03-05', '2026-02-01', '2026-03-25'] })
})

test('the answer counts the days that were written with a time', async () => {
  expect((await read(['05/03/2026 00:00', '25/03/2026', '26/03/2026'])).notices).toEqual([
    'coluna Dia: 1 valor à meia-noite ("05/03/2026 00:00") é um dia, na linha 2',
  ])
})

test('the service reads days beside moments as moments', async () => {
  expect(await read(['25/03/2026 10:30', '01/02/2026', '-'])).toMatchObject({
    type: 'timestamp',
    days: ['2026-03-25 10:30:00', '2026-02-01 00:00:00', null],
    notices: [
      'coluna Dia: 1 valor sem dado ("-") ficou vazio, na linha 4',
      'coluna Dia: 1 valor sem hora ("01/02/2026") é meia-noite, na linha 3',
    ],
  })
})

test('the service reads moments that are all at midnight as moments, also with a missing one', async () => {
  expect((await read(['25/03/2026 00:00', '01/02/2026 00:00', '-'])).type).toBe('timestamp')
  expect((await read(['25/03/2026 00:00', '01/02/2026 00:00'], typed('date'))).days).toEqual([
    '2026-03-25',
    '2026-02-01',
  ])
})

test('the service follows the order of the other dates, and asks when both are shown', async () => {
  expect((await read(['03/25/2026 00:00', '01/02/2026'])).days).toEqual(['2026-03-25', '2026-01-02'])
  expect((await read(['03/04/2026 00:00', '01/02/2026'], { dateOrder: 'monthFirst' })).days).toEqual([
    '2026-03-04',
    '2026-01-02',
  ])
  expect((await read(['03/04/2026 00:00', '01/02/2026'])).days).toEqual(['2026-04-03', '2026-02-01'])
})

test('a moment is read also below many rows of days', async () => {
  const days = Array.from({ length: 21_000 }, () => '25/03/2026')
  expect((await read([...days, '26/03/2026 00:00'])).type).toBe('date')
  expect((await read([...days, '26/03/2026 08:00'])).type).toBe('timestamp')
})

test('the page refuses another value of published days in the words of the page', async () => {
  const options = { ...typed('timestamp'), daysOf: () => new Set(['Dia']) }
  const refused = await read(['05/03/2026', 'amanhã'], options).catch((error) => sentenceOf(error, true))
  expect(refused).toBe('linha 3: coluna Dia: "amanhã" não é uma data, nem uma data e hora')
})
