import { sql } from 'kysely'
import { connectionColumns, type DatasetAddress } from '../../connections/index.ts'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'

const hour = 3_600_000

/** Milliseconds after which a report's dataset is looked up again. */
const foundMs = 24 * hour
const missingMs = hour

const registeredReports = (db: Db) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .leftJoin('conjuntoRelatorio', (join) =>
      join
        .onRef('conjuntoRelatorio.idRelatorio', '=', 'relatorio.idRelatorio')
        .onRef('conjuntoRelatorio.reportId', '=', 'relatorio.reportId'),
    )
    .select(['relatorio.idRelatorio', 'relatorio.reportId', 'nomeRelatorio', 'idGrupo'])
    .select(connectionColumns)

const isLookedUpLongAgo = sql<boolean>`conjunto_relatorio.lido_em < (case when conjunto_relatorio.id_conjunto is null
    then ${fromNow(-missingMs)} else ${fromNow(-foundMs)} end)`

/** Returns reports whose dataset is not known, or was looked up long ago. */
export const listReportsToLookUp = (db: Db, atMost: number) =>
  registeredReports(db)
    .where(sql<boolean>`(lido_em is null or ${isLookedUpLongAgo})`)
    .orderBy(sql`lido_em nulls first`)
    .orderBy('relatorio.idRelatorio')
    .limit(atMost)
    .execute()

interface ReportIds {
  idRelatorio: number
  reportId: string
}

/**
 * Claims the next look-up of a report's dataset. A known dataset stays until the look-up succeeds.
 * @returns false when another process has claimed it, or the report was deleted
 */
export const claimLookUp = async (db: Db, { idRelatorio, reportId }: ReportIds): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into conjunto_relatorio (id_relatorio, report_id, lido_em)
    select id_relatorio, ${reportId}, ${databaseNow}
    from relatorio where id_relatorio = ${idRelatorio} for key share
    on conflict (id_relatorio) do update set report_id = excluded.report_id, lido_em = excluded.lido_em,
      id_grupo_conjunto = case when conjunto_relatorio.report_id = excluded.report_id
        then conjunto_relatorio.id_grupo_conjunto end,
      id_conjunto = case when conjunto_relatorio.report_id = excluded.report_id
        then conjunto_relatorio.id_conjunto end
    where conjunto_relatorio.report_id <> excluded.report_id or ${isLookedUpLongAgo}`.execute(db)
  return numAffectedRows === 1n
}

/** Stores a report's dataset, unless the report was changed or deleted during the look-up. */
export const storeDataset = async (
  db: Db,
  { idRelatorio, reportId }: ReportIds,
  dataset: DatasetAddress | undefined,
): Promise<void> => {
  await db
    .updateTable('conjuntoRelatorio')
    .set({
      idGrupoConjunto: dataset?.groupId ?? null,
      idConjunto: dataset?.datasetId.toLowerCase() ?? null,
    })
    .where('idRelatorio', '=', idRelatorio)
    .where('reportId', '=', reportId)
    .execute()
}

/** Returns datasets whose refreshes were last read `ms` ago, each with one of its reports. */
export const listDatasetsToRead = (db: Db, ms: number, atMost: number) =>
  db
    .selectFrom(
      registeredReports(db)
        .select(['idConjunto', 'idGrupoConjunto'])
        .select(
          sql<number>`count(*) over (partition by powerbi.id_power_bi, id_conjunto)::int`.as('relatorios'),
        )
        .distinctOn(['powerbi.idPowerBi', 'idConjunto'])
        .where('idConjunto', 'is not', null)
        .orderBy('powerbi.idPowerBi')
        .orderBy('idConjunto')
        .orderBy('relatorio.nomeNatural')
        .orderBy('relatorio.idRelatorio')
        .as('conjunto'),
    )
    .leftJoin('leituraAtualizacoes', (join) =>
      join
        .onRef('leituraAtualizacoes.idPowerBi', '=', 'conjunto.idPowerBi')
        .onRef('leituraAtualizacoes.idConjunto', '=', 'conjunto.idConjunto'),
    )
    .selectAll('conjunto')
    .select('lidaEm')
    .where(({ eb, or }) => or([eb('lidaEm', 'is', null), eb('lidaEm', '<', fromNow(-ms))]))
    .orderBy(sql`lida_em nulls first`)
    .limit(atMost)
    .execute()

interface Reading {
  idPowerBi: number
  idConjunto: string
}

/**
 * Claims the next reading of a dataset.
 * @param ms claims it only if it was last read this long ago
 * @param notifiedUpTo failures of a new dataset that ended before this are not notified
 * @returns false when another process has claimed it
 */
export const claimReading = (
  db: Db,
  { idPowerBi, idConjunto }: Reading,
  { ms, notifiedUpTo }: { ms: number; notifiedUpTo: Date },
): Promise<boolean> =>
  hasChanged(
    db
      .insertInto('leituraAtualizacoes')
      .values({ idPowerBi, idConjunto, lidaEm: databaseNow, falhasAte: notifiedUpTo, concluidaEm: null })
      .onConflict((conflict) =>
        conflict
          .columns(['idPowerBi', 'idConjunto'])
          .doUpdateSet({ lidaEm: databaseNow })
          .where('leituraAtualizacoes.lidaEm', '<', fromNow(-ms)),
      ),
  )

/** Locks the dataset's row and returns the end up to which failures were notified. */
export const lockNotifiedUpTo = async (
  tx: Db,
  { idPowerBi, idConjunto }: Reading,
): Promise<Date | undefined> => {
  const row = await tx
    .selectFrom('leituraAtualizacoes')
    .select('falhasAte')
    .where('idPowerBi', '=', idPowerBi)
    .where('idConjunto', '=', idConjunto)
    .forUpdate()
    .executeTakeFirst()
  return row?.falhasAte
}

export const storeNotifiedUpTo = async (
  tx: Db,
  { idPowerBi, idConjunto }: Reading,
  falhasAte: Date,
): Promise<void> => {
  await tx
    .updateTable('leituraAtualizacoes')
    .set({ falhasAte })
    .where('idPowerBi', '=', idPowerBi)
    .where('idConjunto', '=', idConjunto)
    .execute()
}

/** Stores the end of the newest completed refresh, after which subscriptions are sent. */
export const storeCompleted = async (
  db: Db,
  { idPowerBi, idConjunto }: Reading,
  concluidaEm: Date,
): Promise<void> => {
  await db
    .updateTable('leituraAtualizacoes')
    .set({ concluidaEm })
    .where('idPowerBi', '=', idPowerBi)
    .where('idConjunto', '=', idConjunto)
    .execute()
}
