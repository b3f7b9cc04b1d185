import type { ExportFormat } from '@bi-manager/contract'
import { isVisibleTo, type Viewer } from '../../access/visible-reports.ts'
import type { Db } from '../../db/open-database.ts'

/** A report with its connection, if this viewer may see it now. */
export const findExportableReport = (db: Db, viewer: Viewer, idRelatorio: number) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idRelatorio', 'nomeRelatorio', 'reportId', 'filtro', 'papeisRls', 'idGrupo as groupId'])
    .select(['powerbi.idPowerBi', 'powerbi.versao', 'provedor', 'tenantId', 'applicationId'])
    .select(['tipoCredencial', 'username', 'segredo'])
    .where('idRelatorio', '=', idRelatorio)
    .where(isVisibleTo(viewer))
    .executeTakeFirst()

export type ExportableReport = NonNullable<Awaited<ReturnType<typeof findExportableReport>>>

/** Of the person, asked for since then: when each was, and whether it is under way. */
export const listRecentExports = (tx: Db, idUsuario: number, since: Date) =>
  tx
    .selectFrom('exportacao')
    .select(['pedidaEm', 'encerradaEm'])
    .where('idUsuario', '=', idUsuario)
    .where('pedidaEm', '>', since)
    .orderBy('pedidaEm')
    .execute()

interface Booking {
  idExportacao: string
  idUsuario: number
  idRelatorio: number
  formato: ExportFormat
  alcance: string
}

export const insertExport = async (tx: Db, booking: Booking, pedidaEm: Date): Promise<void> => {
  await tx
    .insertInto('exportacao')
    .values({ ...booking, externo: null, pedidaEm, encerradaEm: null })
    .execute()
}

/** @returns false when it was given up meanwhile, or went with its report */
export const acceptExport = async (tx: Db, idExportacao: string, externo: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('exportacao')
    .set({ externo })
    .where('idExportacao', '=', idExportacao)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One's own, of this report, that the provider has accepted and nobody has given up. */
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
    .executeTakeFirst()

/** It counts no more as under way. */
export const endExport = async (db: Db, idExportacao: string, encerradaEm: Date): Promise<void> => {
  await db
    .updateTable('exportacao')
    .set({ encerradaEm })
    .where('idExportacao', '=', idExportacao)
    .where('encerradaEm', 'is', null)
    .execute()
}

/**
 * It cannot be fetched any more. What the provider has begun goes on there.
 * @param encerradaEm until when it counts as under way
 */
export const giveUpExport = async (db: Db, idExportacao: string, encerradaEm: Date): Promise<void> => {
  await db
    .updateTable('exportacao')
    .set({ encerradaEm, externo: null })
    .where('idExportacao', '=', idExportacao)
    .execute()
}
