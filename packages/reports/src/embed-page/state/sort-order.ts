import { ownValue } from '@bi-manager/contract/own-value'
import { isRecord } from '../../definitions/is-record.ts'
import { visualTypes } from '../../definitions/visual-types.ts'
import type { Cell, EmbeddedVisual, Sort } from '../../wire/embed-contract.ts'
import { LEVEL_COLUMN } from '../../wire/wire-names.ts'
import { atLevel } from './drill-level.ts'
import { problem } from './problem.ts'

/** Reads a sort order that a bookmark stored. */
export const readSort = (input: unknown): Sort => {
  const { column, descending } = isRecord(input) ? input : {}
  if (typeof column !== 'string' || typeof descending !== 'boolean') throw invalid('A ordem é desconhecida.')
  return { column, descending }
}

/**
 * Reads Power BI's `ISortByVisualRequest`. `orderBy` names a column of the model that the visual
 * shows, or a column of its rows by name or heading. `path` is the visual's drill path.
 */
export const readSortBy = (
  visual: EmbeddedVisual,
  path: readonly Cell[],
  { orderBy, direction }: Record<string, unknown>,
): Sort => {
  if (direction !== ASCENDING && direction !== DESCENDING)
    throw invalid('direction deve ser 1 (crescente) ou 2 (decrescente).')
  const column = columnOf(visual, path, orderBy)
  if (column === undefined) throw invalid(`${visual.title} não mostra esta coluna.`)
  return { column, descending: direction === DESCENDING }
}

/** @throws `InvalidVisual` for visuals whose rows have no order of their own */
export const checkSortable = ({ type, title }: EmbeddedVisual): void => {
  const { body } = visualTypes[type]
  if (body !== 'chart' && body !== 'table') throw problem(400, 'InvalidVisual', `${title} não tem ordem.`)
}

const columnOf = (visual: EmbeddedVisual, path: readonly Cell[], orderBy: unknown) => {
  const { table, column, measure = column } = isRecord(orderBy) ? orderBy : {}
  if (typeof measure !== 'string') throw invalid('orderBy deve ter table e column ou measure.')
  const level = visual.drill?.levels[path.length]
  const { select, labels } = atLevel(visual, path)
  const isShown = (target: { table: string; column: string } | undefined) =>
    target !== undefined && target.table === table && target.column === measure
  if (level && (isShown(level.target) || level.column === measure)) return LEVEL_COLUMN
  if (select && isShown(select.target)) return select.column
  const isNamed = (text: string | undefined) => text?.toLowerCase() === measure.toLowerCase()
  return visual.columns.find((name) => isNamed(name) || isNamed(ownValue(labels, name)))
}

/* powerbi-models' SortDirection. */
const ASCENDING = 1
const DESCENDING = 2

const invalid = (detail: string) => problem(400, 'InvalidParameters', detail)
