import { hasRows } from '../page-data.ts'
import { problem } from '../problem.ts'
import type { EmbeddedPage } from '../report-state.ts'

export type Charts = typeof import('./chart.ts')

let failures = 0

/**
 * The one script that comes after the page's own: it is most of the weight, and who reads cards and tables does not wait for it.
 * @throws EmbedProblem 503 where it does not come; the next call asks anew
 */
export async function loadCharts(): Promise<Charts> {
  try {
    return await import('./chart.ts').catch(refetch)
  } catch (cause) {
    console.info('O script dos gráficos não chegou.', cause)
    throw problem(
      503,
      'ServiceUnavailable',
      'Uma parte da página do relatório não chegou. Verifique sua conexão.',
    )
  }
}

/** Chromium does not fetch a script again that it could not fetch once, except by another address. The error names its own. */
function refetch(cause: unknown): Promise<Charts> {
  const [address] = /https?:\/\/\S+\.js/.exec(String(cause)) ?? []
  if (!address) throw cause
  failures += 1
  return import(/* @vite-ignore */ `${address}?${failures}`)
}

/** What draws the charts of a page, if it has any. */
export async function chartsOf({ visuals }: EmbeddedPage): Promise<Charts | undefined> {
  return visuals.some(({ type }) => hasRows(type) && !WITHOUT_CHART.has(type)) ? loadCharts() : undefined
}

const WITHOUT_CHART = new Set(['card', 'table', 'matrix'])
