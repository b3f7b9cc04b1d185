import type { AuditAction } from '@bi-manager/contract'
import type { Concerned } from '../../bi/publishing/concerned.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open-database.ts'
import type { AuditCall, Write } from '../../http/caller-transaction.ts'
import { Problem } from '../../lib/problem.ts'
import { expectRefreshes } from '../../subscriptions/refreshed-reports.ts'

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
}

/**
 * Publishes between two audit lines: before it, since a service that does not answer may still
 * publish; after it, what it concerned and how it ended, since a refusal tells something too. What
 * waits for new data of the datasets starts within a minute.
 */
export const auditedPublication = async <T extends Outcome>(
  { db, connection }: Place,
  lines: Lines,
  order: Order,
  publish: () => Promise<T>,
): Promise<Omit<T, 'envolvidos'>> => {
  await lines.order(order)
  const recordEnd = (end: Record<string, unknown>) =>
    lines.end({ ...order, action: 'publication.ended', details: { ...order.details, ...end } })
  let answer: T
  try {
    answer = await publish()
  } catch (error) {
    await recordEnd({ resultado: 'FALHOU', codigo: error instanceof Problem ? error.codigo : 'erro_interno' })
    throw error
  }
  const { envolvidos, ...outcome } = answer
  await expectRefreshes(db, connection.id, envolvidos.conjuntos)
  await recordEnd({ resultado: outcome.erros.length > 0 ? 'RECUSADA' : 'PUBLICADA', ...envolvidos })
  return outcome
}

/** The lines of the caller. */
export const ownLines = (db: Db, { write, audit }: { write: Write; audit: AuditCall }): Lines => ({
  order: ({ action, subject, details }) => write((_tx, audit) => audit(action, subject, details)),
  end: ({ action, subject, details }) => inTransaction(db, (tx) => audit(tx, action, subject, details)),
})
