import { EXPORTS_UNDER_WAY } from '@bi-manager/contract'
import type { NotNull, Selectable } from 'kysely'
import { connectionColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import type { Tables } from '../../platform/db/types.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'
import { type ExportableReport, selectExportableReports } from './exportable-report.ts'

/** Returns the report with its connection, if the viewer may see it. */
export const findExportableReport = (
  db: Db,
  viewer: Viewer,
  idRelatorio: number,
): Promise<ExportableReport | undefined> =>
  selectExportableReports(db)
    .where('relatorio.idRelatorio', '=', idRelatorio)
    .where(isVisibleTo(viewer))
    .executeTakeFirst()

/** Returns the user's exports since then: when each was requested, and whether it is under way. */
export const listRecentExports = (tx: Db, idUsuario: number, since: Date) =>
  tx
    .selectFrom('exportacao')
    .select(['pedidaEm', 'encerradaEm', 'externo', 'falhou'])
    .where('idUsuario', '=', idUsuario)
    .where('pedidaEm', '>', since)
    .orderBy('pedidaEm')
    .execute()

/**
 * Returns the user's exports of any report that are not known to have ended, each with its
 * connection.
 */
export const listOpenExports = (db: Db, idUsuario: number) =>
  db
    .selectFrom('exportacao')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'exportacao.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idExportacao', 'externo', 'encerradaEm', 'reportId', 'idGrupo as groupId'])
    .select(connectionColumns)
    .where('exportacao.idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('externo', 'is not', null)
    .$narrowType<{ externo: NotNull }>()
    // The newest ones suffice: the limit ignores older ones.
    .orderBy('pedidaEm', 'desc')
    .limit(EXPORTS_UNDER_WAY)
    .execute()

export type OpenExport = Awaited<ReturnType<typeof listOpenExports>>[number]

type Booking = Omit<
  Selectable<Tables['exportacao']>,
  'externo' | 'encerradaEm' | 'desistidaEm' | 'falhou'
> & {
  /** Set for an export that the browser makes: it counts in the hour, but not as one under way. */
  encerradaEm?: Date
}

export const insertExport = async (tx: Db, booking: Booking): Promise<void> => {
  await tx
    .insertInto('exportacao')
    .values({ encerradaEm: null, ...booking, externo: null })
    .execute()
}

/** @returns false when the export was cancelled, or deleted with its report, in the meantime */
export const acceptExport = (tx: Db, idExportacao: string, externo: string): Promise<boolean> =>
  hasChanged(tx.updateTable('exportacao').set({ externo }).where('idExportacao', '=', idExportacao))

/**
 * Returns the user's export of this report, if the provider accepted it and it was not cancelled.
 */
export const findExport = (
  db: Db,
  { idUsuario, idRelatorio, idExportacao }: { idUsuario: number; idRelatorio: number; idExportacao: string },
) =>
  db
    .selectFrom('exportacao')
    .select(['idExportacao', 'externo', 'formato', 'alcance', 'encerradaEm'])
    .where('idExportacao', '=', idExportacao)
    .where('idUsuario', '=', idUsuario)
    .where('idRelatorio', '=', idRelatorio)
    .where('externo', 'is not', null)
    .where('desistidaEm', 'is', null)
    .$narrowType<{ externo: NotNull }>()
    .executeTakeFirst()

/** Ends the export, so that it no longer counts as under way, and if it failed, not in the hour either. */
export const endExport = async (
  db: Db,
  idExportacao: string,
  { encerradaEm, falhou }: { encerradaEm: Date; falhou: boolean },
): Promise<void> => {
  await db
    .updateTable('exportacao')
    .set({ encerradaEm, falhou })
    .where('idExportacao', '=', idExportacao)
    .where('encerradaEm', 'is', null)
    .execute()
}

/** Ends the user's exports that were requested before then and never answered, as failed ones. */
export const endUnansweredExports = async (
  tx: Db,
  idUsuario: number,
  { before, encerradaEm }: { before: Date; encerradaEm: Date },
): Promise<void> => {
  await tx
    .updateTable('exportacao')
    .set({ encerradaEm, falhou: true })
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('externo', 'is', null)
    .where('pedidaEm', '<=', before)
    .execute()
}

/**
 * Cancels the export: its file cannot be fetched any more. The provider cannot cancel, so it still
 * counts until its end.
 */
export const cancelExport = async (db: Db, idExportacao: string, desistidaEm: Date): Promise<void> => {
  await db.updateTable('exportacao').set({ desistidaEm }).where('idExportacao', '=', idExportacao).execute()
}
