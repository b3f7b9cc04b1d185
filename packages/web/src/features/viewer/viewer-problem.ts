import { problems } from '@bi-manager/contract'

/** What the page says when a report does not open, and what the person can do. */
export interface ViewerProblem {
  title: string
  detail: string
  /** What helps most: 'retry', trying again; 'leave', going to the person's own reports. Both are offered. */
  action: 'retry' | 'leave'
  /** The provider's code, shown small so that it can be quoted to support. */
  code?: string
  /** When it is opened again by itself; absent: when somebody asks. */
  reopens?: Reopening
}

/**
 * 'connection': when the portal can be reached again; 'access': when what the person may see has changed; or after some
 * seconds, twice as long after each failure unless the other side named the time.
 */
export type Reopening = 'connection' | 'access' | Wait

interface Wait {
  seconds: number
  isNamed: boolean
}

export const waitFor = (seconds: number): Wait => ({ seconds, isNamed: false })
export const waitAsTold = (seconds: number): Wait => ({ seconds, isNamed: true })

const longestWaitSeconds = 120
/** What another service names is believed so far. */
const longestNamedSeconds = 3_600

/** Milliseconds to wait after the `attempts`th attempt by itself, 0 for the first wait. */
export const reopenDelayMs = ({ seconds, isNamed }: Wait, attempts: number): number =>
  1_000 *
  (isNamed ? Math.min(seconds, longestNamedSeconds) : Math.min(seconds * 2 ** attempts, longestWaitSeconds))

export const inSeconds = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}

/** Said at opening, and when the permission goes while the report is on the screen. */
export const notGranted: ViewerProblem = {
  title: 'Relatório não liberado',
  detail: problems.relatorio_sem_permissao.detail,
  action: 'leave',
  reopens: 'access',
}

export const networkProblem: ViewerProblem = {
  title: 'Sem conexão com o portal',
  detail:
    'Não foi possível falar com o servidor. O relatório abre sozinho quando a conexão voltar; você também pode tentar novamente agora.',
  action: 'retry',
  reopens: 'connection',
}

export const silentFrame: ViewerProblem = {
  title: 'O relatório está demorando demais',
  detail:
    'O serviço de BI não respondeu em 30 segundos. Confira sua conexão e tente novamente; se continuar, avise um administrador.',
  action: 'retry',
  reopens: waitFor(30),
}

export const blockedFrame: ViewerProblem = {
  title: 'O navegador bloqueou o relatório',
  detail: 'O endereço do serviço de BI não está entre os que o portal pode mostrar. Avise um administrador.',
  action: 'retry',
  code: 'frame-src',
}
