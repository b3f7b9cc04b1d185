import { hasRows } from '../page-data.ts'
import type { EmbeddedPage } from '../report-state.ts'

/** Scripts that only some pages need. */
export interface LazyParts {
  charts: typeof import('./chart.ts') | undefined
  grids: typeof import('./grid-body.ts') | undefined
  matrices: typeof import('./matrix.ts') | undefined
}

export const nothingLoaded: LazyParts = { charts: undefined, grids: undefined, matrices: undefined }

/** What the kinds of visual of a page are drawn by. */
export async function lazyParts({ visuals }: EmbeddedPage): Promise<LazyParts> {
  const kinds = new Set(visuals.map(({ type }) => type).filter(hasRows))
  const isMatrix = kinds.delete('matrix')
  const isTable = kinds.delete('table')
  kinds.delete('card')
  const [charts, grids, matrices] = await Promise.all([
    kinds.size ? import('./chart.ts') : undefined,
    isTable || isMatrix ? loadGrids() : undefined,
    isMatrix ? import('./matrix.ts') : undefined,
  ])
  return { charts, grids, matrices }
}

export const loadGrids = () => import('./grid-body.ts')
