import type { ProblemCode } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { ConnectionServices } from '../../../connections/index.ts'
import { PAUSES, pauseAfter } from '../../../platform/jobs/work-queue.ts'
import { Problem } from '../../../platform/lib/problem.ts'

/* What the steps of a run have in common. */

export type SubscriptionServices = Pick<
  ConnectionServices,
  | 'config'
  | 'db'
  | 'secrets'
  | 'files'
  | 'powerBi'
  | 'embedIssuer'
  | 'refreshHistories'
  | 'capacityGate'
  | 'writeAudit'
  | 'now'
>
export type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>

/** Returns the text of a failure for owner and ADMINs. */
export const sentenceOf = (error: unknown, log: Log): string => {
  if (error instanceof Problem) return changedContent[error.codigo] ?? error.message
  log.error({ err: error }, 'a step of a subscription failed')
  return 'O envio falhou por um erro do portal, que está no registro (log).'
}

/** Texts for problems that stay until the owner edits the subscription. */
const changedContent: Partial<Record<ProblemCode, string>> = {
  exportacao_recusada:
    'O serviço de BI não aceitou o conteúdo da assinatura: a página, um visual ou as seleções podem não existir mais. Edite a assinatura.',
  exportacao_sem_formato: 'O relatório não pode mais ser enviado neste formato. Edite a assinatura.',
}

/**
 * Returns the milliseconds before a step is repeated; undefined when it is given up.
 * @param isRepeated whether another attempt may succeed
 */
export const pauseOf = (error: unknown, attempts: number, isRepeated = mayPass): number | undefined =>
  isRepeated(error)
    ? pauseAfter(attempts, PAUSES, error instanceof Problem ? error.retryAfter : undefined)
    : undefined

/** Whether the provider may answer within minutes. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof Problem) || error.status >= 503 || error.codigo === 'bi_resposta_invalida'
