import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idField } from './fields.ts'
import { RecordId } from './ids.ts'

export const ReportAddress = z
  .object({ groupId: z.guid('Informe o id do grupo.'), reportId: z.guid('Informe o id do relatório.') })
  .meta({ id: 'ReportAddress' })
export type ReportAddress = z.infer<typeof ReportAddress>

/** `idRelatorio` distinguishes registrations of one external report (one per operadora). */
export const EmbedRequest = ReportAddress.extend({ idRelatorio: idField().nullish() }).meta({
  id: 'EmbedRequest',
})

/** A filter for `powerbi-client`: an `IBasicFilter` or `IAdvancedFilter` of powerbi-models. */
export const ReportFilter = z
  .object({
    $schema: z.string(),
    target: z.object({ table: z.string(), column: z.string() }),
    filterType: z.number().int(),
    operator: z.string().optional(),
    values: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
    logicalOperator: z.enum(['And', 'Or']).optional(),
    conditions: z
      .array(
        z.object({ operator: z.string(), value: z.union([z.string(), z.number(), z.boolean()]).optional() }),
      )
      .max(2)
      .optional(),
    requireSingleSelection: z.boolean().optional(),
  })
  .meta({ id: 'ReportFilter' })
export type ReportFilter = z.infer<typeof ReportFilter>

export const EmbeddedReport = z
  .object({
    embedToken: z.string(),
    embedUrl: z.url(),
    reportId: z.string(),
    /** The page to open; null for the report's first page. */
    pageName: z.string().nullable(),
    /** ISO instant at which the embed token expires. */
    expiration: z.iso.datetime({ offset: true }),
    idRelatorio: z.number().int(),
    nomeRelatorio: z.string(),
    nomeGrupo: z.string(),
    /** The registered operadora; the viewer preselects it if it is one of the four. */
    operadoraRelatorio: z.string(),
    /** The report's own `filtro`, parsed; the viewer always applies it. */
    filtros: z.array(ReportFilter),
  })
  .meta({ id: 'EmbeddedReport' })
export type EmbeddedReport = z.infer<typeof EmbeddedReport>

const milliseconds = z.number().int().min(0).max(600_000)

export const ReportView = z
  .object({ carregadoMs: milliseconds, renderizadoMs: milliseconds })
  .refine(({ carregadoMs, renderizadoMs }) => carregadoMs <= renderizadoMs, {
    path: ['renderizadoMs'],
    message: 'Um relatório não é desenhado antes de carregado.',
  })
  .meta({ id: 'ReportView' })
export type ReportView = z.infer<typeof ReportView>

export const reportsApi = {
  embed: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio/embed',
    permission: 'reports:view',
    tag: 'Relatórios',
    summary: 'Emite o token que embute um relatório liberado',
    body: EmbedRequest,
    response: { 200: EmbeddedReport },
  }),
  recordView: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio/:id/visualizacao',
    permission: 'reports:view',
    tag: 'Relatórios',
    summary: 'Registra uma visualização e seus tempos de carga',
    params: z.object({ id: RecordId }),
    body: ReportView,
    response: { 204: z.void() },
  }),
  checkAccess: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/acesso',
    permission: 'reports:view',
    tag: 'Relatórios',
    summary: 'Diz se a pessoa ainda pode ver o relatório: 204, ou 403',
    params: z.object({ id: RecordId }),
    response: { 204: z.void() },
  }),
}
