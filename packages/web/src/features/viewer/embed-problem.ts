import { ApiProblem, problems } from '@bi-manager/contract'

/** What the page says when a report does not open, and what the person can do. */
export interface ViewerProblem {
  title: string
  detail: string
  /** What helps most: 'retry', trying again; 'leave', going to the person's own reports. Both are offered. */
  action: 'retry' | 'leave'
  /** The provider's code, shown small so that it can be quoted to support. */
  code?: string
}

/** Body of the `error` event and of refused calls, as powerbi-client hands it over. */
export interface EmbedError {
  message: string
  detailedMessage?: string
  errorCode?: string
  level?: number
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
  const { message, detailedMessage, errorCode, level } = (first ?? {}) as Partial<EmbedError>
  return { message: typeof message === 'string' ? message : 'Unknown', detailedMessage, errorCode, level }
}

const sentences: Record<string, string> = {
  [tokenExpired]: 'O acesso a este relatório expirou antes de ele abrir. Tente novamente.',
  PowerBINotAuthorizedException:
    'O serviço de BI recusou o acesso a este relatório. Tente novamente; se continuar, avise um administrador.',
  PowerBIEntityNotFound: 'O serviço de BI não encontrou este relatório. Avise um administrador.',
  LoadReportFailed: 'O serviço de BI não conseguiu abrir este relatório. Tente novamente em instantes.',
  OpenConnectionError:
    'O serviço de BI não conseguiu ler os dados deste relatório. Tente novamente em instantes.',
  FailedToLoadModel:
    'O serviço de BI não conseguiu ler os dados deste relatório. Tente novamente em instantes.',
  InvalidParameters: 'O serviço de BI não aceitou a configuração deste relatório. Avise um administrador.',
  InvalidRequest: 'O serviço de BI não aceitou a configuração deste relatório. Avise um administrador.',
}

/** A sentence for an `error` event or a refused call of the embedded report. */
export const embedErrorSentence = ({ message }: EmbedError): string =>
  sentences[message] ?? 'O serviço de BI informou um erro neste relatório. Tente novamente em instantes.'

export const embedProblem = (error: EmbedError): ViewerProblem => ({
  title: 'O relatório não abriu',
  detail: embedErrorSentence(error),
  action: 'retry',
  code: error.message,
})

/** A sentence for a call to the loaded report that was refused or got no answer. */
export const callFailureSentence = (error: unknown): string =>
  error instanceof Error ? error.message : embedErrorSentence(asEmbedError(error))

export const filterProblem = (error: unknown): ViewerProblem => ({
  title: 'O relatório não abriu',
  detail: `Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`,
  action: 'retry',
})

export const watchdogProblem: ViewerProblem = {
  title: 'O relatório está demorando demais',
  detail:
    'O serviço de BI não respondeu em 30 segundos. Confira sua conexão e tente novamente; se continuar, avise um administrador.',
  action: 'retry',
}

/** Said at opening, and when the permission goes while the report is on the screen. */
export const notGranted: ViewerProblem = {
  title: 'Relatório não liberado',
  detail: problems.relatorio_sem_permissao.detail,
  action: 'leave',
}

/** Why a report could not be opened, in words for the page. */
export const openingProblem = (error: unknown): ViewerProblem => {
  if (error instanceof EmbedRefusal)
    return { title: 'O relatório não abriu', detail: error.message, action: 'retry', code: error.name }
  if (!(error instanceof ApiProblem)) return networkProblem
  if (error.codigo === 'relatorio_sem_permissao') return notGranted
  if (error.status === 404)
    return { title: 'Relatório não encontrado', detail: error.message, action: 'leave' }
  if (error.status === 400 || error.status === 422)
    return {
      title: 'Endereço incorreto',
      detail: 'O endereço deste relatório está incompleto ou incorreto. Abra-o pelo menu.',
      action: 'leave',
    }
  const title = error.status >= 502 ? 'O serviço de BI não respondeu como esperado' : 'O relatório não abriu'
  return { title, detail: error.message, action: 'retry' }
}

/** Tried again by itself when the connection is back (see `useReport`). */
export const networkProblem: ViewerProblem = {
  title: 'Sem conexão com o portal',
  detail:
    'Não foi possível falar com o servidor. O relatório abre sozinho quando a conexão voltar; você também pode tentar novamente agora.',
  action: 'retry',
}
