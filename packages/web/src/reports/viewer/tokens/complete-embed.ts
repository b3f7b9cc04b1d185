import { type EmbeddedReport, panelFieldsOf } from '@bi-manager/contract'

/** Fields that 0.2.0 does not send. A field that is added to the answer belongs here. */
type LaterField = 'filtrosPainel' | 'tipoRelatorio' | 'parametros' | 'painelParametros'

export type EmbedAnswer = Omit<EmbeddedReport, LaterField> & Partial<Pick<EmbeddedReport, LaterField>>

/**
 * Adds what a portal of an earlier version does not send: during a rolling upgrade (ADR 0039)
 * it answers pages of this version. The report is then interactive and declares no panel filters.
 */
export const completeEmbed = (answer: EmbedAnswer): EmbeddedReport => ({
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: true,
  ...answer,
  filtrosPainel: answer.filtrosPainel ?? panelFieldsOf({ operadora: answer.operadoraRelatorio }),
})
