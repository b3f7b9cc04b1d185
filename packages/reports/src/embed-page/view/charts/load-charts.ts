import { visualTypes } from '../../../definitions/visual-types.ts'
import { problem } from '../../state/problem.ts'
import type { EmbeddedPage } from '../../state/report-state.ts'

export type Charts = typeof import('./chart.ts')

/**
 * Loads the charts, the only script after the page's own. It is most of the code, and cards and
 * tables do not wait for it.
 * @throws EmbedProblem 503 when loading fails; the next call tries again
 */
export const loadCharts = async (): Promise<Charts> => {
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

/** Chromium does not retry a failed import unless its URL changes. The error contains the URL. */
const refetch = (cause: unknown): Promise<Charts> => {
  const [address] = /https?:\/\/\S+\.js/.exec(String(cause)) ?? []
  if (!address) throw cause
  return import(/* @vite-ignore */ `${address}?${Date.now()}`)
}

/** Loads the charts if the page has any. */
export const chartsOf = async ({ visuals }: EmbeddedPage): Promise<Charts | undefined> => {
  return visuals.some(({ type }) => visualTypes[type].body === 'chart') ? loadCharts() : undefined
}
