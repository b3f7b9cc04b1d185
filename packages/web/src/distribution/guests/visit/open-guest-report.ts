import {
  ApiProblem,
  type Call,
  type EmbeddedReport,
  type GuestReport,
  guestVisitsApi,
} from '@bi-manager/contract'
import { messageOf } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import {
  asEmbedError,
  callFailureSentence,
  embedErrorSentence,
  keepTokenFresh,
  lifeLeftMs,
  portalSettings,
  type Renewal,
  type ReportFrame,
  tokenExpired,
  watchFrame,
} from '../../../reports/index.ts'

const callLimitMs = 60_000
const nothing = () => undefined

interface GuestInput {
  call: Call
  nomeRelatorio: string
  frame: () => Promise<ReportFrame>
  /** Aborted when the page is left or the report is opened again. */
  signal: AbortSignal
  onDrawn: () => void
  /** Called when the portal refuses the visit. */
  onOver: () => void
  /** Called with a sentence on why nothing is drawn. */
  onProblem: (sentence: string) => void
}

/** Draws the report of a visit, and keeps its short-lived token fresh. Never rejects. */
export const openGuestReport = async (input: GuestInput): Promise<void> => {
  const { call, nomeRelatorio, signal, onDrawn, onOver, onProblem } = input
  const ask = () => call(guestVisitsApi.embed, {}, { signal, limitMs: callLimitMs })
  try {
    const [settings, frame, embedded] = await Promise.all([portalSettings(), input.frame(), ask()])
    signal.throwIfAborted()
    const isUnreached = () => settings.origemEmbed !== null && frame.isUnreached
    if (isUnreached()) frame.reset()
    const { origin } = new URL(embedded.embedUrl)
    const waiting = watchFrame({ signal, origin, isUnreached, onFailure: ({ detail }) => onProblem(detail) })
    frame.bootstrap(embedded.embedUrl, nomeRelatorio, false)
    waiting.limit()
    let renewal: Renewal | undefined
    const report = await frame.open(
      asEmbedded(embedded),
      // The menus of visuals offer to export their data.
      { drawLater: false, hasVisualMenus: false, signal },
      {
        onLoaded: () => waiting.end(),
        onRenderingStarted: nothing,
        onRendered: onDrawn,
        onPageChanged: nothing,
        onDataSelected: nothing,
        onIdentityMissing: nothing,
        onError: (error) => {
          waiting.end()
          if (error.message === tokenExpired) renewal?.renewNow()
          else onProblem(embedErrorSentence(error))
        },
      },
    )
    signal.throwIfAborted()
    renewal = keepTokenFresh({
      lifeMs: lifeLeftMs(embedded.expiration, serverNow()),
      renew: async () => {
        const { embedToken, expiration } = await ask()
        await report.setAccessToken(embedToken)
        return lifeLeftMs(expiration, serverNow())
      },
      onFailure: (error) => {
        if (!(error instanceof ApiProblem)) return undefined
        if (error.status === 401) onOver()
        return error.status === 401 || error.status === 403 ? 'stop' : error.retryAfter
      },
    })
    signal.addEventListener('abort', renewal.stop, { once: true })
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof ApiProblem && error.status === 401) onOver()
    else onProblem(error instanceof Error ? messageOf(error) : callFailureSentence(asEmbedError(error)))
  }
}

/** What the portal does not tell guests is empty. */
const asEmbedded = (report: GuestReport): EmbeddedReport => ({
  ...report,
  idRelatorio: 0,
  nomeGrupo: '',
  operadoraRelatorio: '',
  pageName: null,
  filtrosPainel: [],
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: false,
  comentarios: false,
})
