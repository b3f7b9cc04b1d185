import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  convertFiles,
  hasLibreOffice,
  NEEDS_LIBREOFFICE,
} from '../../../../../scripts/machines/libreoffice.ts'
import { useDrafts } from '../../../test/draft-calls.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'

/* Random tables, written by several programs and in several notations, are read back equal. */

const drafts = useDrafts()

const FORMATS = ['"R$" #,##0.00', '0.00%', 'dd/mm/yyyy', 'dd/mm/yyyy hh:mm:ss', 'hh:mm']
// LibreOffice takes a truth value without this format for a number.
FORMATS.push('"TRUE";"TRUE";"FALSE"')
const [MONEY, PERCENT, DAY, MOMENT, TIME, TRUTH] = [1, 2, 3, 4, 5, 6]
const DAY_S = 86_400

/** A value of a column: the cell of a sheet, the texts of CSVs, and what is read. */
interface Value {
  cell: TestCell
  /** In the notation of Brazil, and in that of programs. */
  pt: string
  en: string
  read: string | number
}
interface ColumnOf {
  type: string
  values: fc.Arbitrary<Value>
}

const grouped = (digits: string, mark: string) => digits.replace(/\B(?=(\d{3})+$)/g, mark)
const numberTexts = (value: number, decimals: number) => {
  const [whole = '', rest] = Math.abs(value).toFixed(decimals).split('.')
  const sign = value < 0 ? '-' : ''
  return {
    pt: `${sign}${grouped(whole, '.')}${rest ? `,${rest}` : ''}`,
    en: `${sign}${whole}${rest ? `.${rest}` : ''}`,
  }
}
const cents = fc.integer({ min: -999_999_999, max: 999_999_999 }).map((value) => value / 100)
/** Never whole: a column of whole numbers has another type. */
const broken = cents.map((value) => (Number.isInteger(value) ? value + 0.25 : value))
const styled = (value: number, style: number): TestCell => ({ value, style })
const serial = (ms: number) => ms / 1_000 / DAY_S + 25_569
const brazilian = (iso: string) => iso.split('-').toReversed().join('/')
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const days = fc
  .integer({ min: Date.UTC(1930, 0) / 86_400_000, max: Date.UTC(2100, 0) / 86_400_000 })
  .map((day) => day * 86_400_000)

const KINDS: Record<string, ColumnOf> = {
  integer: {
    type: 'integer',
    values: fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((value) => {
      return { cell: value, pt: String(value), en: String(value), read: value }
    }),
  },
  number: {
    type: 'number',
    values: broken.map((value) => {
      const { pt, en } = numberTexts(value, 2)
      return { cell: value, pt, en, read: value }
    }),
  },
  R$: {
    type: 'number money',
    values: broken.map((value) => {
      const { pt, en } = numberTexts(value, 2)
      return {
        cell: styled(value, MONEY),
        pt: `R$ ${pt}`.replace('R$ -', '-R$ '),
        en: `R$ ${en}`,
        read: value,
      }
    }),
  },
  percent: {
    type: 'number percent',
    values: fc.integer({ min: -9_999, max: 99_999 }).map((hundredths) => {
      const { pt, en } = numberTexts(hundredths / 100, 2)
      return {
        cell: styled(hundredths / 10_000, PERCENT),
        pt: `${pt}%`,
        en: `${en}%`,
        read: hundredths / 10_000,
      }
    }),
  },
  day: {
    type: 'date',
    values: days.map((ms) => ({
      cell: styled(serial(ms), DAY),
      pt: brazilian(isoDay(ms)),
      en: isoDay(ms),
      read: isoDay(ms),
    })),
  },
  moment: {
    type: 'timestamp',
    values: fc.tuple(days, fc.integer({ min: 1, max: DAY_S - 1 })).map(([ms, second]) => {
      const clock = new Date(ms + second * 1_000).toISOString().slice(11, 19)
      return {
        cell: styled(serial(ms + second * 1_000), MOMENT),
        pt: `${brazilian(isoDay(ms))} ${clock}`,
        en: `${isoDay(ms)} ${clock}`,
        read: `${isoDay(ms)} ${clock}`,
      }
    }),
  },
  time: {
    type: 'text',
    values: fc.integer({ min: 0, max: 1_439 }).map((minutes) => {
      const text = new Date(minutes * 60_000).toISOString().slice(11, 16)
      return { cell: styled(minutes / 1_440, TIME), pt: text, en: text, read: text }
    }),
  },
  boolean: {
    type: 'boolean',
    values: fc.boolean().map((value) => ({
      cell: { value: value ? 1 : 0, type: 'b', style: TRUTH },
      pt: value ? 'VERDADEIRO' : 'FALSO',
      en: String(value),
      read: String(value),
    })),
  },
  key: {
    type: 'text',
    values: fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 43, maxLength: 43 })
      .map((digits) => same(`3${digits}`)),
  },
  code: { type: 'text', values: fc.integer({ min: 0, max: 999_999 }).map((n) => same(`0${n}`)) },
  text: {
    type: 'text',
    values: fc
      .tuple(
        fc.constantFrom(
          '',
          '=',
          '+',
          '-',
          '@',
          "'",
          '"',
          ';',
          '&lt;',
          '_x000D_',
          '<b>',
          '#',
          'São ',
          '￥',
          '😀',
        ),
        fc.constantFrom(
          '1+1',
          'SUM(A1)',
          'x',
          'a;b',
          'a "b" c',
          'duas\nlinhas',
          'a,b',
          'é',
          'R$',
          '1.234,56 kg',
        ),
      )
      .map(([start, rest]) => same(`${start}${rest}`)),
  },
}
/** A sheet escapes an underscore that begins an escape (ECMA-376, ST_Xstring). */
const same = (text: string): Value => {
  return { cell: text.replace(/_(?=x[0-9A-F]{4}_)/g, '_x005F_'), pt: text, en: text, read: text }
}

interface Table {
  kinds: string[]
  /** One text a row, so that no row is empty, and whether each other cell is filled. */
  rows: (Value | undefined)[][]
}

const table: fc.Arbitrary<Table> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...Object.keys(KINDS)), { minLength: 2, maxLength: 8 }),
    fc.integer({ min: 2, max: 12 }),
  )
  .chain(([kinds, count]) => {
    const all = ['text', ...kinds.filter((kind) => kind !== 'text')]
    const row = fc.tuple(
      ...all.map((kind, index) => {
        const { values } = KINDS[kind] as ColumnOf
        return index === 0 ? values : fc.option(values, { nil: undefined, freq: 6 })
      }),
    )
    const full = fc.tuple(...all.map((kind) => (KINDS[kind] as ColumnOf).values))
    // The first row is full: a column without a value has no type.
    return fc
      .tuple(full, fc.array(row, { minLength: count - 1, maxLength: count - 1 }))
      .map(([first, others]) => ({ kinds: all, rows: [first, ...others] }))
  })

const headingsOf = ({ kinds }: Table) => kinds.map((kind) => `Coluna ${kind}`)
const sheetOf = (one: Table): TestCell[][] => [
  headingsOf(one),
  ...one.rows.map((row) => row.map((value) => value?.cell ?? null)),
]
const csvField = (text: string, delimiter: string) =>
  /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
const csvOf = (one: Table, notation: 'pt' | 'en', delimiter: string) =>
  [headingsOf(one), ...one.rows.map((row) => row.map((value) => value?.[notation] ?? ''))]
    .map((fields) => `${fields.map((field) => csvField(field, delimiter)).join(delimiter)}\r\n`)
    .join('')

const expectRead = async (one: Table, bytes: Buffer | string, name: string, choices: object = {}) => {
  const id = await drafts.draft(bytes, name)
  const read = await drafts.call(`${id}/read`, { reportName: 'Tabela', ...choices })
  expect(read.faults, name).toEqual([])
  const types = read.columns.map(({ type, shownAs }: Record<string, string>) =>
    [type, shownAs].filter(Boolean).join(' '),
  )
  expect(types, name).toEqual(one.kinds.map((kind) => KINDS[kind]?.type))
  const rows = read.preview.map((row: (string | null)[]) =>
    row.map((text, column) => {
      if (text === null) return null
      const isNumber = /^(integer|number)/.test(types[column] ?? '')
      return isNumber ? Number(text) : text
    }),
  )
  expect(rows, name).toEqual(one.rows.map((row) => row.map((value) => value?.read ?? null)))
}

describe('random tables are read back equal', { timeout: 600_000 }, () => {
  test('random tables are read back equal from the XLSX files of several libraries', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom<Partial<Parameters<typeof workbookOf>[0]>>(
          { texts: 'inline' },
          { texts: 'shared' },
          { texts: 'shared', prefix: 'x' },
          { withoutAddresses: false, isStrict: true },
        ),
        async (one, library) => {
          const bytes = workbookOf({ sheets: [{ rows: sheetOf(one) }], formats: FORMATS, ...library })
          await expectRead(one, bytes, 'Tabela.xlsx')
        },
      ),
      { numRuns: 8, endOnFailure: true },
    )
  })

  test('random tables are read back equal from CSV in the notations of Brazil and of programs', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(';', '\t', '|'), async (one, delimiter) => {
        await expectRead(one, csvOf(one, 'pt', delimiter), 'Tabela.csv', { decimal: ',' })
        await expectRead(one, csvOf(one, 'en', ','), 'Tabela.csv', { decimal: '.' })
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

  const tables = () => fc.sample(table, 5)
  const xlsx = (all: Table[]) =>
    all.map((one) => ({
      name: 'Tabela.xlsx',
      bytes: workbookOf({ sheets: [{ rows: sheetOf(one) }], formats: FORMATS }),
    }))
  const expectAll = async (all: Table[], files: Buffer[]) => {
    for (const [index, one] of all.entries()) await expectRead(one, files[index] as Buffer, 'Tabela.xlsx')
  }

  test.skipIf(!hasLibreOffice)(
    `random tables are read back equal from LibreOffice, which saved an XLSX ${NEEDS_LIBREOFFICE}`,
    async () => {
      const all = tables()
      await expectAll(all, convertFiles(xlsx(all), { to: 'xlsx' }))
    },
  )

  test.skipIf(!hasLibreOffice)(
    `random tables are read back equal from LibreOffice, which saved an ODS ${NEEDS_LIBREOFFICE}`,
    async () => {
      const all = tables()
      const ods = convertFiles(xlsx(all), { to: 'ods' }).map((bytes) => ({ name: 'Tabela.ods', bytes }))
      await expectAll(all, convertFiles(ods, { to: 'xlsx' }))
    },
  )

  test.skipIf(!hasLibreOffice)(
    `random tables are read back equal from LibreOffice, which opened a CSV ${NEEDS_LIBREOFFICE}`,
    async () => {
      // The dialog has one choice of types for all files of a run.
      const kinds = ['text', 'key', 'code', 'integer', 'number', 'R$', 'percent', 'day', 'moment', 'boolean']
      const rows = fc.tuple(...kinds.map((kind) => (KINDS[kind] as ColumnOf).values))
      const all: Table[] = fc
        .sample(fc.array(rows, { minLength: 2, maxLength: 12 }), 4)
        .map((some) => ({ kinds, rows: some }))
      const csvs = all.map((one) => ({ name: 'Tabela.csv', bytes: `\uFEFF${csvOf(one, 'pt', ';')}` }))
      await expectAll(all, convertFiles(csvs, { to: 'xlsx', asText: [1, 2, 3] }))
    },
  )
})
