import type { EmbeddedReport } from '@bi-manager/contract'
import { models } from 'powerbi-client'

/**
 * Returns what powerbi-client's validator of paginated reports accepts: no filters, pages or
 * bookmarks (learn.microsoft.com/javascript/api/overview/powerbi/embed-paginated-report).
 */
export const paginatedConfigOf = (embedded: EmbeddedReport): models.IPaginatedReportLoadConfiguration => {
  const { parametros, painelParametros } = embedded
  return {
    type: 'report',
    id: embedded.reportId,
    embedUrl: embedded.embedUrl,
    accessToken: embedded.embedToken,
    tokenType: models.TokenType.Embed,
    parameterValues: parametros.map(({ nome, valor }) => ({ name: nome, value: valor })),
    settings: { commands: { parameterPanel: { enabled: painelParametros, expanded: painelParametros } } },
  }
}

/** Milliseconds after `load` when a page that has not answered is shown. */
const answerLimitMs = 10_000

/**
 * Calls `onShown` once, when the page of a paginated report accepts it. Such a page emits neither
 * `loaded` nor `rendered`, and shows its own progress. Microsoft does not document that it answers:
 * a page that has loaded and says nothing is shown after a time.
 */
export const onPaginatedShown = (frame: HTMLElement, signal: AbortSignal, onShown: () => void): void => {
  const life = new AbortController()
  const until = AbortSignal.any([signal, life.signal])
  const show = () => {
    life.abort()
    onShown()
  }
  const waitForAnswer = () => {
    const timer = setTimeout(show, answerLimitMs)
    until.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  frame.addEventListener('accepted', show, { once: true, signal: until })
  // A refused report is reported as an error.
  frame.addEventListener('error', () => life.abort(), { signal: until })
  // Capture, because the iframe's `load` event does not bubble.
  frame.addEventListener('load', waitForAnswer, { once: true, capture: true, signal: until })
}
