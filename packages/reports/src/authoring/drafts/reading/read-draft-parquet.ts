import type { CsvType } from '../../../definitions/definition.ts'
import { kindOf } from '../../../engine/data/columns/column-kind.ts'
import type { Database } from '../../../engine/data/database/database.ts'
import { copyParquet } from '../../../engine/data/parquet/copy-parquet.ts'
import type { ColumnKind } from '../../../wire/embed-contract.ts'
import type { CopyDraft } from './read-draft-csv.ts'

/** Copies the Parquet file of a draft into a table, and returns its columns with their names. */
export const copyDraftParquet = async (
  database: Database,
  file: string,
  target: string,
  { namesOf }: Pick<CopyDraft, 'namesOf'>,
) => {
  await copyParquet(database, file, target)
  const described = await database.query(`DESCRIBE ${target}`)
  const names = namesOf(described.map(([name]) => String(name)))
  return described.map(([label, type], index) => ({
    name: names[index] ?? String(label),
    label: String(label),
    type: draftType(kindOf(String(type))),
    shownAs: undefined,
    fitsBothMarks: false,
    fitsBothOrders: false,
  }))
}

/** No CSV has a column of times of day. */
export const draftType = (kind: ColumnKind): CsvType | 'other' => (kind === 'time' ? 'other' : kind)
