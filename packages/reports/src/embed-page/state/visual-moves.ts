import { ownValue } from '@bi-manager/contract/own-value'
import type { ICustomLayout, ISettings, IVisualLayout } from 'powerbi-models'
import { isRecord } from '../../definitions/is-record.ts'
import type { EmbeddedReport } from '../../wire/embed-contract.ts'
import { problem } from './problem.ts'

/** Returns, by visual of a page, what the embedder moved, resized or hid (a custom layout). */
export const visualLayouts = (
  { settings, report }: { settings: ISettings; report: Pick<EmbeddedReport, 'pages'> },
  page: string,
): Record<string, IVisualLayout> => {
  if (settings.layoutType !== CUSTOM) return {}
  const { defaultLayout, visualsLayout = {} } = ownValue(settings.customLayout?.pagesLayout, page) ?? {}
  if (!defaultLayout) return visualsLayout
  const { visuals = [] } = report.pages.find(({ name }) => name === page) ?? {}
  return Object.fromEntries(
    visuals.map(({ name }) => [name, { ...defaultLayout, ...ownValue(visualsLayout, name) }]),
  )
}

/** Merges a layout message: each message names one visual, and the layout of the others stays. */
export const withLayout = (
  before: ICustomLayout | undefined,
  change: ICustomLayout | undefined,
): ICustomLayout | undefined => {
  if (!change) return before
  const pages = { ...before?.pagesLayout }
  for (const [page, layout] of Object.entries(change.pagesLayout ?? {})) {
    if (!isRecord(layout)) throw problem(400, 'InvalidParameters', `O leiaute de ${page} deve ser um objeto.`)
    const { visualsLayout, ...rest } = layout
    const visuals = { ...ownValue(pages, page)?.visualsLayout }
    for (const [name, layout] of Object.entries(visualsLayout ?? {})) {
      visuals[name] = { ...ownValue(visuals, name), ...readLayout(layout) }
    }
    pages[page] = { ...ownValue(pages, page), ...rest, visualsLayout: visuals }
  }
  return { ...before, ...change, pagesLayout: pages }
}

/** powerbi-models' LayoutType. */
const CUSTOM = 1
/** Canvas units; a visual farther away is never visible. */
const FARTHEST = 10_000

const readLayout = (layout: IVisualLayout | null): IVisualLayout => {
  if (typeof layout !== 'object' || layout === null)
    throw problem(400, 'InvalidParameters', 'O lugar de um visual deve ser um objeto.')
  for (const name of ['x', 'y', 'z', 'width', 'height'] as const) {
    const value: unknown = layout[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0 && value <= FARTHEST))
      throw problem(400, 'InvalidParameters', `${name} deve ser um número de 0 a ${FARTHEST}.`)
  }
  return layout
}
