import { type Selectable, sql } from 'kysely'
import { databaseNow, fromNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { hasRow } from '../../../platform/db/queries/outcomes.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import type { Tables } from '../../../platform/db/types.ts'

type Run = Selectable<Tables['copiaSeguranca']>

const minute = 60_000
/** A live run updates `ativa_em` every minute, by the database's clock; after this it is dead. */
const deadAfter = 5 * minute
const hour = 60 * minute
const mostAttempts = 3
const runsKept = 400 * 24 * hour

interface Claim {
  /** When the schedule requires the backup; null for the command. */
  due: Date | null
  /** Where it is written, without credentials. */
  place: string
  now: Date
}

/**
 * Starts a run unless one is in progress, the due backup is made, it failed three times, or failed
 * less than an hour ago. Of several processes, one gets the run.
 * @returns the id of the run; `inProgress` when another one is; undefined when nothing is due
 */
export const beginRun = (
  db: Db,
  { due, place, now }: Claim,
): Promise<{ id: number } | 'inProgress' | undefined> =>
  inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('bi-manager backup', 0))`.execute(tx)
    const running = tx.selectFrom('copiaSeguranca').select('idCopia').where('terminadaEm', 'is', null)
    if (await hasRow(running)) return 'inProgress'
    const earlier = due
      ? await tx.selectFrom('copiaSeguranca').selectAll().where('previstaEm', '=', due).execute()
      : []
    if (due && !isDue(earlier, now)) return undefined
    const { idCopia: id } = await tx
      .insertInto('copiaSeguranca')
      .values({
        previstaEm: due,
        tentativa: earlier.length + 1,
        iniciadaEm: now,
        ativaEm: databaseNow,
        terminadaEm: null,
        resultado: null,
        destino: place,
        arquivo: null,
        bytes: null,
        sha256: null,
        erro: null,
        aviso: null,
      })
      .returning('idCopia')
      .executeTakeFirstOrThrow()
    return { id }
  })

const isDue = (earlier: Run[], now: Date): boolean =>
  earlier.length < mostAttempts &&
  earlier.every(
    ({ resultado, terminadaEm }) =>
      resultado !== 'boa' && terminadaEm !== null && terminadaEm.getTime() + hour <= now.getTime(),
  )

/** Ends the runs of dead processes, and returns their ids. */
export const endDeadRuns = async (db: Db, now: Date): Promise<number[]> => {
  const rows = await db
    .updateTable('copiaSeguranca')
    .set({
      terminadaEm: now,
      resultado: 'interrompida',
      erro: 'O portal parou antes de a cópia terminar.',
    })
    .where('terminadaEm', 'is', null)
    .where('ativaEm', '<', fromNow(-deadAfter))
    .returning('idCopia')
    .execute()
  return rows.map(({ idCopia }) => idCopia)
}

export const deleteRun = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('copiaSeguranca').where('idCopia', '=', id).execute()
}

/** Deletes the runs in progress of a restored copy, whose processes are elsewhere. */
export const dropUnfinishedRuns = async (db: Db): Promise<void> => {
  await db.deleteFrom('copiaSeguranca').where('terminadaEm', 'is', null).execute()
}

/** Marks the run as alive. */
export const touchRun = async (db: Db, id: number): Promise<void> => {
  await db
    .updateTable('copiaSeguranca')
    .set({ ativaEm: databaseNow })
    .where('idCopia', '=', id)
    .where('terminadaEm', 'is', null)
    .execute()
}

type Failed = { resultado: 'falhou' | 'interrompida'; erro: string }
type Written = Pick<Run, 'arquivo' | 'bytes' | 'sha256' | 'verificada' | 'aviso'>
/** A run that wrote a file has failed too when the copy is incomplete. */
type End = (Written & Partial<Failed>) | Failed

export const endRun = async (db: Db, id: number, end: End, now: Date): Promise<void> => {
  await db
    .updateTable('copiaSeguranca')
    .set({ resultado: 'boa', terminadaEm: now, ...end })
    .where('idCopia', '=', id)
    .execute()
}

/** Returns the runs that the status page and the metrics show. */
export const lastBackup = async (db: Db) => {
  const runs = db.selectFrom('copiaSeguranca').selectAll()
  const ended = runs
    .where('terminadaEm', 'is not', null)
    .orderBy('terminadaEm', 'desc')
    .orderBy('idCopia', 'desc')
  return {
    /** The last run that made a backup, which is the newest copy. */
    good: await ended.where('resultado', '=', 'boa').executeTakeFirst(),
    /** The last run that ended, with any result. */
    last: await ended.executeTakeFirst(),
    running: await runs.where('terminadaEm', 'is', null).executeTakeFirst(),
  }
}

/** Deletes old runs, but never the last good one. */
export const dropOldRuns = async (db: Db, now: Date): Promise<void> => {
  await db
    .deleteFrom('copiaSeguranca')
    .where('terminadaEm', '<', new Date(now.getTime() - runsKept))
    .where('idCopia', 'not in', (good) =>
      good
        .selectFrom('copiaSeguranca')
        .select('idCopia')
        .where('resultado', '=', 'boa')
        .orderBy('terminadaEm', 'desc')
        .limit(1),
    )
    .execute()
}
