import type { ISlicerState } from 'powerbi-models'
import { isRecord } from '../../definitions/is-record.ts'
import type { EmbeddedVisual, Filter } from '../../wire/embed-contract.ts'
import { isBasic, readFilters, sameTarget } from './filters.ts'
import { problem } from './problem.ts'
import { type EmbeddedPage, findSlicer, type ReportState, slicerOf } from './report-state.ts'

/** Returns the state of a slicer in powerbi-client's shape. */
export const slicerState = (state: ReportState, page: EmbeddedPage, name: unknown): ISlicerState => {
  const visual = findSlicer(page, name)
  const filters = slicerOf(state, page.name, visual.name) as ISlicerState['filters']
  return { filters, targets: visual.slicer ? [visual.slicer.target] : [] }
}

/**
 * Reads a slicer's filters from a message. They may only concern the slicer's column, and have one
 * value if the slicer is `single`.
 * @throws `InvalidFilter`
 */
export const readSlicerState = (state: ReportState, visual: EmbeddedVisual, input: unknown): Filter[] => {
  const filters = readFilters(isRecord(input) ? input.filters : undefined, state.report.columns)
  const { target, single } = visual.slicer ?? {}
  for (const filter of filters) {
    if (!target || !sameTarget(filter, { target }))
      throw problem(400, 'InvalidFilter', `${visual.title} filtra ${target?.table}/${target?.column} apenas.`)
    if (single && isBasic(filter) && filter.values.length > 1)
      throw problem(400, 'InvalidFilter', `${visual.title} aceita um valor de cada vez.`)
  }
  return filters
}

/** Finds the slicers for a selector of the load message: one by its name, or all of a column. */
export const findSelectedSlicers = ({ report }: ReportState, selector: unknown) => {
  const { visualName, target } = isRecord(selector) ? selector : {}
  const { table, column } = isRecord(target) ? target : {}
  const slicers = report.pages.flatMap(({ name: page, visuals }) =>
    visuals.filter(({ type }) => type === 'slicer').map((visual) => ({ page, visual })),
  )
  const meant = slicers.filter(({ visual: { name, slicer } }) =>
    visualName === undefined
      ? slicer?.target.table === table && slicer?.target.column === column
      : name === visualName,
  )
  if (!meant.length)
    throw problem(404, 'PowerBIEntityNotFound', 'Este relatório não tem esta segmentação de dados.')
  return meant
}
