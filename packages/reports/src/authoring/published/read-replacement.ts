import { ownValue } from '@bi-manager/contract/own-value'
import type { ColumnFormat, CsvType, ReportDefinition } from '../../definitions/definition.ts'
import type { Column } from '../../engine/data/catalog.ts'
import {
  answersTo,
  type ScaleAnswer,
  type Scaling,
  scalingOf,
} from '../../engine/data/columns/column-scales.ts'
import type { Draft } from '../drafts/files/draft-files.ts'
import type { FileChoices } from '../drafts/reading/file-choices.ts'
import {
  type DraftColumn,
  type DraftReading,
  type ReadColumn,
  readDraft,
} from '../drafts/reading/read-draft.ts'
import type { ReplacedTable } from '../drafts/reading/read-draft-csv.ts'
import { draftType } from '../drafts/reading/read-draft-parquet.ts'
import { matchHeadings, typesOf, type UnfitColumn, unfitColumns } from './compare-columns.ts'

/** What a person chose for the new file, and for its columns by their names. */
export type ColumnChoices = {
  types: Record<string, CsvType>
  scales: Record<string, ScaleAnswer>
  file: FileChoices
}

/**
 * A column of which a person must say what its numbers are. `hasSign`: the file shows percent signs.
 * `isUnknown`: an earlier version published the numbers, and nothing says what they are.
 * `isFraction`: all numbers are fractions, such as 0.08.
 */
export type ScaleQuestion = {
  name: string
  label: string
  hasSign: boolean
  isUnknown: boolean
  isFraction: boolean
  answers: ScaleAnswer[]
  example: string | undefined
}

type Replacement = {
  reading: DraftReading
  questions: ScaleQuestion[]
  /** Sentences about columns whose numbers are not kept as the file shows them. */
  scaled: string[]
  /** Why the file cannot be read with the types of the table; then the columns are as detected. */
  refused: string[]
}

type Settings = {
  definition: ReportDefinition
  /** How the rows that are replaced were read. */
  replaced: ReplacedTable
  /** The clock of the report. */
  timeZone: string | undefined
  quotesData: boolean | undefined
  memoryMegabytes: number
}

/** Reads a draft with the columns of a table, each with its type, with a wider one or a chosen one. */
export const readReplacement = async (
  draft: Draft,
  columns: Column[],
  { types, scales, file }: ColumnChoices,
  { definition, replaced, timeZone, quotesData, memoryMegabytes }: Settings,
): Promise<Replacement> => {
  const known = new Map(columns.map((column) => [column.name, column]))
  const scalings = new Map<string, Scaled>()
  const scalingFor = (column: ReadColumn, isFraction: boolean): Scaling | undefined => {
    const { name, shownAs } = column
    const before = known.get(name)
    const hasSign = shownAs === 'percent'
    // A new column, or one that was no number, has no numbers before.
    const hasNumbers = before?.kind === 'integer' || before?.kind === 'number'
    const isShare = formatsOf(definition, name).has('percentual')
    // Files that programs write have no signs: without a kept scale nothing speaks of shares.
    const unknown = draft.kind === 'parquet' ? ({ unit: 'plain' } as const) : undefined
    const scaling = hasNumbers
      ? scalingOf(before.scale ?? unknown, hasSign, isShare, ownValue(scales, name), {
          isSheet: draft.kind === 'xlsx',
          isFraction,
        })
      : scalingOf({ unit: 'plain' }, hasSign, false, 'asRead')
    scalings.set(name, { scaling, hasSign, isFraction })
    return scaling
  }
  const namesOf = (headings: string[]) => matchHeadings(columns, headings, quotesData)
  const read = (required: Record<string, CsvType>) => readWith({ ...typesOf(columns, types), ...required })
  const readWith = (typesBefore: Record<string, CsvType>) =>
    readDraft(
      draft,
      {
        types: typesBefore,
        namesOf,
        quotesData,
        scalingFor,
        replaced,
        timeZone,
        choices: file,
      },
      memoryMegabytes,
    )
  const reading = await readOnceOrAgain()
  if (!('columns' in reading)) {
    const none = { questions: [], scaled: [] }
    // A person chooses other types from the columns; a schedule only says the fault.
    const detected = quotesData === false ? reading : await readWith({})
    if (!('columns' in detected)) return { ...none, reading, refused: [] }
    return {
      ...none,
      reading: { ...detected, columns: asRequired(detected.columns) },
      refused: reading.faults,
    }
  }
  const questions = reading.columns.flatMap(({ name, label }, index) => {
    const { scaling, hasSign, isFraction } = scalings.get(name) ?? READ
    if (scaling) return []
    const example = quotesData === false ? undefined : exampleIn(reading.preview, index, isFraction)
    const isUnknown = known.get(name)?.scale === undefined
    return {
      name,
      label,
      hasSign,
      isUnknown,
      isFraction,
      answers: answersTo(hasSign, { isFraction }),
      example,
    }
  })
  const scaled = reading.columns.flatMap(({ name, label }) => {
    const sentence = sentenceOf(scalings.get(name) ?? READ)
    return sentence ? [`na coluna ${label}, ${sentence}`] : []
  })
  return { reading, questions, scaled, refused: [] }

  /** The types that did not fit stand where others are chosen. */
  function asRequired(read: DraftColumn[]): DraftColumn[] {
    return read.map((column) => {
      const { name } = column
      const kind = known.get(name)?.kind
      return { ...column, type: ownValue(types, name) ?? (kind ? draftType(kind) : column.type) }
    })
  }

  async function readOnceOrAgain(): Promise<DraftReading> {
    const first = await read({})
    // The types of a Parquet file are its own.
    if (!('columns' in first) || draft.kind === 'parquet') return first
    const unfit = unfitColumns(columns, first.columns, types)
    if (unfit.length === 0) return first
    const typed = (typeOf: (column: UnfitColumn) => CsvType): Record<string, CsvType> =>
      Object.fromEntries(unfit.map((column) => [column.name, typeOf(column)]))
    // Detection leaves more as text than a known type: empty columns, and long whole numbers.
    const asBefore = await read(typed(({ own }) => own))
    if ('columns' in asBefore) return asBefore
    const widened = new Set<string>()
    for (const { name, own } of unfit) {
      // A number that only a chosen type reads, such as a long key, would lose digits.
      if (own !== 'integer' && !('columns' in (await read({ [name]: own })))) widened.add(name)
    }
    const each =
      widened.size > 0
        ? await read(typed(({ name, own, wide }) => (widened.has(name) ? wide : own)))
        : asBefore
    if ('columns' in each) return each
    // Names the value for which the wider type is not enough.
    const asWider = await read(typed(({ wide }) => wide))
    return 'columns' in asWider ? each : asWider
  }
}

/** How a column is kept, and what decided it. */
type Scaled = { scaling: Scaling | undefined; hasSign: boolean; isFraction: boolean }
/** A column without numbers. */
const READ: Scaled = {
  scaling: { scale: { unit: 'plain' }, factor: '' },
  hasSign: false,
  isFraction: false,
}

/** Says with an example what became of the numbers; undefined when they are as the file has them. */
const sentenceOf = ({ scaling, hasSign, isFraction }: Scaled): string | undefined => {
  if (!scaling?.factor) return undefined
  if (hasSign) return '8% foi lido como 8'
  if (scaling.factor === '/ 100')
    return isFraction ? '0,3 foi lido como 0,3%, que é 0,003' : '8 foi lido como 8%, que é 0,08'
  return isFraction ? '0,08 foi lido como 8%, que é 8' : '1,2 foi lido como 120%, que é 120'
}

const exampleIn = (preview: (string | null)[][], index: number, isFraction: boolean): string | undefined => {
  const values = preview.map((row) => row[index]).filter((value) => Number(value) !== 0)
  const value = values.find((one) => isFraction && Number(one) % 1 !== 0) ?? values[0]
  // DuckDB writes a double with a decimal.
  return value?.replace(/\.0$/, '')
}

/** Returns the formats in which a report shows the result columns with the name of a column. */
export const formatsOf = ({ pages }: ReportDefinition, name: string): Set<ColumnFormat> => {
  const formats = pages.flatMap(({ visuals }) => visuals.flatMap(({ format }) => Object.entries(format)))
  return new Set(
    formats.filter(([column]) => column.toLowerCase() === name.toLowerCase()).map(([, format]) => format),
  )
}
