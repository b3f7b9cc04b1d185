import { callsOf, namedObject } from '../calls/endpoint.ts'
import { idField } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { ReportType } from '../connections/report-type.ts'
import { PanelField } from './panel-filters.ts'
import { ReportFilter } from './report-filter.ts'

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
  /** The registered operadora; '' without one. */
  operadoraRelatorio: z.string(),
  /** The report's own `filtro`, parsed; the viewer always applies it. */
  filtros: z.array(ReportFilter),
  /** The selects of the panel 'Filtrar Relatórios', in their order; without any it is hidden. */
  filtrosPainel: z.array(PanelField),
  /** As the provider describes it now. A paginated report has no pages, filters or bookmarks. */
  tipoRelatorio: ReportType,
  /** Initial values of a paginated report's parameters. */
  parametros: z.array(z.object({ nome: z.string(), valor: z.string() })),
  painelParametros: z.boolean(),
  /** Whether readers may comment on the report. */
  comentarios: z.boolean(),
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
    {
      permission: 'grants:manage',
      reauthentication: 'always',
      body: EmbedRequest,
      response: { 200: EmbeddedReport },
    },
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
