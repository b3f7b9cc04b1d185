import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownValue } from '@bi-manager/contract/own-value'
import type { Database } from '../engine/data/database.ts'
import { copyCsv } from '../engine/data/read-csv.ts'
import type { CsvType } from '../engine/definitions/definition.ts'
import { readSheet } from '../spreadsheets/read-sheet.ts'
import type { ConvertedSheet, SheetAnswer, SheetOrder } from '../spreadsheets/sheet-answer.ts'

interface CopySheet {
  /** Types of columns by name. */
  types: Record<string, CsvType>
  /** @throws DefinitionError when the headings are not accepted */
  namesOf: (headings: string[]) => string[]
  quotesData: boolean
  notice: (sentence: string) => void
}

/** Uses the CSV of a converted sheet, and deletes it. */
export async function withConvertedSheet<T>(
  folder: string,
  file: string,
  order: SheetOrder,
  use: (answer: SheetAnswer, csv: string) => Promise<T>,
): Promise<T> {
  const csv = join(folder, `planilha-${randomUUID()}.csv`)
  try {
    return await use(await readSheet({ file, csv, order }), csv)
  } finally {
    await rm(csv, { force: true })
  }
}

/** Copies a converted sheet into a table, and returns its columns with their names. */
export async function copySheet(
  database: Database,
  csv: string,
  target: string,
  { columns, lines, notices, mixtures }: ConvertedSheet,
  { types, namesOf, quotesData, notice }: CopySheet,
) {
  const headings = columns.map(({ name }) => name)
  const names = namesOf(headings)
  const chosen = headings.flatMap((heading, index) => {
    const type = ownValue(types, names[index] ?? '')
    return type ? [[heading, type] as const] : []
  })
  for (const sentence of notices) notice(sentence)
  const said: string[] = []
  const read = await copyCsv(
    database,
    csv,
    target,
    { delimiter: ';', encoding: 'utf-8', types: Object.fromEntries(chosen) },
    {
      quotesData,
      known: new Map(columns.flatMap(({ name, known }) => (known ? [[name, known]] : []))),
      lineAt: (record) => rowOf(lines, record),
      notice: (sentence) => {
        said.push(sentence)
        notice(sentence)
      },
    },
  )
  for (const { name, sentence } of mixtures) {
    const isText = read.some((column) => column.name === name && column.type === 'text')
    const isSaid = said.some((one) => one.startsWith(`a coluna ${name} fica como texto`))
    if (isText && !isSaid) notice(sentence)
  }
  return read.map(({ name: label, ...column }, index) => ({ ...column, label, name: names[index] ?? label }))
}

/** Returns the row of the sheet from which a record of its CSV comes. */
function rowOf(lines: ConvertedSheet['lines'], record: number): number {
  const [first, row] = lines.findLast(([one]) => one <= record) ?? [1, 1]
  return row + record - first
}
