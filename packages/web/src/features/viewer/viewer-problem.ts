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
  longestSeconds?: number
}

const longestWaitSeconds = 120

/** What another service names is believed so far. */
const longestNamedSeconds = 3_600

export const waitFor = (seconds: number): Wait => ({ seconds, isNamed: false })
export const waitAsTold = (seconds: number): Wait => ({ seconds, isNamed: true })

/** A service that is started again is back within seconds: 1, 2, 4, 8, 15, 15 … s. */
export const untilBack: Wait = { ...waitFor(1), longestSeconds: 15 }

/** Up to a fifth sooner: the readers of a service that is back do not come at one moment. */
const withJitter = (ms: number): number => Math.round(ms * (0.8 + 0.2 * Math.random()))

/** Milliseconds to wait after the `attempts`th attempt by itself, 0 for the first wait. */
export const reopenDelayMs = (
  { seconds, isNamed, longestSeconds = longestWaitSeconds }: Wait,
  attempts: number,
): number =>
  isNamed
    ? 1_000 * Math.min(seconds, longestNamedSeconds)
    : withJitter(1_000 * Math.min(seconds * 2 ** attempts, longestSeconds))

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
  reopens: waitFor(5),
}

export const unreachedFrame: ViewerProblem = {
  title: problems.bi_indisponivel.title,
  detail:
    'O serviço de BI não respondeu. O relatório abre sozinho, com os mesmos filtros, quando ele voltar.',
  action: 'retry',
  reopens: untilBack,
}

export const blockedFrame: ViewerProblem = {
  title: 'O navegador bloqueou o relatório',
  detail: 'O endereço do serviço de BI não está entre os que o portal pode mostrar. Avise um administrador.',
  action: 'retry',
  code: 'frame-src',
}
