import type { DataSchedule, DataScheduleDraft } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../config/secrets.ts'
import type { Db } from '../../db/open-database.ts'
import { hasChanged } from '../../db/outcomes.ts'
import type { Tables } from '../../db/types.ts'
import { nextRun } from './schedule-times.ts'

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
  const values = { ...rest, endereco: secrets.seal(endereco), proximaEm: nextRun(draft, now), resumo: null }
  await tx
    .insertInto('agendaDados')
    .values({ reportId: reportId.toLowerCase(), ...values })
    .onConflict((conflict) => conflict.column('reportId').doUpdateSet(values))
    .execute()
}

export const deleteSchedule = (tx: Db, reportId: string): Promise<boolean> =>
  hasChanged(tx.deleteFrom('agendaDados').where('reportId', '=', reportId.toLowerCase()))

/** Returns active schedules whose run is due, the longest due first. */
export const listDueSchedules = (db: Db, now: Date, atMost: number): Promise<ScheduleRow[]> =>
  db
    .selectFrom('agendaDados')
    .selectAll()
    .where('ativa', '=', true)
    .where('proximaEm', '<=', now)
    .orderBy('proximaEm')
    .limit(atMost)
    .execute()

/** Claims a due run. @returns false when another process has claimed it, or it was changed */
export const claimRun = (db: Db, row: ScheduleRow, now: Date): Promise<boolean> =>
  hasChanged(
    db
      .updateTable('agendaDados')
      .set({ proximaEm: nextRun(row, now) })
      .where('idAgenda', '=', row.idAgenda)
      .where('proximaEm', '=', row.proximaEm)
      .where('ativa', '=', true),
  )

export type RunResult = Pick<ScheduleRow, 'frase'> & {
  resultado: NonNullable<ScheduleRow['resultado']>
  /** Digest of the file, after a replacement. */
  resumo?: string
}

export const storeRun = async (tx: Db, idAgenda: number, result: RunResult, now: Date): Promise<void> => {
  await tx
    .updateTable('agendaDados')
    .set({ ...result, ultimaEm: now })
    .where('idAgenda', '=', idAgenda)
    .execute()
}

/** Returns the schedule for its screen; null when its address cannot be opened any more. */
export const shownSchedule = (row: ScheduleRow | undefined, secrets: Secrets): DataSchedule | null => {
  if (!row) return null
  const { tabela, origem, frequencia, horario, ativa, proximaEm, ultimaEm, resultado, frase } = row
  return {
    ...{ origem, endereco: secrets.open(row.endereco), tabela, frequencia, horario, ativa },
    proximaEm: ativa ? proximaEm.toISOString() : null,
    ultima: ultimaEm && resultado ? { em: ultimaEm.toISOString(), resultado, frase: frase ?? '' } : null,
  }
}
