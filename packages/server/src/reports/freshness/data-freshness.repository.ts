import { MAX_REFRESHES_PER_HOUR } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged, hasRow } from '../../platform/db/queries/outcomes.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { Problem } from '../../platform/lib/problem.ts'

const refreshersOf = (db: Db, idRelatorio: number) =>
  db.selectFrom('relatorioAtualizador').where('relatorioAtualizador.idRelatorio', '=', idRelatorio)

/** Whether the user, who may view the report, may also refresh its data. */
export const mayRefresh = async (
  db: Db,
  { idUsuario, tipo }: Pick<Caller, 'idUsuario' | 'tipo'>,
  idRelatorio: number,
): Promise<boolean> =>
  tipo === 'ADMIN' ||
  hasRow(refreshersOf(db, idRelatorio).select('idUsuario').where('idUsuario', '=', idUsuario))

export const listRefreshers = (db: Db, idRelatorio: number) =>
  refreshersOf(db, idRelatorio)
    .innerJoin('usuario', 'usuario.idUsuario', 'relatorioAtualizador.idUsuario')
    .select(['usuario.idUsuario', 'nomeUsuario'])
    .orderBy('nomeNatural')
    .orderBy('usuario.idUsuario')
    .execute()

interface Refresher {
  idRelatorio: number
  idUsuario: number
}

/** @returns whether the user was not allowed before */
export const insertRefresher = (tx: Db, refresher: Refresher): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('relatorioAtualizador')
      .values(refresher)
      .onConflict((conflict) => conflict.doNothing()),
  )

/** @returns whether the user was allowed before */
export const deleteRefresher = (tx: Db, { idRelatorio, idUsuario }: Refresher): Promise<boolean> =>
  hasChanged(
    tx
      .deleteFrom('relatorioAtualizador')
      .where('idRelatorio', '=', idRelatorio)
      .where('idUsuario', '=', idUsuario),
  )

const hourMs = 3_600_000

/**
 * Counts the user's requests in the audit trail. The caller must hold a lock of the user's row, so
 * that two calls cannot both take the last place.
 * @throws Problem 429 `muitas_atualizacoes` with Retry-After
 */
export const assertFewRequests = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const since = new Date(now.getTime() - hourMs)
  const { rows } = await sql<{ total: number; primeiro: Date | null }>`
    select count(*)::int as total, min(quando) as primeiro from auditoria
    where acao = 'data.refresh-requested' and id_usuario = ${idUsuario} and quando > ${since}`.execute(tx)
  const { total = 0, primeiro } = rows[0] ?? {}
  if (total < MAX_REFRESHES_PER_HOUR) return
  const freeAt = (primeiro ?? now).getTime() + hourMs
  throw new Problem('muitas_atualizacoes', { retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) })
}
