import type { AuditAction } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../platform/db/open-database.ts'
import { inTransaction } from '../platform/db/transactions/in-transaction.ts'
import { insistOnWrite } from '../platform/db/transactions/insist-on-write.ts'
import type { AuditIn, Write } from '../platform/http/caller-transaction.ts'
import { Problem } from '../platform/lib/problem.ts'
import { expectRefreshes } from '../reports/index.ts'
import type { Concerned } from './concerned.ts'

export interface Order {
  action: AuditAction
  subject: string
  details: Record<string, unknown>
}
type RecordLine = (line: Order) => Promise<void>
interface Lines {
  order: RecordLine
  /** Also when the caller may no longer publish. */
  end: RecordLine
}
type Outcome = { erros: readonly string[]; envolvidos: Concerned }

interface Place {
  db: Db
  connection: { id: number }
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Publishes between two audit lines: before it, since a service that does not answer may still
 * publish; after it, what it concerned and how it ended, since a refusal tells something too. What
 * waits for new data of the datasets starts within a minute. Neither the line after it nor that
 * decides the outcome: a caller who took a publication for a failed one would publish again.
 */
export const auditedPublication = async <T extends Outcome>(
  { db, connection, log }: Place,
  lines: Lines,
  order: Order,
  publish: () => Promise<T>,
): Promise<Omit<T, 'envolvidos'>> => {
  await lines.order(order)
  const close = async (end: Record<string, unknown>, datasets: readonly string[] | 'all') => {
    const line = { ...order, action: 'publication.ended' as const, details: { ...order.details, ...end } }
    await insistOnWrite(() => lines.end(line)).catch((err: unknown) =>
      log.error({ err, subject: order.subject }, 'the end of a publication could not be audited'),
    )
    await expectRefreshes(db, connection.id, datasets).catch((err: unknown) =>
      log.error({ err, subject: order.subject }, 'what waits for published data starts later'),
    )
  }
  let answer: T
  try {
    answer = await publish()
  } catch (error) {
    const codigo = error instanceof Problem ? error.codigo : 'erro_interno'
    await close({ resultado: 'FALHOU', codigo }, mayHavePublished(error) ? 'all' : [])
    throw error
  }
  const { envolvidos, ...outcome } = answer
  const resultado = outcome.erros.length > 0 ? 'RECUSADA' : 'PUBLICADA'
  await close({ resultado, ...envolvidos }, envolvidos.conjuntos)
  return outcome
}

/** Whether the service may have published without saying so: it failed, or its answer was lost. */
const mayHavePublished = (error: unknown): boolean => !(error instanceof Problem) || error.status >= 500

/** The lines of the caller. */
export const ownLines = (db: Db, { write, auditIn }: { write: Write; auditIn: AuditIn }): Lines => ({
  order: ({ action, subject, details }) => write((_tx, audit) => audit(action, subject, details)),
  end: ({ action, subject, details }) => inTransaction(db, (tx) => auditIn(tx, action, subject, details)),
})
