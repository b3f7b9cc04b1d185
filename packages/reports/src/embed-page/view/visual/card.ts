import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf, isNotNumber, isNumberKind, numberOf, type ShownFormat } from '../style/column-format.ts'
import { createToneMark, rangeOf, shareOf, toneNames, toneOf } from '../style/conditional-formats.ts'
import { el, icon, svg } from '../style/dom.ts'
import { formatCell, formatChange, formatInFull, inFull } from '../style/format.ts'

/**
 * Creates a card: one large number, the first numeric column of the last row. Options name other
 * columns: `value` the main number, `previous` the one to compare with, `trend` a line over all
 * rows, `detail` a second fact. `better` (`up` or `down`) colours the change.
 */
export const createCard = (visual: EmbeddedVisual, data: VisualData): HTMLElement => {
  const { columns, rows } = data
  const last = rows.at(-1) ?? []
  const named = (key: string) => optionColumn(visual, key)
  const cell = (column: string | undefined): Cell | undefined =>
    column === undefined ? undefined : last[columns.indexOf(column)]
  const text = (column: string) => formatCell(cell(column), formatOf(visual, data, column))

  const main = mainColumn(visual, data)
  const detail = named('detail')
  const trend = named('trend')
  const earlier = rows.at(-2)
  const isBefore = earlier?.[columns.indexOf(main)] === cell(named('previous'))
  // When the comparison is with the previous row, its `detail` value names that row.
  const before =
    detail && isBefore
      ? formatCell(earlier?.[columns.indexOf(detail)], formatOf(visual, data, detail))
      : undefined
  const trendIndex = trend ? columns.indexOf(trend) : -1
  const points = isNumberKind(data.kinds[trendIndex]) ? rows.map((row) => numberOf(row[trendIndex])) : []
  const hasTrend = points.filter((point) => point !== undefined).length > 1

  const value = el(
    'p',
    { class: 'card-value', title: fullText(cell(main), formatOf(visual, data, main)) },
    text(main),
  )
  // The style sheet shrinks long numbers instead of cutting them.
  value.style.setProperty('--characters', String(text(main).length))
  return el(
    'div',
    { class: hasTrend ? 'card-body with-trend' : 'card-body' },
    el('div', { class: 'card-top' }, value, hasTrend && sparkline(points)),
    gauge(visual, data, main, cell(main)),
    el(
      'p',
      { class: 'card-notes' },
      isNotNumber(cell(main)) && el('span', { class: 'card-fault' }, NOT_NUMBER),
      detail &&
        el('span', { class: 'card-detail' }, cardDetail(ownValue(visual.labels, detail), text(detail))),
      change(visual, data, main, named('previous'), before),
    ),
  )
}

/** Returns the tone of the card's number in a word, from the `rules` of its column. */
export const createVerdict = (visual: EmbeddedVisual, data: VisualData): HTMLElement | undefined => {
  const main = mainColumn(visual, data)
  const index = data.columns.indexOf(main)
  const tone = toneOf(ownValue(visual.conditional, main), data.rows.at(-1)?.[index], data.kinds[index])
  return tone && el('span', { class: `verdict ${tone}` }, createToneMark(tone, false), toneNames[tone])
}

const optionColumn = ({ option }: EmbeddedVisual, key: string) =>
  typeof option[key] === 'string' ? option[key] : undefined

const mainColumn = (visual: EmbeddedVisual, { columns, kinds, rows }: VisualData): string => {
  const aside = [optionColumn(visual, 'previous'), optionColumn(visual, 'detail')]
  const free = columns.filter((column) => !aside.includes(column))
  const numeric = free.find((column) => {
    const index = columns.indexOf(column)
    return isNumberKind(kinds[index]) && rows.at(-1)?.[index] != null
  })
  return optionColumn(visual, 'value') ?? numeric ?? free[0] ?? ''
}

/** Bar: share of the whole or of the maximum. Scale: position between minimum and maximum. */
const gauge = (visual: EmbeddedVisual, data: VisualData, column: string, cell: Cell | undefined) => {
  const value = numberOf(cell)
  const kind = ownValue(visual.conditional, column)?.kind
  const range = rangeOf(data, column)
  if ((kind !== 'bar' && kind !== 'scale') || value === undefined || !range) return undefined
  const whole = ownValue(visual.format, column) === 'percentual' && range[1] <= 1 ? 1 : range[1]
  const share = shareOf(value, kind === 'scale' ? range : [0, whole])
  const element = el('div', { class: `card-gauge by-${kind}`, 'aria-hidden': 'true' }, el('i'))
  element.style.setProperty('--share-of-it', `${(share * 100).toFixed(1)}%`)
  return element
}

const change = (
  visual: EmbeddedVisual,
  data: VisualData,
  main: string,
  column: string | undefined,
  before: string | undefined,
) => {
  const last = (name: string) => {
    const index = data.columns.indexOf(name)
    return isNumberKind(data.kinds[index]) ? numberOf(data.rows.at(-1)?.[index]) : undefined
  }
  const value = last(main)
  const previous = column && last(column)
  if (!column || value === undefined || typeof previous !== 'number') return undefined
  const format = formatOf(visual, data, main)
  const written = formatChange(value, previous, format)
  if (!written) return undefined
  // A change that formatting hides counts as none.
  const isSame = formatCell(value, format) === formatCell(previous, format)
  const direction = isSame ? 'even' : /^\+/.test(written) ? 'up' : /^−/.test(written) ? 'down' : 'even'
  const verdict =
    !visual.option.better || direction === 'even' ? '' : visual.option.better === direction ? 'good' : 'bad'
  return el(
    'span',
    { class: 'card-change' },
    el('b', { class: `delta ${verdict}` }, icon(arrows[direction], 9), isSame ? 'estável' : written),
    ` ante ${before ?? lowered(ownValue(visual.labels, column) ?? 'período anterior')}`,
  )
}

const NOT_NUMBER = 'Divisão por zero ou dado que não é número.'

/** A month needs no label. */
const cardDetail = (label: string | undefined, text: string) =>
  label && label !== 'Mês' ? `${label} ${text}` : text

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const arrows = { up: 'M5 1 9.5 9h-9z', down: 'M5 9 .5 1h9z', even: 'M0 4h10v2H0z' }

const fullText = (value: Cell | undefined, format: ShownFormat | undefined) => {
  return inFull(format) === format ? undefined : formatInFull(value, format)
}

/** Drawn in a 100 × 32 box that stretches; strokes keep their width. A missing value is a gap. */
const sparkline = (points: readonly (number | undefined)[]): SVGElement => {
  const numbers = points.filter((point) => point !== undefined)
  const low = numbers.reduce((least, point) => Math.min(least, point))
  const span = numbers.reduce((most, point) => Math.max(most, point)) - low || 1
  const lines: { x: string; place: string }[][] = [[]]
  for (const [index, point] of points.entries()) {
    if (point === undefined) lines.push([])
    else {
      const x = ((index / (points.length - 1)) * 100).toFixed(2)
      lines.at(-1)?.push({ x, place: `${x},${(29 - ((point - low) / span) * 26).toFixed(2)}` })
    }
  }
  return svg(
    'svg',
    { class: 'sparkline', viewBox: '0 0 100 32', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...lines
      .filter((line) => line.length > 1)
      .flatMap((line) => {
        const places = line.map(({ place }) => place).join(' ')
        return [
          svg('polygon', {
            points: `${line[0]?.x},32 ${places} ${line.at(-1)?.x},32`,
            class: 'sparkline-area',
          }),
          svg('polyline', {
            points: places,
            class: 'sparkline-line',
            'vector-effect': 'non-scaling-stroke',
          }),
        ]
      }),
  )
}
