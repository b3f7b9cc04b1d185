import type { ProblemCode } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { ConnectionServices } from '../../../connections/index.ts'
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

/** Repetitions of a step that failed or was interrupted, and the wait before each. */
export const REPEATS = 5
const AGAIN_MS = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000]

export const waitBefore = (repeticoes: number): number => AGAIN_MS[repeticoes] ?? 10 * 60_000

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

/** Whether the provider may answer within minutes. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof Problem) || error.status >= 503 || error.codigo === 'bi_resposta_invalida'
