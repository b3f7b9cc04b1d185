import { type Reopening, untilBack, type ViewerProblem, waitFor } from './viewer-problem.ts'

/* What the report's own page says went wrong: its `error` events and refused calls. */

/** Body of the `error` event and of refused calls, as powerbi-client hands it over. */
export interface EmbedError {
  message: string
  detailedMessage?: string
  errorCode?: string
  level?: number
  /** Microsoft's page says there what lies behind its own message. */
  technicalDetails?: unknown
}

/** powerbi-client would not embed: the address is of no trusted host, or the configuration is not valid. */
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
  /** Seconds after which it may have passed; absent: somebody has to do something first. */
  passes?: number
  /** Nobody answers: the service may be starting again. */
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
  QueryTimeout: {
    detail:
      'A consulta deste relatório demorou demais. Tente novamente, ou use filtros que reduzam os dados.',
  },
  OpenConnectionError: unread,
  FailedToLoadModel: unread,
  InvalidParameters: unaccepted,
  InvalidRequest: unaccepted,
}

/** Microsoft's page tells of a paused capacity behind a message of its own, such as FailedToLoadModel. */
const pausedCapacity = /capacity\s*(is\s*)?(not\s*active|inactive|paused|suspended)/i

const kindOf = ({ message, detailedMessage, errorCode, technicalDetails }: EmbedError): Kind => {
  const said = [message, detailedMessage, errorCode, JSON.stringify(technicalDetails ?? '')].join(' ')
  return pausedCapacity.test(said) ? paused : (kinds[message] ?? unknown)
}

/** A sentence for an `error` event or a refused call of the embedded report. */
export const embedErrorSentence = (error: EmbedError): string => kindOf(error).detail

/** Whether an error of a report on the screen may pass, so that it is worth drawing again by itself. */
export const mayPass = (error: EmbedError): boolean => kindOf(error).passes !== undefined

/** The service did not answer at all, so that it is worth asking again soon. */
export const serviceIsAway = (error: EmbedError): boolean => kindOf(error).isAway === true

/** The provider has no such report any more. */
export const reportIsGone = ({ message }: EmbedError): boolean => message === 'PowerBIEntityNotFound'

export const embedProblem = (error: EmbedError): ViewerProblem => {
  const { title = 'O relatório não abriu', detail, action = 'retry', passes, isAway } = kindOf(error)
  const again = isAway ? untilBack : passes && waitFor(passes)
  const reopens: Reopening | undefined = again || undefined
  return { title, detail, action, code: error.message, ...(reopens ? { reopens } : {}) }
}

/** A sentence for a call to the loaded report that was refused or got no answer. */
export const callFailureSentence = (error: unknown): string =>
  error instanceof Error ? error.message : embedErrorSentence(asEmbedError(error))

export const filterProblem = (error: unknown): ViewerProblem => ({
  title: 'O relatório não abriu',
  detail: `Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`,
  action: 'retry',
})
