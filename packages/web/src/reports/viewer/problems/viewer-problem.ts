import { problems } from '@bi-manager/contract'

/** What the page shows when a report does not open, and what the user can do. */
export interface ViewerProblem {
  title: string
  detail: string
  /**
   * The primary button: 'retry' tries again, 'leave' goes to the user's reports. Both are shown.
   */
  action: 'retry' | 'leave'
  /** The provider's code, shown so that the user can quote it to support. */
  code?: string
  /** The form that an administrator solves it in. */
  form?: 'report' | 'person'
  /** The capacity of the report is starting: the page shows its progress. */
  isStarting?: true
  /** When the report is reopened automatically; absent when only a manual retry reopens it. */
  reopens?: Reopening
}

/**
 * 'connection': when the portal is reachable again; 'access': when the user's access has changed;
 * `Wait`: after some seconds, doubled after each failure unless the server named the time.
 */
export type Reopening = 'connection' | 'access' | Wait

interface Wait {
  seconds: number
  isNamed: boolean
  longestSeconds?: number
}

const longestWaitSeconds = 120

/** Upper limit for a time that a server named. */
const longestNamedSeconds = 3_600

/** A wait that the viewer chose; it doubles after each failure. */
export const waitFor = (seconds: number): Wait => ({ seconds, isNamed: false })
/** A wait that the server named (Retry-After); it is kept after failures. */
export const waitAsNamed = (seconds: number): Wait => ({ seconds, isNamed: true })

/** A restarting service is back within seconds: 1, 2, 4, 8, 15, 15 … s. */
export const restartBackoff: Wait = { ...waitFor(1), longestSeconds: 15 }

/** Up to a fifth sooner, so that the users do not all reconnect to a restarted service at once. */
const withJitter = (ms: number): number => Math.round(ms * (0.8 + 0.2 * Math.random()))

/** Returns the milliseconds to wait after `attempts` automatic attempts; 0 gives the first wait. */
export const reopenDelayMs = (
  { seconds, isNamed, longestSeconds = longestWaitSeconds }: Wait,
  attempts: number,
): number =>
  isNamed
    ? 1_000 * Math.min(seconds, longestNamedSeconds)
    : withJitter(1_000 * Math.min(seconds * 2 ** attempts, longestSeconds))

/** Shown at opening, and when the user loses the permission while the report is on the screen. */
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
  reopens: restartBackoff,
}

export const blockedFrame: ViewerProblem = {
  title: 'O navegador bloqueou o relatório',
  detail: 'O endereço do serviço de BI não está entre os que o portal pode mostrar. Avise um administrador.',
  action: 'retry',
  code: 'frame-src',
}
