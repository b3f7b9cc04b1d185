import { ownValue } from '@bi-manager/contract'
import { type Reopening, restartBackoff, type ViewerProblem, waitFor } from './viewer-problem.ts'

/* Translates the embed page's `error` events and refused calls into texts for the page. */

/** Body of the `error` event and of refused calls, as powerbi-client passes it on. */
export interface EmbedError {
  message: string
  detailedMessage?: string
  errorCode?: string
  level?: number
  /** Microsoft's embed page puts the cause of its message here. */
  technicalDetails?: unknown
}

/** powerbi-client refused to embed: the host is not trusted, or the configuration is invalid. */
export class EmbedRefusal extends Error {
  constructor(cause: unknown) {
    super('O portal não aceitou o endereço ou a configuração deste relatório. Avise um administrador.', {
      cause,
    })
    this.name = 'EmbedRefusal'
  }
}

export const tokenExpired = 'TokenExpired'

export const asEmbedError = (value: unknown): EmbedError => {
  const first = Array.isArray(value) ? value[0] : value
  const { message, detailedMessage, errorCode, level, technicalDetails } = (first ??
    {}) as Partial<EmbedError>
  return {
    message: typeof message === 'string' ? message : 'Unknown',
    detailedMessage,
    errorCode,
    level,
    technicalDetails,
  }
}

interface Kind {
  title?: string
  detail: string
  action?: ViewerProblem['action']
  /** Seconds until a retry is worthwhile; absent when a person has to fix the cause first. */
  passes?: number
  /** The service did not answer; it may be restarting. */
  isAway?: boolean
}

const paused: Kind = {
  title: 'Serviço de BI pausado',
  detail: 'A capacidade do serviço de BI está pausada. Peça a um administrador que a retome.',
  passes: 60,
}
const unread: Kind = {
  detail: 'O serviço de BI não conseguiu ler os dados deste relatório. Tente novamente em instantes.',
  passes: 15,
}
const failed: Kind = {
  detail: 'O serviço de BI teve um erro ao mostrar este relatório. Tente novamente em instantes.',
  passes: 15,
}
const unaccepted: Kind = {
  detail: 'O serviço de BI não aceitou a configuração deste relatório. Avise um administrador.',
}
const unknown: Kind = {
  detail: 'O serviço de BI informou um erro neste relatório. Tente novamente em instantes.',
}

const kinds: Record<string, Kind> = {
  [tokenExpired]: {
    title: 'O acesso ao relatório expirou',
    detail: 'O acesso a este relatório expirou antes de ele abrir. Tente novamente.',
    passes: 1,
  },
  PowerBINotAuthorizedException: {
    detail:
      'O serviço de BI recusou o acesso a este relatório. Tente novamente; se continuar, avise um administrador.',
  },
  PowerBIEntityNotFound: {
    title: 'Relatório inexistente no serviço de BI',
    detail: 'O serviço de BI não encontrou este relatório. Avise um administrador.',
    action: 'leave',
  },
  LoadReportFailed: {
    detail: 'O serviço de BI não conseguiu abrir este relatório. Tente novamente em instantes.',
    passes: 15,
  },
  InternalServerError: failed,
  InternalError: failed,
  ServiceUnavailable: {
    title: 'Serviço de BI indisponível',
    detail: 'O serviço de BI não respondeu. Confira sua conexão.',
    passes: 1,
    isAway: true,
  },
  ServiceBusy: {
    title: 'Serviço de BI sobrecarregado',
    detail: 'O serviço de BI está ocupado. Aguarde um instante.',
    passes: 10,
  },
  TooManyRequests: {
    title: 'Serviço de BI sobrecarregado',
    detail: 'O serviço de BI recebeu chamadas demais e pediu para aguardar.',
    passes: 30,
  },
  TooManyUnreadAnswers: {
    title: 'Serviço de BI sobrecarregado',
    detail:
      'Há respostas demais de relatórios ainda a caminho. Feche outras janelas, ou aguarde um instante.',
    passes: 30,
  },
  QueryTimeout: {
    detail:
      'A consulta deste relatório demorou demais. Tente novamente, ou use filtros que reduzam os dados.',
  },
  OpenConnectionError: unread,
  FailedToLoadModel: unread,
  InvalidParameters: unaccepted,
  InvalidRequest: unaccepted,
}

/**
 * Microsoft's embed page reports a paused capacity inside other errors, such as FailedToLoadModel.
 */
const pausedCapacity = /capacity\s*(is\s*)?(not\s*active|inactive|paused|suspended)/i

const kindOf = ({ message, detailedMessage, errorCode, technicalDetails }: EmbedError): Kind => {
  const said = [message, detailedMessage, errorCode, JSON.stringify(technicalDetails ?? '')].join(' ')
  return pausedCapacity.test(said) ? paused : (ownValue(kinds, message) ?? unknown)
}

/** Returns a Portuguese sentence for an `error` event or a refused call of the embedded report. */
export const embedErrorSentence = (error: EmbedError): string => kindOf(error).detail

/** Returns whether an error is transient, so that an automatic redraw is worthwhile. */
export const isTransientError = (error: EmbedError): boolean => kindOf(error).passes !== undefined

/** Returns whether the service did not answer, so that an early retry is worthwhile. */
export const isServiceDown = (error: EmbedError): boolean => kindOf(error).isAway === true

/** Returns whether the report no longer exists at the provider. */
export const isReportMissing = ({ message }: EmbedError): boolean => message === 'PowerBIEntityNotFound'

export const embedProblem = (error: EmbedError): ViewerProblem => {
  const { title = 'O relatório não abriu', detail, action = 'retry', passes, isAway } = kindOf(error)
  const again = isAway ? restartBackoff : passes && waitFor(passes)
  const reopens: Reopening | undefined = again || undefined
  return { title, detail, action, code: error.message, ...(reopens ? { reopens } : {}) }
}

/** Returns a Portuguese sentence for a call to the report that was refused or got no answer. */
export const callFailureSentence = (error: unknown): string =>
  error instanceof Error ? error.message : embedErrorSentence(asEmbedError(error))

export const filterProblem = (error: unknown): ViewerProblem => ({
  title: 'O relatório não abriu',
  detail: `Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`,
  action: 'retry',
})
