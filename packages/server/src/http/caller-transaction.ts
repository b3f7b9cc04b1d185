import { can } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'
import type { Services } from './services.ts'

/**
 * Runs the work in one transaction that first checks the caller once more: session, account status and permission. A change that
 * takes any of them away either waits for this transaction or is seen by it.
 * @throws Problem 401 when the session has ended, 403 when the permission was taken away
 */
type RunWork = <T>(work: (tx: Db) => Promise<T>) => Promise<T>

export interface Write extends RunWork {
  /** One such transaction of the caller at a time: for work that counts or changes what the caller owns. */
  exclusive: RunWork
  /** Takes a lock before the caller's row: two callers who change each other queue for it instead of blocking each other. */
  after: (takeLock: (tx: Db) => Promise<unknown>) => RunWork
}

declare module 'fastify' {
  interface FastifyInstance {
    /** @returns the `write` of this call's handler */
    writeOf: (request: FastifyRequest) => Write
  }
}

export const callerTransactions = fp(
  async (app: FastifyInstance, { db, now }: Pick<Services, 'db' | 'now'>) => {
    app.decorate('writeOf', (request: FastifyRequest): Write => {
      const run =
        (lock: RowLock, takeLock?: (tx: Db) => Promise<unknown>): RunWork =>
        (work) =>
          inTransaction(db, async (tx) => {
            await takeLock?.(tx)
            await assertStillAllowed(tx, request, { now: now(), lock })
            return work(tx)
          })
      return Object.assign(run('key share'), {
        exclusive: run('update'),
        after: (takeLock: (tx: Db) => Promise<unknown>) => run('key share', takeLock),
      })
    })
  },
)

type RowLock = 'key share' | 'update'

/**
 * Every transaction that takes a role, a flag, a status or a session away first locks the person's row `for update`
 * (lockRow), which conflicts with both locks here.
 */
const assertStillAllowed = async (
  tx: Db,
  { caller, routeOptions }: FastifyRequest,
  { now, lock }: { now: Date; lock: RowLock },
): Promise<void> => {
  const { permission } = routeOptions.config
  if (!caller || !permission) throw new Error('A public call has no caller to check.')
  const row = tx.selectFrom('usuario').select('idUsuario').where('idUsuario', '=', caller.idUsuario)
  await (lock === 'update' ? row.forUpdate() : row.forKeyShare()).execute()
  // A statement of its own: its snapshot is taken after the wait for the lock.
  const actor = await tx
    .selectFrom('sessao')
    .innerJoin('usuario', 'usuario.idUsuario', 'sessao.idUsuario')
    .select(['tipoUsuario as tipo', 'acessoProntuario', 'encarregadoDados'])
    .where('idSessao', '=', caller.idSessao)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()
  if (!actor) throw new Problem('sessao_encerrada')
  if (!can(actor, permission)) throw new Problem('sem_permissao')
}
