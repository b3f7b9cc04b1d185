import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAsNull } from './fields.ts'
import { RecordId } from './ids.ts'
import { PanelChoice } from './panel-filters.ts'
import { bookmarkField, pageField } from './saved-views.ts'

export const ExportFormat = z.enum(['PDF', 'PNG'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** Limits per person: concurrent exports, and exports requested within an hour. */
export const EXPORTS_UNDER_WAY = 2
export const EXPORTS_AN_HOUR = 30

export const ReportExportRequest = z
  .object({
    formato: ExportFormat,
    /** The page to export; null for the whole report (PDF only). */
    pagina: emptyAsNull(pageField).default(null),
    /** The panel's filters; the server adds the report's own `filtro`. */
    filtros: PanelChoice.default({ operadora: '', sexo: '', titularidade: '' }),
    marcador: emptyAsNull(bookmarkField).default(null),
  })
  .refine(({ formato, pagina }) => formato === 'PDF' || pagina !== null, {
    path: ['pagina'],
    message: 'Uma imagem PNG é de uma página: informe qual.',
  })
  .meta({ id: 'ReportExportRequest' })
export type ReportExportRequest = z.infer<typeof ReportExportRequest>

export const ReportExport = z
  .object({
    idExportacao: z.uuid(),
    estado: z.enum(['NA_FILA', 'GERANDO', 'PRONTA', 'FALHOU']),
    /** 0 to 100, as reported by the BI service. */
    percentual: z.number().int().min(0).max(100),
    /** Why the export failed, as a sentence. */
    motivo: z.string().nullable(),
  })
  .meta({ id: 'ReportExport' })
export type ReportExport = z.infer<typeof ReportExport>

const tag = 'Exportação de relatórios'
const permission = 'reports:view'
const params = z.object({ id: RecordId, idExportacao: z.uuid() })

export const reportExportsApi = {
  start: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio/:id/exportacao',
    permission,
    tag,
    summary: 'Pede ao serviço de BI o relatório, como a pessoa o vê, em PDF ou PNG',
    params: z.object({ id: RecordId }),
    body: ReportExportRequest,
    response: { 201: ReportExport },
  }),
  get: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/exportacao/:idExportacao',
    permission,
    tag,
    summary: 'Em que pé está uma exportação',
    params,
    response: { 200: ReportExport },
  }),
  file: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/exportacao/:idExportacao/arquivo',
    permission,
    tag,
    summary: 'O arquivo de uma exportação pronta',
    params,
    contentType: 'application/octet-stream',
    response: { 200: z.string() },
  }),
  cancel: endpoint({
    method: 'DELETE',
    url: '/usuarios/relatorio/:id/exportacao/:idExportacao',
    permission,
    tag,
    summary: 'Desiste de uma exportação',
    params,
    response: { 204: z.void() },
  }),
}
