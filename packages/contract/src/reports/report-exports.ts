import { callsOf, namedObject } from '../calls/endpoint.ts'
import { emptyAsNull } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { z } from '../calls/zod.ts'
import type { ReportType } from '../connections/report-type.ts'
import { PanelChoice } from './panel-filters.ts'
import { reportParameters } from './report-parameters.ts'
import { bookmarkField, pageField } from './saved-views.ts'

export const ExportFormat = z.enum(['PDF', 'PNG', 'XLSX', 'DOCX', 'PPTX', 'CSV'])
export type ExportFormat = z.infer<typeof ExportFormat>

/**
 * The formats that a report of each type can be exported to. Microsoft writes no spreadsheet of a
 * report of visuals: only the local service does.
 */
export const EXPORT_FORMATS = {
  INTERATIVO: ['PDF', 'PNG', 'XLSX'],
  PAGINADO: ['PDF', 'XLSX', 'DOCX', 'PPTX', 'CSV'],
} as const satisfies Record<ReportType, readonly ExportFormat[]>

/** Limits per person: concurrent exports, and exports requested within an hour. */
export const EXPORTS_UNDER_WAY = 2
export const MAX_EXPORTS_PER_HOUR = 30

export const ReportExportRequest = z
  .object({
    formato: ExportFormat,
    /** The page to export; null for the whole report (PDF only). */
    pagina: emptyAsNull(pageField).default(null),
    /** One visual of the page; null for the whole page. */
    visual: emptyAsNull(pageField).default(null),
    /** The panel's filters; the server adds the report's own `filtro`. */
    filtros: PanelChoice.default({}),
    marcador: emptyAsNull(bookmarkField).default(null),
    /** The values that the reader of a paginated report chose for its registered parameters. */
    parametros: reportParameters.default([]),
  })
  .refine(({ formato, pagina }) => formato !== 'PNG' || pagina !== null, {
    path: ['pagina'],
    message: 'Uma imagem PNG é de uma página: informe qual.',
  })
  .refine(({ visual, pagina }) => visual === null || pagina !== null, {
    path: ['pagina'],
    message: 'Um visual é de uma página: informe qual.',
  })
  .meta({ id: 'ReportExportRequest' })
export type ReportExportRequest = z.infer<typeof ReportExportRequest>

export const ReportExport = namedObject('ReportExport', {
  idExportacao: z.uuid(),
  estado: z.enum(['NA_FILA', 'GERANDO', 'PRONTA', 'FALHOU']),
  /** 0 to 100, as reported by the BI service. */
  percentual: z.number().int().min(0).max(100),
  /** Seconds until the BI service wants to be asked again; null when it does not say. */
  esperaSegundos: z.number().int().nullable(),
  /** Why the export failed, as a sentence. */
  motivo: z.string().nullable(),
})
export type ReportExport = z.infer<typeof ReportExport>

const params = z.object({ id: EntityId, idExportacao: z.uuid() })

const { get, post, remove } = callsOf({ tag: 'Exportação de relatórios', permission: 'reports:view' })

export const reportExportsApi = {
  start: post(
    '/usuarios/relatorio/:id/exportacao',
    'Pede ao serviço de BI o relatório, como a pessoa o vê, em um arquivo',
    { body: ReportExportRequest, response: { 201: ReportExport } },
  ),
  get: get('/usuarios/relatorio/:id/exportacao/:idExportacao', 'Em que pé está uma exportação', {
    params,
    response: { 200: ReportExport },
  }),
  file: get(
    '/usuarios/relatorio/:id/exportacao/:idExportacao/arquivo',
    'O arquivo de uma exportação pronta',
    { params, contentType: 'application/octet-stream' },
  ),
  cancel: remove('/usuarios/relatorio/:id/exportacao/:idExportacao', 'Desiste de uma exportação', { params }),
}
