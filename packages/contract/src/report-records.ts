import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entity, type Fields } from './entity.ts'
import { emptyAsNull, guidField, idField, requiredLine } from './fields.ts'
import { RecordId } from './ids.ts'
import { listQuery } from './lists.ts'
import { recordCalls } from './record-calls.ts'
import { FiltroError, parseFiltro } from './report-filter-expression.ts'

/** A registered report, as administrators edit it. `reportId` is its id at the BI provider. */
export const Report = z
  .object({
    idRelatorio: z.number().int(),
    idGrupoRelatorio: z.number().int(),
    nomeGrupo: z.string(),
    nomeRelatorio: z.string(),
    operadoraRelatorio: z.string(),
    reportId: z.string(),
    /** A Power BI filter expression that is always applied. */
    filtro: z.string().nullable(),
    /** Row-level security roles for the embed token. */
    papeisRls: z.array(z.string()),
    /** Changes with each upload; null when the generated badge is shown. */
    logo: z.string().nullable(),
    versao: z.number().int(),
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

/** The operadoras of the viewer's filter; other texts may be registered too. */
export const OPERADORAS = ['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA'] as const

/** An example of a filter, for the form. */
export const FILTRO_EXAMPLE = "Sinistralidade/operadora eq 'CNU'"

const filtro = z
  .string()
  .trim()
  .max(4000, 'Use no máximo 4000 caracteres.')
  .superRefine((text, context) => {
    try {
      parseFiltro(text)
    } catch (error) {
      if (!(error instanceof FiltroError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })

const papeisRls = z
  .array(requiredLine(100))
  .max(50, 'No máximo 50 papéis.')
  .transform((roles) => [...new Set(roles)])

/** On a PUT, a `filtro` or `papeisRls` left out stays unchanged. */
export const ReportDraft = z
  .object({
    idGrupoRelatorio: idField('Escolha um grupo.'),
    nomeRelatorio: requiredLine(160),
    operadoraRelatorio: requiredLine(80),
    reportId: guidField('Escolha um relatório ou digite o id dele (GUID).'),
    filtro: emptyAsNull(filtro).optional(),
    papeisRls: papeisRls.optional(),
  })
  .meta({ id: 'ReportDraft' })
export type ReportDraft = z.infer<typeof ReportDraft>

/** Reports of a workspace's external group, registered in one transaction. */
export const ReportImport = z
  .object({
    relatorios: z
      .array(
        z.object({
          reportId: guidField('Informe o id do relatório.'),
          nomeRelatorio: requiredLine(160),
          operadoraRelatorio: requiredLine(80),
          papeisRls: papeisRls.optional(),
        }),
      )
      .min(1, 'Marque ao menos um relatório.')
      .max(500, 'Importe no máximo 500 relatórios de uma vez.'),
  })
  .meta({ id: 'ReportImport' })
export type ReportImport = z.infer<typeof ReportImport>

/** A PNG, JPEG or WebP in base64, recognised by its bytes and re-encoded at 128 × 128. */
export const LogoUpload = z
  .object({
    imagem: z.base64('Envie a imagem em base64.').max(240_000, 'A imagem pode ter no máximo 180 KB.'),
  })
  .meta({ id: 'LogoUpload' })

export const ReportOrder = ['nomeRelatorio', 'reportId', 'nomeGrupo', 'operadoraRelatorio'] as const

export const reportEntity = entity({
  kind: 'relatorio',
  title: 'Relatório',
  list: 'relatorios',
  listTitle: 'Lista de relatórios',
  path: '/usuarios/relatorio',
  permission: 'reports:manage',
  table: 'relatorio',
  id: 'idRelatorio',
  name: 'nomeRelatorio',
  hint: 'nomeGrupo',
  actions: {
    'report.created': 'Cadastrou um relatório',
    'report.updated': 'Editou um relatório',
    'report.deleted': 'Excluiu um relatório',
  },
  references: ['idRelatorio', 'liberados', 'incluidos', 'retirados'],
  pages: { list: '/relatorio', form: '/RegisterworkspaceRelatorios' },
  menu: { title: 'Relatórios', phoneTitle: 'Relatórios', list: 'Listar' },
  fields: {
    nomeRelatorio: {
      label: 'Nome Relatório',
      column: 'Nome do relatório',
      csv: true,
      control: 'text',
      privacy: 'none',
    },
    reportId: { label: 'Report', column: 'Report ID', csv: true, control: 'choice', privacy: 'none' },
    idGrupoRelatorio: { label: 'Grupo Relatório', control: 'choice', privacy: 'none' },
    nomeGrupo: {
      label: 'Nome do Workspace',
      column: 'Workspace',
      csv: 'Grupo Relatório',
      privacy: 'none',
    },
    operadoraRelatorio: { label: 'Operadora Relatório', csv: true, control: 'text', privacy: 'none' },
    filtro: { label: 'Filtro', control: 'optionalText', privacy: 'none' },
    papeisRls: { label: 'Papéis de segurança', control: 'choice', privacy: 'none' },
    logo: { label: 'Logo', control: 'file', privacy: 'none' },
  } satisfies Fields<Report, 'idRelatorio'>,
})

const tag = 'Relatórios'
const { permission } = reportEntity
const params = z.object({ id: RecordId })
const query = listQuery(ReportOrder).extend({ idGrupoRelatorio: RecordId.optional() })

export const reportRecordsApi = {
  ...recordCalls(reportEntity, {
    tag,
    summaries: {
      list: 'Relatórios cadastrados',
      get: 'Um relatório cadastrado',
      create: 'Cadastra um relatório',
      update: 'Edita um relatório',
      remove: 'Exclui um relatório e as permissões sobre ele',
    },
    query,
    record: Report,
    draft: ReportDraft,
    update: ReportDraft,
  }),
  exportCsv: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio.csv',
    permission,
    tag,
    summary: 'Relatórios cadastrados em CSV',
    query: query.pick({ busca: true, ordem: true, idGrupoRelatorio: true }),
    contentType: 'text/csv',
    response: { 200: z.string() },
  }),
  import: endpoint({
    method: 'POST',
    url: '/usuarios/workspace/:id/relatorios',
    permission,
    tag,
    summary: 'Cadastra de uma vez vários relatórios do grupo; ou todos, ou nenhum',
    params,
    body: ReportImport,
    response: { 201: z.array(Report) },
  }),
  setLogo: endpoint({
    method: 'PUT',
    url: '/usuarios/relatorio/:id/logo',
    permission,
    tag,
    summary: 'Troca o logo do relatório',
    params,
    body: LogoUpload,
    response: { 200: Report },
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    url: '/usuarios/relatorio/:id/logo',
    permission,
    tag,
    summary: 'Volta ao logo gerado',
    params,
    response: { 204: z.void() },
  }),
  logo: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/logo',
    permission,
    tag,
    summary: 'A imagem do logo',
    params,
    contentType: 'image/webp',
    response: { 200: z.string() },
  }),
}
