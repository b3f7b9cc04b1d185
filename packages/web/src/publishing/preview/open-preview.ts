import type { EmbeddedReport, PublicationPreview } from '@bi-manager/contract'
import {
  asEmbedError,
  callFailureSentence,
  embedErrorSentence,
  portalSettings,
  type ReportFrame,
  tokenExpired,
  watchFrame,
} from '../../reports/index.ts'

export type ShownPreview = NonNullable<PublicationPreview['previa']>

interface PreviewInput {
  previa: ShownPreview
  nomeRelatorio: string
  /** The page that the author looked at; the first one if it no longer exists. */
  pageName: string | undefined
  frame: () => Promise<ReportFrame>
  /** Aborted when the preview is closed or replaced. */
  signal: AbortSignal
  onDrawn: () => void
  onPage: (name: string) => void
  onExpired: () => void
  /** Called with a sentence on why nothing is drawn. */
  onProblem: (sentence: string) => void
}

/** Draws a report that is not published yet. Never rejects. */
export const openPreview = async (input: PreviewInput): Promise<void> => {
  const { previa, nomeRelatorio, pageName, signal, onDrawn, onPage, onExpired, onProblem } = input
  try {
    const [settings, frame] = await Promise.all([portalSettings(), input.frame()])
    signal.throwIfAborted()
    const isUnreached = () => settings.origemEmbed !== null && frame.isUnreached
    if (isUnreached()) frame.reset()
    const { origin } = new URL(previa.embedUrl)
    const waiting = watchFrame({ signal, origin, isUnreached, onFailure: ({ detail }) => onProblem(detail) })
    frame.bootstrap(previa.embedUrl, nomeRelatorio)
    waiting.limit()
    await frame.open(
      embeddedOf(previa, nomeRelatorio, pageName),
      { drawLater: false, signal },
      {
        onLoaded: () => waiting.end(),
        onRenderingStarted: () => undefined,
        onRendered: onDrawn,
        onPageChanged: onPage,
        onDataSelected: () => undefined,
        onIdentityMissing: () => undefined,
        onError: (error) => {
          waiting.end()
          if (error.message === tokenExpired) onExpired()
          else onProblem(embedErrorSentence(error))
        },
      },
    )
  } catch (error) {
    if (!signal.aborted)
      onProblem(error instanceof Error ? error.message : callFailureSentence(asEmbedError(error)))
  }
}

/** The report has no registration: its id there is of none. */
const embeddedOf = (
  { reportId, embedUrl, embedToken, expiration }: ShownPreview,
  nomeRelatorio: string,
  pageName: string | undefined,
): EmbeddedReport => ({
  reportId,
  embedUrl,
  embedToken,
  expiration,
  nomeRelatorio,
  pageName: pageName ?? null,
  idRelatorio: 0,
  nomeGrupo: '',
  operadoraRelatorio: '',
  filtros: [],
  filtrosPainel: [],
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: false,
  comentarios: false,
})
