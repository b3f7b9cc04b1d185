import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvOptions } from '../../../definitions/definition.ts'
import type { Database } from '../database/database.ts'
import {
  convertedSql,
  type DateOrder,
  type DecimalMark,
  EXACT_DIGITS,
  filledSql,
  isOtherNotationSql,
  likelySql,
  type Notation,
  neededSql,
  notationsOf,
} from './csv-notations.ts'
import { isMissingSql, strippedSql } from './field-sql.ts'
import { canonicalNotation, type KnownColumn } from './known-columns.ts'

/** Share of numbers or dates from which a text column causes a notice to the author. */
const NEARLY = 0.8

/** Marks that the values of a file show: of all columns whose values fit one mark better. */
export type Evidence = DecimalMark | 'both' | 'none'
/** Orders of dates that the values of a file show, in the same way. */
export type OrderEvidence = DateOrder | 'both' | 'none'

/** A column that seems to have codes with points. */
export interface Code {
  /** It stays text. */
  isText: boolean
  /** Two texts that are one number, or one text. */
  examples: string[]
}

export interface ChosenColumn {
  name: string
  /** Undefined for text. */
  writing: Notation | undefined
  /** The notation of most values of a column that stays text because of a few others. */
  nearly?: Notation | undefined
  /** The same values with the other decimal mark or order of dates, which fit too and are others. */
  twin?: Notation | undefined
  /** The decimal mark of values that fit only one, or fit one better. */
  shows?: DecimalMark | undefined
  /** The decimal mark of values that may be codes, which show none. */
  mayShow?: DecimalMark | undefined
  /** Its decimal mark says nothing about other columns: coordinates, and codes with points. */
  hasOwnMark?: boolean | undefined
  /** The order of dates, in the same way. */
  showsOrder?: DateOrder | undefined
  /** A notation that all values fit, if later rows have a value that it needs. */
  waiting?: Notation | undefined
  /** No value says anything about the type: all are empty or marks of missing values. */
  isEmpty?: boolean | undefined
  /** No text of this column of numbers is longer than the digits that a DOUBLE always holds. */
  isShort?: boolean | undefined
  /** Some of its numbers have more digits than their type holds, which deserves a sentence. */
  isRounded?: boolean | undefined
  /** Of a text: SQL that is true for a mark of a missing value, which becomes empty. */
  missing?: string | undefined
  /** It seems to have codes such as 1.10, which deserves a sentence. */
  code?: Code | undefined
  /** The same numbers with the decimal mark that was not chosen and may be right: it deserves a sentence. */
  otherMark?: Notation | undefined
}

export interface ChoiceInput {
  database: Database
  /** A relation with one VARCHAR per column. */
  source: string
  columns: string[]
  delimiter: string
  types: CsvOptions['types']
  /** Columns that are numbers in the published table, whatever type their new values need. */
  numbers?: ReadonlySet<string> | undefined
  /** The only decimal mark. */
  decimal?: DecimalMark | undefined
  /** Whether columns without a chosen type may be in any notation. */
  isDraft: boolean
  /** Columns in canonical notation. */
  known?: ReadonlyMap<string, KnownColumn> | undefined
  /** Columns with texts of this service, which show nothing about the notations of the file. */
  written?: WrittenColumns | undefined
}

/** Columns with decimal commas, and with dates whose day comes first, that this service wrote. */
export interface WrittenColumns {
  commas: ReadonlySet<string>
  dates: ReadonlySet<string>
}

interface Counted {
  notation: Notation
  filled: number
  fitting: number
  /** Whether there is a value that the notation needs. */
  hasNeeded: boolean
}

/** Chooses the first notation that fits all values of a column; none means text. */
export const chooseTypes = async (
  input: ChoiceInput,
  before: ChosenColumn[] = [],
  only?: ReadonlySet<string>,
): Promise<ChosenColumn[]> => {
  const { columns, types, isDraft, known, written } = input
  const asked = columns.filter(
    (name) => !known?.has(name) && ownValue(types, name) !== 'text' && (!only || only.has(name)),
  )
  const plain = await countFitting(input, asked, (name) => candidatesOf(input, name, 'plain'))
  const fitsAll = ({ filled, fitting }: Counted) => filled > 0 && fitting === filled
  const fits = (counted: Counted) => fitsAll(counted) && counted.hasNeeded
  const unfit = asked.filter((name) => !plain.get(name)?.some(fits))
  const hasNone = (counted: Counted[] | undefined) => counted?.every(({ filled }) => filled === 0) ?? false
  const likely = isDraft ? await likelyColumns(input, unfit) : new Set()
  const open = unfit.filter((name) => ownValue(types, name) || likely.has(name))
  const wider = await countFitting(input, open, (name) => {
    const more = candidatesOf(input, name, 'accounting')
    return ownValue(types, name) ? [...more, ...candidatesOf(input, name, 'wide')] : more
  })
  return columns.map((name) => {
    const ready = known?.get(name)
    if (ready) return { name, writing: canonicalNotation(ready, ownValue(types, name)) }
    const earlier = before.find((one) => one.name === name)
    if (!asked.includes(name)) return earlier ?? { name, writing: undefined }
    const counted = [...(plain.get(name) ?? []), ...(wider.get(name) ?? [])]
    // Folders: their dates have the day first, as always.
    const usable = isDraft ? counted : counted.filter(({ notation }) => notation.order !== 'monthFirst')
    const writing = usable.find(fits)?.notation
    // A mark of a missing value is no fault where a notation takes it for one.
    const shareOf = ({ filled, fitting }: Counted) => (filled === 0 ? 1 : fitting / filled)
    const best = usable.reduce<Counted | undefined>(
      (most, one) => (!most || shareOf(one) > shareOf(most) ? one : most),
      undefined,
    )
    const shows = written?.commas.has(name) ? undefined : markOf(usable)
    const showsOrder = written?.dates.has(name) ? undefined : orderOf(counted)
    const isEmpty = hasNone(plain.get(name)) || (wider.has(name) && hasNone(wider.get(name)))
    const shown = { shows, showsOrder, isEmpty }
    // A declared type is kept, and the values that do not fit are then refused.
    if (ownValue(types, name) && !writing) return { name, writing: best?.notation, ...shown }
    if (!writing) {
      const waiting = counted.find(fitsAll)?.notation
      return { name, writing, nearly: nearlyOf(counted) ?? earlier?.writing, waiting, ...shown }
    }
    const { order, decimal, reach, type } = writing
    const isOther = (other: Notation) =>
      order ? other.type === type && other.order && other.order !== order : other.decimal !== decimal
    const isTwin = (one: Counted) => fits(one) && one.notation.reach === reach && isOther(one.notation)
    const twin = order || decimal ? usable.find(isTwin)?.notation : undefined
    return twin ? { name, writing, twin } : { name, writing, ...shown }
  })
}

/** Returns columns of which nearly all values may fit an accounting notation. */
const likelyColumns = async ({ database, source }: ChoiceInput, names: string[]): Promise<Set<string>> => {
  if (names.length === 0) return new Set()
  const list = names.map((name) => `${likelySql(name)} >= ${NEARLY} * count(${strippedSql(name)})`)
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  return new Set(names.filter((_name, index) => row[index] === true))
}

const candidatesOf = (
  { delimiter, decimal, isDraft, types, written }: ChoiceInput,
  name: string,
  reach: Notation['reach'],
): Notation[] => {
  const first = delimiter === ',' ? '.' : ','
  const only = written?.commas.has(name) ? ',' : decimal
  const order = written?.dates.has(name) ? 'dayFirst' : undefined
  const all = notationsOf(reach, { first, only, order, bigIntegers: !isDraft })
  const type = ownValue(types, name)
  return type ? all.filter((one) => one.type === type) : all
}

const countFitting = async (
  { database, source }: ChoiceInput,
  names: string[],
  candidatesFor: (name: string) => Notation[],
): Promise<Map<string, Counted[]>> => {
  const asked = names.map((name) => ({ name, candidates: candidatesFor(name) }))
  const sums = asked.flatMap(({ name, candidates }) =>
    candidates.length === 0
      ? []
      : [
          // All candidates of one call have the same empty values, but for the wide ones.
          `${filledSql(name, candidates[0] as Notation)}::DOUBLE`,
          ...candidates.flatMap((notation) => {
            const needed = neededSql(name, notation)
            return [
              `count(${convertedSql(name, notation)})::DOUBLE`,
              needed ? `count_if(${needed})::DOUBLE` : '1',
            ]
          }),
        ],
  )
  const [counts = []] = sums.length ? await database.load(`SELECT ${sums.join(', ')} FROM ${source}`) : []
  const numbers = counts.map(Number)
  return new Map(
    asked.map(({ name, candidates }) => {
      const [filled = 0, ...found] = numbers.splice(0, candidates.length && candidates.length * 2 + 1)
      const countedOf = (notation: Notation, index: number): Counted => {
        const [fitting = 0, needed = 0] = found.slice(index * 2, index * 2 + 2)
        return { notation, filled, fitting, hasNeeded: needed > 0 }
      }
      return [name, candidates.map(countedOf)]
    }),
  )
}

/** Returns the notation of nearly all values; another one of the same share is no better. */
const nearlyOf = (counted: Counted[]): Notation | undefined => {
  const near = counted.filter(
    ({ filled, fitting, hasNeeded }) => hasNeeded && filled > 0 && fitting >= filled * NEARLY,
  )
  const most = Math.max(...near.map(({ filled, fitting }) => fitting / filled))
  return near.find(({ filled, fitting }) => fitting / filled === most)?.notation
}

/** Returns the decimal mark that fits a column better, if its values are numbers. */
const markOf = (counted: Counted[]): DecimalMark | undefined =>
  betterOf(counted, [',', '.'], ({ decimal }) => decimal)

/** Returns the order that fits a column better, if its values are dates. */
const orderOf = (counted: Counted[]): DateOrder | undefined =>
  betterOf(counted, ['dayFirst', 'monthFirst'], ({ order }) => order)

/** Returns which of two ways to write values fits more of them, if it fits nearly all. */
const betterOf = <Way>(
  counted: Counted[],
  [one, other]: [Way, Way],
  wayOf: (notation: Notation) => Way | undefined,
): Way | undefined => {
  const share = (way: Way) =>
    Math.max(
      0,
      ...counted
        .filter(({ notation, filled }) => wayOf(notation) === way && filled > 0)
        .map(({ filled, fitting }) => fitting / filled),
    )
  const [first, second] = [share(one), share(other)]
  if (Math.max(first, second) < NEARLY || first === second) return undefined
  return first > second ? one : other
}

/** Returns the marks that the columns show for certain. */
export const evidenceOf = (columns: ChosenColumn[]): Evidence => shownBy(columns.map(({ shows }) => shows))

/** Returns the marks that the columns show, with those of values that may be codes. */
export const possibleEvidenceOf = (columns: ChosenColumn[]): Evidence =>
  shownBy(columns.map(({ shows, mayShow }) => shows ?? mayShow))

/** Returns the orders of dates that the columns show. */
export const orderEvidenceOf = (columns: ChosenColumn[]): OrderEvidence =>
  shownBy(columns.map(({ showsOrder }) => showsOrder))

const shownBy = <Way extends string>(ways: (Way | undefined)[]): Way | 'both' | 'none' => {
  const [one, other] = new Set(ways.filter((way) => way !== undefined))
  return other ? 'both' : (one ?? 'none')
}

/** Returns the columns without the twins that are the same values, such as 'R$ 5' and 05/05/2026. */
export const withoutEqualTwins = async (
  { database, source }: ChoiceInput,
  columns: ChosenColumn[],
): Promise<ChosenColumn[]> => {
  const pairs = columns.flatMap(({ name, writing, twin }) =>
    writing && twin ? [{ name, writing, twin }] : [],
  )
  if (pairs.length === 0) return columns
  const list = pairs.map(
    ({ name, writing, twin }) =>
      `bool_or((${convertedSql(name, writing)}) IS DISTINCT FROM (${convertedSql(name, twin)}))`,
  )
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  const equal = new Set(pairs.filter((_pair, index) => row[index] !== true).map(({ name }) => name))
  return columns.map((column) => (equal.has(column.name) ? { ...column, twin: undefined } : column))
}

/**
 * Returns the columns with values that say something else, such as those after the sample, and the
 * columns of numbers whose texts are all short.
 */
export const oddColumns = async (
  { database, source }: Pick<ChoiceInput, 'database' | 'source'>,
  columns: ChosenColumn[],
): Promise<{ odd: Set<string>; short: Set<string> }> => {
  const typed = columns.flatMap(({ name, writing }) =>
    writing ? [{ name, test: isOtherNotationSql(name, writing) }] : [],
  )
  // Rows far below may have the first values.
  const empty = columns.flatMap(({ name, isEmpty }) =>
    isEmpty
      ? [{ name, test: `${strippedSql(name)} IS NOT NULL AND NOT ${isMissingSql(strippedSql(name))}` }]
      : [],
  )
  const waiting = columns.flatMap(({ name, waiting: notation }) => {
    const test = notation && neededSql(name, notation)
    return test ? [{ name, test }] : []
  })
  const tested = [...typed, ...empty, ...waiting]
  if (!tested.length) return { odd: new Set(), short: new Set() }
  const numbers = columns.flatMap(({ name, writing }) => (writing?.type === 'number' ? [name] : []))
  const list = [
    ...tested.map(({ test }) => `bool_or(${test})`),
    ...numbers.map((name) => `coalesce(max(length(${strippedSql(name)})), 0) <= ${EXACT_DIGITS}`),
  ].join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  return {
    odd: new Set(tested.filter((_one, index) => row[index] === true).map(({ name }) => name)),
    short: new Set(numbers.filter((_name, index) => row[tested.length + index] === true)),
  }
}
