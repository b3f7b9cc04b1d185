import { type AuditAction, can } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Db } from '../db/open-database.ts'
import { isActiveAccount } from '../db/queries/expiry.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import { Problem } from '../lib/problem.ts'
import type { Caller } from './callers/caller.ts'
import { type CallingKey, mayUseKeys } from './callers/calling-key.ts'
import type { Services } from './services.ts'

/**
 * Runs the work in one transaction that first checks session, account status and permission again.
 * A change that removes any of them either waits for this transaction or is visible to it.
 * @throws Problem 401 when the session has ended, 403 when the permission was removed
 */
type RunWork = <T>(work: (tx: Db, audit: Audit) => Promise<T>) => Promise<T>

type AuditLine = [action: AuditAction, subject?: string, details?: Record<string, unknown>]

/** Writes an audit line of the caller in a transaction. Details must not contain a secret. */
export type AuditIn = (tx: Db, ...line: AuditLine) => Promise<void>

/** Does that in the transaction of `write`, which passes it to its work. */
export type Audit = (...line: AuditLine) => Promise<void>

export interface Write extends RunWork {
  /** Runs one such transaction per caller at a time, for work on what the caller owns. */
  exclusive: RunWork
  /** Takes a lock before the caller's row, so that two who change each other do not deadlock. */
  after: (takeLock: (tx: Db) => Promise<unknown>) => RunWork
  /** Only checks the caller again, in a transaction of its own. */
  checkCaller: () => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** @returns the `write` passed to the handler of this call */
    writeOf: (request: FastifyRequest) => Write
    /** @returns the `audit` passed to the handler of this call */
    auditOf: (request: FastifyRequest) => AuditIn
  }
}

export const callerTransactions = fp(
  async (app: FastifyInstance, { db, now, writeAudit }: Pick<Services, 'db' | 'now' | 'writeAudit'>) => {
    app.decorate(
      'auditOf',
      (request: FastifyRequest): AuditIn =>
        (tx, action, subject, details) => {
          const idUsuario = request.caller?.idUsuario ?? null
          return writeAudit(tx, { action, idUsuario, subject, details, request })
        },
    )
    app.decorate('writeOf', (request: FastifyRequest): Write => {
      const auditIn = app.auditOf(request)
      const run =
        (lock: RowLock, takeLock?: (tx: Db) => Promise<unknown>): RunWork =>
        (work) =>
          inTransaction(db, async (tx) => {
            await takeLock?.(tx)
            await assertCallerAllowed(tx, request, { now: now(), lock })
            return work(tx, (...line) => auditIn(tx, ...line))
          })
      return Object.assign(run('key share'), {
        exclusive: run('update'),
        after: (takeLock: (tx: Db) => Promise<unknown>) => run('key share', takeLock),
        checkCaller: () => run('key share')(async () => undefined),
      })
    })
  },
)

type RowLock = 'key share' | 'update'

/**
 * Every transaction that removes a role, flag, status or session first locks the person's row `for
 * update` (lockRow), which conflicts with both locks here.
 */
const assertCallerAllowed = async (
  tx: Db,
  { caller, routeOptions }: FastifyRequest,
  { now, lock }: { now: Date; lock: RowLock },
): Promise<void> => {
  const { permission } = routeOptions.config
  if (!caller || !permission) throw new Error('A public call has no caller to check.')
  const row = tx.selectFrom('usuario').select('idUsuario').where('idUsuario', '=', caller.idUsuario)
  await (lock === 'update' ? row.forUpdate() : row.forKeyShare()).execute()
  // A separate statement, so that its snapshot is taken after the wait for the lock.
  const actor = await (caller.chave ? ownerOfKey(tx, caller.chave, now) : ownerOfSession(tx, caller, now))
    .select(['tipoUsuario as tipo', 'acessoProntuario', 'encarregadoDados'])
    .where(isActiveAccount())
    .executeTakeFirst()
  if (!actor) throw new Problem(caller.chave ? 'chave_invalida' : 'sessao_encerrada')
  if (!can(actor, permission)) throw new Problem('sem_permissao')
}

const ownerOfSession = (tx: Db, { idSessao }: Caller, now: Date) =>
  tx
    .selectFrom('usuario')
    .where((eb) =>
      eb(
        'idUsuario',
        'in',
        eb
          .selectFrom('sessao')
          .select('idUsuario')
          .where('idSessao', '=', idSessao)
          .where('encerradaEm', 'is', null)
          .where('expiraEm', '>', now),
      ),
    )

const ownerOfKey = (tx: Db, { idChave }: CallingKey, now: Date) =>
  tx
    .selectFrom('usuario')
    .where(mayUseKeys)
    .where((eb) =>
      eb(
        'idUsuario',
        'in',
        eb
          .selectFrom('chaveApi')
          .select('idUsuario')
          .where('idChave', '=', idChave)
          .where('expiraEm', '>', now),
      ),
    )
