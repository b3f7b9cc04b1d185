import { randomUUID } from 'node:crypto'
import type { DataSchedule, DataScheduleDraft } from '@bi-manager/contract'
import type { Selectable, Updateable } from 'kysely'
import type { Secrets } from '../platform/config/secrets.ts'
import { databaseNow, fromNow } from '../platform/db/database-clock.ts'
import type { Db } from '../platform/db/open-database.ts'
import { hasChanged, hasRow } from '../platform/db/queries/outcomes.ts'
import { insistOnWrite } from '../platform/db/transactions/insist-on-write.ts'
import type { Tables } from '../platform/db/types.ts'
import { timeText } from '../platform/lib/local-time.ts'
import { orUndefined } from '../platform/lib/or-undefined.ts'
import { Problem } from '../platform/lib/problem.ts'
import { nextRun } from '../platform/lib/recurrence.ts'

export type ScheduleRow = Selectable<Tables['agendaDados']>

export const findSchedule = (db: Db, reportId: string): Promise<ScheduleRow | undefined> =>
  db.selectFrom('agendaDados').selectAll().where('reportId', '=', reportId.toLowerCase()).executeTakeFirst()

/** Saves a schedule. Another source or table forgets the last file, so that the next run replaces. */
export const saveSchedule = async (
  tx: Db,
  reportId: string,
  draft: DataScheduleDraft,
  { secrets, now }: { secrets: Secrets; now: Date },
): Promise<void> => {
  const { endereco, ...rest } = draft
  const values = {
    ...rest,
    endereco: secrets.encrypt(endereco),
    proximaEm: nextRun(draft, now),
    resumo: null,
    tentativas: 0,
  }
  await tx
    .insertInto('agendaDados')
    .values({ reportId: reportId.toLowerCase(), ...values })
    .onConflict((conflict) => conflict.column('reportId').doUpdateSet(values))
    .execute()
}

export const deleteSchedule = (tx: Db, reportId: string): Promise<boolean> =>
  hasChanged(tx.deleteFrom('agendaDados').where('reportId', '=', reportId.toLowerCase()))

/** Returns active schedules whose run is due, the longest due first. */
export const listDueSchedules = (db: Db, atMost: number): Promise<ScheduleRow[]> =>
  db
    .selectFrom('agendaDados')
    .selectAll()
    .where('ativa', '=', true)
    .where('proximaEm', '<=', databaseNow)
    .orderBy('proximaEm')
    .limit(atMost)
    .execute()

/** A run that this process may do: no other one runs the schedule until `ocupadaAte`. */
export interface ClaimedRun {
  row: ScheduleRow
  /** False when a user ordered it. */
  isDue: boolean
}

const freeRow = (db: Db, { idAgenda }: ScheduleRow) =>
  db
    .updateTable('agendaDados')
    .where('idAgenda', '=', idAgenda)
    .where(({ eb, or }) => or([eb('ocupadaAte', 'is', null), eb('ocupadaAte', '<=', databaseNow)]))

/**
 * Claims a due run. A run whose process dies is due again when its lease ends.
 * @param leaseMs milliseconds
 * @returns undefined when another process has claimed it, or it was changed
 */
export const claimDueRun = async (
  db: Db,
  due: ScheduleRow,
  leaseMs: number,
): Promise<ClaimedRun | undefined> => {
  const row = await freeRow(db, due)
    .set(({ eb }) => ({
      ocupadaAte: fromNow(leaseMs),
      proximaEm: fromNow(leaseMs),
      tentativas: eb('tentativas', '+', 1),
    }))
    .where('proximaEm', '=', due.proximaEm)
    .where('ativa', '=', true)
    .returningAll()
    .executeTakeFirst()
  return row && { row, isDue: true }
}

/** Claims a run that a user orders. @returns undefined while another run is in progress */
export const claimOrderedRun = async (
  db: Db,
  ordered: ScheduleRow,
  leaseMs: number,
): Promise<ClaimedRun | undefined> => {
  const row = await freeRow(db, ordered)
    .set({ ocupadaAte: fromNow(leaseMs) })
    .returningAll()
    .executeTakeFirst()
  return row && { row, isDue: false }
}

/**
 * Whether the schedule is as it was claimed: it was neither saved nor removed since, and no other process
 * may run it. Reading the file may last a minute.
 */
export const isStillClaimed = (db: Db, { row }: ClaimedRun): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('agendaDados')
      .select('idAgenda')
      .where('idAgenda', '=', row.idAgenda)
      .where('ocupadaAte', '=', row.ocupadaAte)
      .where('ocupadaAte', '>', databaseNow)
      // A save seals with another nonce.
      .where('endereco', '=', row.endereco),
  )

/**
 * Ends a run.
 * @returns the schedule as it is now, with the database's time; undefined when it was saved or
 * removed during the run, or the lease ended
 */
export const releaseRun = async (
  tx: Db,
  { row }: ClaimedRun,
): Promise<(ScheduleRow & { agora: Date }) | undefined> => {
  const released = await tx
    .updateTable('agendaDados')
    .set({ ocupadaAte: null })
    .where('idAgenda', '=', row.idAgenda)
    .where('ocupadaAte', '=', row.ocupadaAte)
    .returningAll()
    .returning(databaseNow.as('agora'))
    .executeTakeFirst()
  // A save seals with another nonce: even an unchanged address differs.
  return released?.endereco === row.endereco ? released : undefined
}

export const storeRun = async (
  tx: Db,
  { idAgenda }: ScheduleRow,
  columns: Updateable<Tables['agendaDados']>,
): Promise<void> => {
  await tx.updateTable('agendaDados').set(columns).where('idAgenda', '=', idAgenda).execute()
}

/** Does what replaces the data of these reports, and makes the next run of schedules repeat theirs. */
export const forgettingLastFile = async <T>(
  db: Db,
  reportIds: readonly string[],
  replace: () => Promise<T>,
): Promise<T> => {
  // Before, because the process may die; after, because a run may end in between.
  await clearDigests(db, reportIds)
  try {
    return await replace()
  } finally {
    await forgetLastFile(db, reportIds)
  }
}

/**
 * Does what publishes reports that are not known before, and makes the next run of their schedules
 * repeat. A service that does not answer may have published any report.
 */
export const forgettingFilesOf = async <T>(
  db: Db,
  publish: () => Promise<T>,
  reportIdsOf: (outcome: T) => string[],
): Promise<T> => {
  let reportIds: string[] | undefined
  try {
    const outcome = await publish()
    reportIds = reportIdsOf(outcome)
    return outcome
  } finally {
    await forgetLastFile(db, reportIds)
  }
}

/**
 * Makes the next run replace the data even by the same file, because they were replaced otherwise.
 * The data are replaced already, so a lock that passes must not make that a failure.
 * @param reportIds all reports without it
 */
const forgetLastFile = (db: Db, reportIds?: readonly string[]): Promise<void> =>
  insistOnWrite(() => clearDigests(db, reportIds))

const clearDigests = async (db: Db, reportIds?: readonly string[]): Promise<void> => {
  await db
    .updateTable('agendaDados')
    // Not null: a run in progress must see the change even when it had no digest.
    .set({ resumo: randomUUID() })
    .$if(reportIds !== undefined, (query) =>
      query.where((eb) =>
        eb('reportId', '=', eb.fn.any(eb.val((reportIds ?? []).map((id) => id.toLowerCase())))),
      ),
    )
    .execute()
}

/** Stands for the query of an address, which often contains a key. */
const HIDDEN_QUERY = '?***'

/** Returns an address for its screen, without its query. */
const withoutQuery = (address: string): string =>
  URL.parse(address)?.search ? address.replace(/\?.*$/s, HIDDEN_QUERY) : address

/**
 * Returns the address to store: the stored one when its shown form was sent back.
 * @throws Problem 422 when nothing is stored that fits it
 */
export const keptAddress = (sent: string, row: ScheduleRow | undefined, secrets: Secrets): string => {
  if (!sent.endsWith(HIDDEN_QUERY)) return sent
  const stored = row && orUndefined(() => secrets.decrypt(row.endereco))
  if (stored !== undefined && withoutQuery(stored) === sent) return stored
  throw new Problem('campos_invalidos', {
    campos: { endereco: 'Escreva o endereço completo, com a parte oculta por ***.' },
  })
}

/**
 * Returns the schedule for its screen, without the query of its address; null when the keys no
 * longer open the address.
 */
export const shownSchedule = (row: ScheduleRow | undefined, secrets: Secrets): DataSchedule | null => {
  const endereco = row && orUndefined(() => secrets.decrypt(row.endereco))
  if (!row || endereco === undefined) return null
  const { tabela, origem, frequencia, horario, ativa, proximaEm, ultimaEm, resultado } = row
  return {
    origem,
    endereco: withoutQuery(endereco),
    tabela,
    frequencia,
    horario,
    ativa,
    proximaEm: ativa ? proximaEm.toISOString() : null,
    ultima: ultimaEm && resultado ? { em: ultimaEm.toISOString(), resultado, frase: sentenceOf(row) } : null,
  }
}

const sentenceOf = ({ frase, resultado, ativa, tentativas, ocupadaAte, proximaEm }: ScheduleRow): string => {
  const isRetried = resultado === 'FALHOU' && ativa && tentativas > 0 && ocupadaAte === null
  return isRetried ? `${frase} O portal tenta de novo às ${timeText(proximaEm)}.` : (frase ?? '')
}
