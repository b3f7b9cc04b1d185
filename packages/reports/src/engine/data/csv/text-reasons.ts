import { ownValue } from '@bi-manager/contract/own-value'
import { quote } from '../database/database.ts'
import type { ChoiceInput, ChosenColumn } from './csv-choice.ts'
import { convertedSql, type Notation, notationsOf } from './csv-notations.ts'
import { numbered, RECORD, type Remark, type Rows, valueText, whyOther } from './csv-remarks.ts'
import { hyphenatedSql, isMissingSql, strippedSql } from './field-sql.ts'

/* Says why a column stays text although most of its values look like numbers or dates. */

/** Rows in which such columns are looked for: the values of most texts are none. */
const SAMPLE = 20_000
/** Values look like numbers or dates from this share on. */
const MOST = 0.5
const LONGEST_VALUE = 30
/** Columns that are looked into: each takes about a tenth of a second. */
const MAX_COLUMNS = 20

/** A way to write numbers or dates. */
interface Look {
  /** What a value is, after 'é'. */
  name: string
  isDate: boolean
  test: (column: string) => string
  /** Looks with which it makes one notation, such as 'R$ 5' and '5'. */
  joins?: string[]
  /** Why no notation has it, after the value. */
  fault?: string
}

const fitsAny = (column: string, notations: Notation[]) =>
  notations.length > 0
    ? `(${notations.map((one) => `(${convertedSql(column, one)}) IS NOT NULL`).join(' OR ')})`
    : 'false'
const all = notationsOf('accounting', { first: ',', bigIntegers: false })
const numbers = (shownAs: Notation['shownAs'], decimal?: Notation['decimal']) =>
  all.filter(
    (one) =>
      one.type === 'number' &&
      !one.isDuration &&
      one.shownAs === shownAs &&
      (!decimal || one.decimal === decimal),
  )
const dates = (type: 'date' | 'timestamp', order?: Notation['order']) =>
  all.filter((one) => one.type === type && one.order === order)
const matches = (pattern: string) => (column: string) =>
  `regexp_full_match(${hyphenatedSql(column)}, '${pattern}')`

const SPACES = '[ \\x{00A0}]*'
const DIGITS = '[-+(]?\\d[\\d.,]*\\)?'
const SHORT_DAY = '[0-3]?\\d[/-][0-3]?\\d[/-]\\d{2}'
const OTHER_DAY = '[0-3]?\\d[-.][01]?\\d[-.]\\d{4}'

const LOOKS: Look[] = [
  {
    name: 'um percentual',
    isDate: false,
    test: (column) => `contains(${strippedSql(column)}, '%') AND ${fitsAny(column, numbers('percent'))}`,
  },
  {
    name: 'um valor em R$',
    isDate: false,
    test: matches(`[-+(]?${SPACES}R\\$${SPACES}${DIGITS}`),
    joins: ['um número', 'um número com vírgula decimal', 'um número com ponto decimal'],
  },
  {
    name: 'um valor em outra moeda',
    isDate: false,
    test: matches(
      `[-+(]?${SPACES}([A-Z]{0,3}[$€£¥]|USD|EUR|GBP)${SPACES}${DIGITS}|${DIGITS}${SPACES}([$€£¥]|USD|EUR|GBP)`,
    ),
    fault: 'tem outra moeda que o real. Se são valores de uma só moeda, escreva só os números',
  },
  {
    name: 'um valor em mil, milhões ou bilhões',
    isDate: false,
    test: matches(
      `(?i)[-+(]?${SPACES}(R\\$${SPACES})?${DIGITS}${SPACES}(mil|mi|milh(ão|ao|ões|oes)|bi|bilh(ão|ao|ões|oes))\\.?`,
    ),
    fault: 'tem uma palavra depois do número. Escreva o número inteiro, como 1.200.000',
  },
  {
    name: 'um débito ou crédito',
    isDate: false,
    // '3C' may be a class: an amount has a separator, or a space before its letter.
    test: matches(`(R\\$${SPACES})?([-+(]?\\d+[.,][\\d.,]*\\)?${SPACES}|${DIGITS}[ \\x{00A0}]+)[DCdc]`),
    fault: 'tem a letra de um débito ou crédito. Escreva os débitos com o sinal de menos, como -1.000,00',
  },
  {
    name: 'um número',
    isDate: false,
    test: (column) =>
      `${fitsAny(column, numbers(undefined, ','))} AND ${fitsAny(column, numbers(undefined, '.'))}`,
    joins: ['um número com vírgula decimal', 'um número com ponto decimal'],
  },
  {
    name: 'um número com vírgula decimal',
    isDate: false,
    test: (column) => fitsAny(column, numbers(undefined, ',')),
  },
  {
    name: 'um número com ponto decimal',
    isDate: false,
    test: (column) => fitsAny(column, numbers(undefined, '.')),
  },
  ...(['date', 'timestamp'] as const).flatMap((type): Look[] => {
    const after = type === 'date' ? '' : ' e a hora'
    const [dayFirst, monthFirst] = [dates(type, 'dayFirst'), dates(type, 'monthFirst')]
    const inOrder = [
      `uma data com o dia antes do mês${after}`,
      `uma data com o mês antes do dia${after}`,
    ] as const
    return [
      {
        name: `uma data como 2026-03-25${after}`,
        isDate: true,
        test: (column) => fitsAny(column, dates(type)),
      },
      {
        name: `uma data com barras${after}`,
        isDate: true,
        test: (column) => `${fitsAny(column, dayFirst)} AND ${fitsAny(column, monthFirst)}`,
        joins: [...inOrder],
      },
      { name: inOrder[0], isDate: true, test: (column) => fitsAny(column, dayFirst) },
      { name: inOrder[1], isDate: true, test: (column) => fitsAny(column, monthFirst) },
    ]
  }),
  {
    name: 'uma data com o ano de dois algarismos',
    isDate: true,
    test: matches(`${SHORT_DAY}( .*)?`),
    fault: 'tem o ano com dois algarismos. Escreva-o com quatro, como 05/03/2026',
  },
  {
    name: 'uma hora com AM ou PM',
    isDate: true,
    test: matches(`[\\d/.-]{8,10}[T ]+[01]?\\d:[0-5]\\d(:[0-5]\\d)?${SPACES}[AaPp][.]?[Mm][.]?`),
    fault: 'tem AM ou PM. Escreva as horas de 00:00 a 23:59, como 14:30',
  },
  {
    name: 'uma data com traços ou pontos',
    isDate: true,
    test: matches(OTHER_DAY),
    fault: 'tem traços ou pontos. Escreva as datas como 25/03/2026 ou 2026-03-25',
  },
]

type Input = Rows & ChoiceInput & { mixed?: ReadonlySet<string> | undefined }

/** How many values of a column have a look, and the first of them. */
interface Found {
  look: Look | undefined
  count: number
  record: number
  text: string
}

/**
 * Returns why columns stay text, by their names. Columns of codes, those of a chosen type, and those
 * of which the reader of spreadsheets says it have their own sentences, or none.
 */
export const textReasons = async (input: Input, columns: ChosenColumn[]): Promise<Map<string, Remark>> => {
  const asked = columns.filter(
    ({ name, writing, code, isEmpty }) =>
      !writing &&
      !code &&
      !isEmpty &&
      !input.known?.has(name) &&
      !input.mixed?.has(name) &&
      !ownValue(input.types, name),
  )
  const likely = await likelyIn(input, asked)
  const reasons = new Map<string, Remark>()
  for (const { name, nearly } of likely) {
    const found = await looksOf(input, name)
    const reason = reasonOf(input, name, found, nearly)
    if (reason) reasons.set(name, reason)
  }
  return reasons
}

/** Returns the columns most of whose first values are short, have a digit and have a look. */
const likelyIn = async ({ database, source }: Input, columns: ChosenColumn[]): Promise<ChosenColumn[]> => {
  if (columns.length === 0) return []
  const first = `(FROM ${source} LIMIT ${SAMPLE})`
  const list = columns.map(({ name }) => {
    const text = strippedSql(name)
    const isShort = `length(${text}) <= ${LONGEST_VALUE} AND regexp_matches(${text}, '\\d')`
    return `count_if(${isShort}) > ${MOST} * count(${filledSql(name)})`
  })
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${first}`)
  const short = columns.filter((_column, index) => row[index] === true)
  const likely: ChosenColumn[] = []
  // One query per column: DuckDB holds the values of every part of an expression. Most texts repeat.
  for (const column of short.slice(0, MAX_COLUMNS)) {
    const { name } = column
    const looks = LOOKS.map(({ test }) => `(${test(name)})`).join(' OR ')
    const [answer] = await database.load(
      `SELECT coalesce(sum(${RECORD}) FILTER (${looks}), 0) > ${MOST} * coalesce(sum(${RECORD}) FILTER (${filledSql(name)} IS NOT NULL), 0)
       FROM (SELECT ${quote(name)}, count(*) AS ${RECORD} FROM ${first} GROUP BY 1)`,
    )
    if (answer?.[0] === true) likely.push(column)
  }
  return likely
}

const filledSql = (column: string) => {
  const text = strippedSql(column)
  return `CASE WHEN NOT ${isMissingSql(text)} THEN ${text} END`
}

/** Returns the looks that a column has, in the order of their first values. */
const looksOf = async (input: Input, name: string): Promise<Found[]> => {
  const cases = LOOKS.map(({ test }, index) => `WHEN ${test(name)} THEN ${index}`).join(' ')
  const text = filledSql(name)
  const rows = await input.database.load(
    `SELECT look, count(*)::DOUBLE, min(record), arg_min(text, record)
     FROM (SELECT CASE ${cases} END AS look, ${RECORD} AS record, ${text} AS text FROM ${numbered(input)})
     WHERE text IS NOT NULL GROUP BY look ORDER BY min(record)`,
  )
  return rows.map(([look, count, record, value]) => ({
    look: look === null ? undefined : LOOKS[Number(look)],
    count: Number(count),
    record: Number(record),
    text: String(value),
  }))
}

const reasonOf = (
  input: Input,
  name: string,
  found: Found[],
  nearly: Notation | undefined,
): Remark | undefined => {
  const other = found.find(({ look }) => !look)
  const looks = found.flatMap((one) => (one.look ? [{ ...one, look: one.look }] : []))
  const total = found.reduce((sum, { count }) => sum + count, 0)
  const stays = `a coluna ${name} fica como texto`
  if (other) {
    if (!nearly && total - other.count <= total * MOST) return undefined
    const areDates = looks.every(({ look }) => look.isDate)
    const areNumbers = looks.every(({ look }) => !look.isDate)
    const type = nearly?.type ?? (areDates ? 'date' : 'number')
    const why = whyOther(other.text, type, !nearly && !areDates && !areNumbers)
    return {
      records: [other.record],
      sentence: (line) => `${stays}: na linha ${line}, ${valueText(other, input)} ${why}`,
    }
  }
  const [one, two] = apart(looks)
  if (one && two)
    return {
      records: [one.record, two.record],
      sentence: (line, next) =>
        `${stays}, porque mistura notações: na linha ${line}, ${valueText(one, input)} é ${one.look.name}, e na linha ${next}, ${valueText(two, input)} é ${two.look.name}`,
    }
  const [first] = looks
  if (!first) return undefined
  return {
    records: [first.record],
    sentence: (line) =>
      first.look.fault
        ? `${stays}: na linha ${line}, ${valueText(first, input)} ${first.look.fault}`
        : `${stays}, porque nenhuma notação serve a todos os valores, como ${valueText(first, input)}, na linha ${line}`,
  }
}

const areOne = (one: Look, other: Look) =>
  one === other || one.joins?.includes(other.name) || other.joins?.includes(one.name)

/** Returns two looks that do not make one notation. */
const apart = <One extends { look: Look }>(looks: One[]): [One, One] | [] => {
  for (const one of looks) for (const other of looks) if (!areOne(one.look, other.look)) return [one, other]
  return []
}
