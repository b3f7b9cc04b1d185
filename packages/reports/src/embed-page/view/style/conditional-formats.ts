import type { Cell, ColumnKind, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { compareNumbers, isNotNumber, isNumberKind, numbersIn } from './column-format.ts'
import { el, icon } from './dom.ts'

/** The tone of a value. Each has its own mark, since not everyone distinguishes the colours. */
export type Tone = 'good' | 'warning' | 'bad'
export type ConditionalFormat = EmbeddedVisual['conditional'][string]

export const toneNames: Record<Tone, string> = { good: 'Bom', warning: 'Atenção', bad: 'Crítico' }
/** Text marks, for canvases. */
export const toneMarks: Record<Tone, string> = { good: '●', warning: '▲', bad: '◆' }

/** Returns the tone of the first rule that matches; undefined when none does. */
export const toneOf = (
  format: ConditionalFormat | undefined,
  value: Cell | undefined,
  kind: ColumnKind | undefined,
): Tone | undefined => {
  if (format?.kind !== 'rules' || value === null || value === undefined || isNotNumber(value))
    return undefined
  return format.rules.find((rule) => holds(rule.operator, compare(value, rule.value, kind)))?.tone
}

/** Returns the minimum and maximum of a column; undefined when it has no numbers. */
export const rangeOf = (data: VisualData, column: string): [number, number] | undefined => {
  const numbers = numbersIn(data, data.columns.indexOf(column))
  return numbers.length
    ? [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))]
    : undefined
}

/** Returns the position of a number in a range, from 0 to 1. */
export const shareOf = (value: number, [least, greatest]: readonly [number, number]) =>
  greatest === least ? 1 : Math.min(Math.max((value - least) / (greatest - least), 0), 1)

/** Creates the mark of a tone, with its name for screen readers unless a visible text says it. */
export const createToneMark = (tone: Tone, named = true): HTMLElement =>
  el(
    'span',
    { class: `tone tone-${tone}` },
    icon(shapes[tone], 10),
    named && el('span', { class: 'hidden-text' }, toneNames[tone]),
  )

const shapes: Record<Tone, string> = {
  good: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4z',
  warning: 'M5 .8 9.6 9.2H.4z',
  bad: 'M5 .3 9.7 5 5 9.7.3 5z',
}

/** Compares a column of numbers with a number as numbers, everything else as text. */
const compare = (value: Cell, limit: number | string, kind: ColumnKind | undefined) => {
  const isNumber = typeof limit === 'number' || /^-?\d+(\.\d+)?$/.test(limit)
  if (isNumberKind(kind) && isNumber && typeof value !== 'boolean' && value !== null)
    return compareNumbers(value, limit)
  const [a, b] = [String(value), String(limit)]
  return a < b ? -1 : a > b ? 1 : 0
}

const holds = (operator: string, order: number) =>
  ({
    '<': order < 0,
    '<=': order <= 0,
    '>': order > 0,
    '>=': order >= 0,
    '=': order === 0,
    '!=': order !== 0,
  })[operator] === true
