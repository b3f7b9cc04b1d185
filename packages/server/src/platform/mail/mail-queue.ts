import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { type Claimed, claimDue, type WorkTable } from '../jobs/work-queue.ts'

/** The lease of a claimed message, in milliseconds: longer than a delivery. */
export const LEASE_MS = 120_000

export const mailQueue: WorkTable<'mensagem'> = {
  table: 'mensagem',
  id: 'idMensagem',
  due: 'proximaEm',
  lease: 'proximaEm',
  attempts: 'tentativas',
}

export type ClaimedMail = Claimed<'mensagem'>

/** Claims messages that are due. `erro`, the code of a failure, is empty until the attempt fails. */
export const claimMails = (db: Db, limit: number): Promise<ClaimedMail[]> =>
  claimDue(db, mailQueue, { leaseMs: LEASE_MS, limit, set: { erro: null } })

/** SQL: whether the message waits for its next attempt after a failure; no process holds its lease. */
export const isWaiting = sql<boolean>`mensagem.erro is not null`
