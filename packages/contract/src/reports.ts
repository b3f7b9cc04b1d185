import { z } from 'zod'
import { callsOf, namedObject } from './endpoint.ts'
import { idField } from './fields.ts'
import { ReportType } from './report-parameters.ts'

export const ReportAddress = namedObject('ReportAddress', {
  groupId: z.guid('Informe o id do grupo.'),
  reportId: z.guid('Informe o id do relatório.'),
})
export type ReportAddress = z.infer<typeof ReportAddress>

/** A report with what its address in the portal is made of. */
export const namedReport = {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  nomeGrupo: z.string(),
  groupId: z.string(),
  reportId: z.string(),
}

/** `idRelatorio` distinguishes registrations of one external report (one per operadora). */
export const EmbedRequest = ReportAddress.extend({ idRelatorio: idField().nullish() }).meta({
  id: 'EmbedRequest',
})

/** A filter for `powerbi-client`: an `IBasicFilter` or `IAdvancedFilter` of powerbi-models. */
export const ReportFilter = namedObject('ReportFilter', {
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
export type ReportFilter = z.infer<typeof ReportFilter>

export const EmbeddedReport = namedObject('EmbeddedReport', {
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
  /** As the provider describes it now. A paginated report has no pages, filters or bookmarks. */
  tipoRelatorio: ReportType,
  /** Initial values of a paginated report's parameters. */
  parametros: z.array(z.object({ nome: z.string(), valor: z.string() })),
  painelParametros: z.boolean(),
})
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

const { get, post } = callsOf({ tag: 'Relatórios', permission: 'reports:view' })

export const reportsApi = {
  embed: post('/usuarios/relatorio/embed', 'Emite o token que embute um relatório liberado', {
    body: EmbedRequest,
    response: { 200: EmbeddedReport },
  }),
  viewAs: post(
    '/usuarios/:idUsuario/ver-como',
    'Emite o token que embute um relatório com a identidade de outra pessoa (auditado)',
    { permission: 'grants:manage', body: EmbedRequest, response: { 200: EmbeddedReport } },
  ),
  recordView: post(
    '/usuarios/relatorio/:id/visualizacao',
    'Registra uma visualização e seus tempos de carga',
    { body: ReportView },
  ),
  checkAccess: get(
    '/usuarios/relatorio/:id/acesso',
    'Diz se a pessoa ainda pode ver o relatório: 204, ou 403',
  ),
}
