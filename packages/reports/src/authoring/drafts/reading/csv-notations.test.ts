import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { type Service, startService } from '../../../../test/fixture.ts'
import { copyCsv } from '../../../engine/data/csv/read-csv.ts'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'

let folder = ''
let database: Database
let service: Service
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notations-'))
  database = await openDatabase({ memoryMegabytes: 256, timeoutMs: 20_000 })
  service = await startService()
  await service.loaded
}, 240_000)
afterAll(async () => {
  await service.stop()
  await database.close()
  await rm(folder, { recursive: true })
})

/** A number of thousandths as a program or a person writes it. */
interface Writing {
  name: string
  delimiter: string
  mark: ',' | '.'
  group: string
  negative: (text: string) => string
  around?: (text: string) => string
  missing?: string
}
const minus = (text: string) => `-${text}`
const WRITINGS: Writing[] = [
  { name: 'Excel in Portuguese', delimiter: ';', mark: ',', group: '', negative: minus },
  { name: 'with points', delimiter: ';', mark: ',', group: '.', negative: minus, missing: '-' },
  { name: 'of programs', delimiter: ',', mark: '.', group: '', negative: minus },
  { name: 'Excel in English', delimiter: ',', mark: '.', group: ',', negative: minus, missing: '#N/A' },
  { name: 'commas in quotes', delimiter: ',', mark: ',', group: '.', negative: minus },
  { name: 'tabs', delimiter: '\t', mark: ',', group: '.', negative: minus, missing: '...' },
  { name: 'bars', delimiter: '|', mark: '.', group: '', negative: minus, missing: 'NA' },
  { name: 'parentheses', delimiter: ';', mark: ',', group: '.', negative: (text) => `(${text})` },
  { name: 'minus at the end', delimiter: ';', mark: ',', group: '.', negative: (text) => `${text}-` },
  { name: 'spaces of thousands', delimiter: ';', mark: ',', group: '\u00A0', negative: minus },
  {
    name: 'accounting',
    delimiter: ';',
    mark: ',',
    group: '.',
    negative: minus,
    around: (text) => (text.startsWith('-') ? `-R$ ${text.slice(1)} ` : ` R$ ${text} `),
  },
]

const written = (thousandths: number | null, writing: Writing): string => {
  const { mark, group, negative, around = (text) => text, missing = '' } = writing
  if (thousandths === null) return missing
  const [whole = '', fraction = ''] = (Math.abs(thousandths) / 1000).toFixed(3).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  const text = `${grouped}${mark}${fraction}`
  return around(thousandths < 0 ? negative(text) : text)
}
const quoted = (text: string) => (/[",;|\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const DECIMALS = { ',': 'comma', '.': 'point' }

const row = fc.record({
  label: fc
    .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abç "x') })
    .map((text) => `t${text}z`),
  key: fc.integer({ min: 0, max: 9_999_999 }).map((value) => `0${value}`),
  whole: fc.integer({ min: -5_000, max: 5_000_000 }),
  thousandths: fc.option(fc.integer({ min: -9_999_999, max: 9_999_999 }), { nil: null }),
})

type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never
const csvOf = (rows: Row[], writing: Writing) =>
  [
    ['Nome', 'Chave', 'Inteiro', 'Valor'],
    ...rows.map(({ label, key, whole, thousandths }) =>
      [label, key, String(whole), written(thousandths, writing)].map(quoted),
    ),
  ]
    .map((fields) => fields.join(writing.delimiter))
    .join('\r\n')
const valuesOf = (rows: Row[]) =>
  rows.map(({ label, key, whole, thousandths }) => [
    label,
    key,
    String(whole),
    thousandths === null ? null : thousandths / 1000,
  ])

test.each(WRITINGS)(
  'the reading of a draft reads back what is written in the notation "$name"',
  async (writing) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        // A file of its own: a test that has timed out may still write.
        const file = join(folder, `dados-${++count}.csv`)
        await writeFile(file, csvOf(rows, writing))
        const read = async (decimal?: ',' | '.') => {
          const table = `t${++count}`
          const draft = { typesOf: () => ({}), decimal }
          const reading = await copyCsv(database, file, table, {}, { quotesData: true, draft })
          const values = await database.query(
            `SELECT Nome, Chave, Inteiro::VARCHAR, TRY_CAST(Valor AS DOUBLE) FROM ${table}`,
          )
          await database.load(`DROP TABLE ${table}`)
          return { reading, values }
        }
        const first = await read()
        const { reading, values } = first.reading.doubts.mark ? await read(writing.mark) : first
        const hasNumbers = rows.some(({ thousandths }) => thousandths !== null)
        const types = reading.columns.map(({ type }) => type)
        expect(types).toEqual(['text', 'text', 'integer', hasNumbers ? 'number' : 'text'])
        expect([DECIMALS[writing.mark], values]).toEqual([
          DECIMALS[reading.decimal ?? writing.mark],
          valuesOf(rows),
        ])
      }),
      { numRuns: 12, seed: 39 },
    )
  },
)

/** Rows of the preview. */
const MAX_SHOWN = 20

test.each(WRITINGS)(
  'the page\'s call reads back what is written in the notation "$name"',
  { timeout: 300_000 },
  async (writing) => {
    const drafts = await beginDrafts(service)
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: MAX_SHOWN }), async (rows) => {
        const id = await drafts.draft(csvOf(rows, writing), 'dados.csv')
        const read = (choices: object) => drafts.call(`${id}/read`, { reportName: 'Dados', ...choices })
        const first = await read({})
        // The page asks, and a person answers with one choice.
        const { faults, preview, decimal } = first.isInDoubt ? await read({ decimal: writing.mark }) : first
        await drafts.call(`${id}/discard`, {})
        expect([faults, decimal ?? writing.mark]).toEqual([[], writing.mark])
        const values = preview.map(([label, key, whole, value]: (string | null)[]) => [
          label,
          key,
          whole,
          // A column with nothing but 'NA' is one of texts.
          value === null || value === writing.missing ? null : Number(value),
        ])
        expect(values).toEqual(valuesOf(rows))
      }),
      // Each file is read in a process of its own; the reading itself has more runs above.
      { numRuns: 2, seed: 39 },
    )
  },
)
