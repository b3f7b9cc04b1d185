import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'
import { remarkSimilar } from './similar-values.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(() => database.close())

const remark = async (values: string[], quotesData = true, type = 'text') => {
  const rows = values.map((value) => `('${value}')`).join(', ')
  await database.createTable('lido', `SELECT * FROM (VALUES ${rows}) AS t("Cidade")`)
  try {
    const distinct = new Set(values).size
    return await remarkSimilar(database, 'lido', [{ label: 'Cidade', type, distinct }], quotesData)
  } finally {
    await database.load('DROP TABLE lido')
  }
}
const CITIES = ['Curitiba', 'CURITIBA', ' Curitiba ', 'São Paulo', 'Sao  Paulo', 'Lapa', 'Lapa']
const SENTENCE =
  'a coluna Cidade tem valores que só diferem em maiúsculas, acentos ou espaços, e cada um fica em um grupo'

test('the draft names values that differ in case, accents or spaces', async () => {
  expect(await remark(CITIES)).toEqual([
    `${SENTENCE}: " Curitiba ", "CURITIBA" e "Curitiba"; "Sao  Paulo" e "São Paulo"`,
  ])
})

test('the draft names no value to others than the author', async () => {
  expect(await remark(CITIES, false)).toEqual([SENTENCE])
})

test('the draft says nothing of other values, nor of columns that are no texts', async () => {
  expect(await remark(['Curitiba', 'Lapa', 'Curitibanos', 'Lapa'])).toEqual([])
  expect(await remark(CITIES, true, 'other')).toEqual([])
})
