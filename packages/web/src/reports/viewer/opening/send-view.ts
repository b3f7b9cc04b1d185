import { reportsApi } from '@bi-manager/contract'
import { call } from '../../../lib/api/api.ts'

const longestView = 600_000

/** Sends a view for statistics; errors are only logged. */
export const sendView = async (id: number, loadedMs: number, renderedMs: number): Promise<void> => {
  const rounded = (ms: number) => Math.min(longestView, Math.round(ms))
  try {
    await call(
      reportsApi.recordView,
      { params: { id }, body: { carregadoMs: rounded(loadedMs), renderizadoMs: rounded(renderedMs) } },
      { signal: AbortSignal.timeout(15_000) },
    )
  } catch (error) {
    console.warn('A visualização não pôde ser registrada.', error)
  }
}
