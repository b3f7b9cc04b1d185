import { EXPORT_FORMATS, panelFiltersOf, type ReportExportRequest } from '@bi-manager/contract'
import {
  type ConnectionServices,
  type EffectiveIdentity,
  type ExportContent,
  panelOf,
  registeredConnection,
} from '../../connections/index.ts'
import { readSheetBrand } from '../../platform/brand/brand.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { exportFilter, exportParameters } from './export-order.ts'
import type { ExportableReport } from './exportable-report.ts'

type Needs = Pick<ConnectionServices, 'config' | 'db' | 'secrets' | 'embedIssuer' | 'powerBi'>

type Asked = Pick<ReportExportRequest, 'formato' | 'pagina' | 'filtros' | 'marcador' | 'parametros'> & {
  /** Names of visuals of the page; empty: all of it. */
  visuais: readonly string[]
}

interface Reader {
  identity: EffectiveIdentity | undefined
  /** A digest: the local service alternates the exports of different readers. */
  requestedFor: string
  /** For whom a spreadsheet says it is. */
  person?: string
}

/** Returns where a report is at its provider. */
export const exportAddress = (
  report: Parameters<typeof registeredConnection>[0] & Place,
  services: Needs,
) => ({
  connection: registeredConnection(report, services),
  groupId: report.groupId,
  reportId: report.reportId,
})

interface Place {
  groupId: string
  reportId: string
}

/**
 * Asks the provider for a file of a report, as the reader sees it.
 * @throws Problem when report, format, filters or parameters do not fit, or the provider refuses
 */
export const startExport = async (
  services: Needs,
  report: ExportableReport,
  asked: Asked,
  { identity, requestedFor, person }: Reader,
) => {
  const { db, embedIssuer, powerBi } = services
  const address = exportAddress(report, services)
  // A dataset that requires an identity is not exported without one, as with the embed token.
  const { datasetsAdicionais } = report
  const { isPaginated, panel, identities } = await embedIssuer.identitiesFor(
    { ...address, datasetsAdicionais },
    identity,
  )
  const formats: readonly string[] = EXPORT_FORMATS[isPaginated ? 'PAGINADO' : 'INTERATIVO']
  const isOffered = formats.includes(asked.formato)
  const isLocal = address.connection.provider === 'local'
  if (!isOffered || (asked.formato === 'XLSX' && !isPaginated && !isLocal))
    throw new Problem('exportacao_sem_formato')
  if (isPaginated && report.filtro) throw new Problem('paginado_com_filtro')
  const content: ExportContent = isPaginated
    ? { type: 'PAGINADO', parameters: exportParameters(report, asked.parametros), identity }
    : {
        type: 'INTERATIVO',
        pageName: asked.pagina ?? undefined,
        visualNames: asked.visuais,
        bookmark: asked.marcador ?? undefined,
        filter: exportFilter(report.filtro, panelFiltersOf(panelOf(report, panel), asked.filtros)),
        identities,
      }
  return powerBi.startExport(address.connection, address, {
    format: asked.formato,
    requestedFor,
    brand: await readSheetBrand(db),
    person,
    ...content,
  })
}
