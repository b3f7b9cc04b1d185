import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { emptyAsNull, guidField, identityUser, idField, requiredLine } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { ReportType } from '../connections/report-type.ts'
import { DeclaredPanel, DeclaredPanelFilter } from './panel-declaration.ts'
import { FilterExpressionError, parseReportFilters } from './report-filter-expression.ts'
import { reportParameters } from './report-parameters.ts'

/** A registered report, as administrators edit it. `reportId` is its id at the BI provider. */
export const Report = namedObject('Report', {
  idRelatorio: z.number().int(),
  idGrupoRelatorio: z.number().int(),
  nomeGrupo: z.string(),
  nomeRelatorio: z.string(),
  /** '' without one. */
  operadoraRelatorio: z.string(),
  reportId: z.string(),
  /** A Power BI filter expression that is always applied. */
  filtro: z.string().nullable(),
  /** Row-level security roles for the embed token. */
  papeisRls: z.array(z.string()),
  /** The embed token carries the viewer's identity even without roles. */
  enviaIdentidade: z.boolean(),
  /** The identity's user instead of the viewer's e-mail; null: the e-mail. */
  usuarioIdentidade: z.string().nullable(),
  /** Further datasets that the embed token opens: 'dataset' or 'workspace/dataset'. */
  datasetsAdicionais: z.array(z.string()),
  /** The type that the provider named when the report was registered. */
  tipoRelatorio: ReportType,
  /** The parameters of a paginated report, as 'Name=value'. */
  parametros: z.array(z.string()),
  /** Readers of a paginated report see its parameter panel and may choose other values. */
  painelParametros: z.boolean(),
  /** The panel's filters as registered here; null: as the report itself declares them. */
  filtrosPainel: z.array(DeclaredPanelFilter).nullable(),
  /** Readers may comment on it, unless comments are off for the whole installation. */
  comentarios: z.boolean(),
  /** Changes with each upload; null when the generated badge is shown. */
  logo: z.string().nullable(),
  /** E-mails have a link instead of its data; neither guests nor screens see it. */
  sensivel: z.boolean(),
  versao: z.number().int(),
})
export type Report = z.infer<typeof Report>

/** The operadoras of the viewer's filter; other texts may be registered too. */
export const OPERADORAS = ['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA'] as const

/** Maximum number of operadoras that the form suggests. */
export const MAX_OPERADORAS = 200

/** An example of a filter, for the form. */
export const FILTER_EXPRESSION_EXAMPLE = "Sinistralidade/operadora eq 'CNU'"

const filtro = z
  .string()
  .trim()
  .max(4000, 'Use no máximo 4000 caracteres.')
  .superRefine((text, context) => {
    try {
      parseReportFilters(text)
    } catch (error) {
      if (!(error instanceof FilterExpressionError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })

const papeisRls = z
  .array(requiredLine(100))
  .max(50, 'No máximo 50 papéis.')
  .transform((roles) => [...new Set(roles)])

/** GenerateToken takes 50 datasets, of which one is the report's own. */
export const MAX_ADDITIONAL_DATASETS = 49

const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const datasetReference = new RegExp(`^(?:${guid}/)?${guid}$`)

/** Returns the ids in 'dataset' or 'workspace/dataset'. */
export const datasetReferenceOf = (reference: string): { groupId: string | undefined; datasetId: string } => {
  const [datasetId = '', groupId] = reference.split('/').reverse()
  return { groupId, datasetId }
}

const datasetsAdicionais = z
  .array(z.string().trim().toLowerCase())
  .max(MAX_ADDITIONAL_DATASETS, `No máximo ${MAX_ADDITIONAL_DATASETS} conjuntos.`)
  // One message for the list: the form shows it at its one field.
  .refine(
    (references) => references.every((reference) => datasetReference.test(reference)),
    'Informe o id de cada conjunto (GUID), ou o id do workspace e o do conjunto, com uma barra entre eles.',
  )
  .transform((references) => [
    ...new Map(references.map((reference) => [datasetReferenceOf(reference).datasetId, reference])).values(),
  ])

/** The longest name of a report; Power BI's own may be longer. */
export const MAX_REPORT_NAME = 160

/** The operadora of a report for everybody. */
export const ALL_OPERADORAS = 'Todas'

/** On a PUT, an optional field left out stays unchanged. */
export const ReportDraft = namedObject('ReportDraft', {
  idGrupoRelatorio: idField('Escolha um grupo.'),
  nomeRelatorio: requiredLine(MAX_REPORT_NAME),
  operadoraRelatorio: requiredLine(80),
  reportId: guidField('Escolha um relatório ou digite o id dele (GUID).'),
  filtro: emptyAsNull(filtro).optional(),
  papeisRls: papeisRls.optional(),
  enviaIdentidade: z.boolean().optional(),
  usuarioIdentidade: emptyAsNull(identityUser).optional(),
  datasetsAdicionais: datasetsAdicionais.optional(),
  tipoRelatorio: ReportType.optional(),
  parametros: reportParameters.optional(),
  painelParametros: z.boolean().optional(),
  filtrosPainel: DeclaredPanel.nullable().optional(),
  sensivel: z.boolean().optional(),
  comentarios: z.boolean().optional(),
})
export type ReportDraft = z.infer<typeof ReportDraft>

/** Reports of a workspace's external group, registered in one transaction. */
export const ReportImport = namedObject('ReportImport', {
  relatorios: z
    .array(
      z.object({
        reportId: guidField('Informe o id do relatório.'),
        nomeRelatorio: requiredLine(MAX_REPORT_NAME),
        operadoraRelatorio: requiredLine(80),
        papeisRls: papeisRls.optional(),
        tipoRelatorio: ReportType.optional(),
      }),
    )
    .min(1, 'Marque ao menos um relatório.')
    .max(500, 'Importe no máximo 500 relatórios de uma vez.'),
})
export type ReportImport = z.infer<typeof ReportImport>

/** A PNG, JPEG or WebP in base64, recognised by its bytes and re-encoded at 128 × 128. */
export const LogoUpload = namedObject('LogoUpload', {
  imagem: z.base64('Envie a imagem em base64.').max(240_000, 'A imagem pode ter no máximo 180 KB.'),
})

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
    enviaIdentidade: { label: 'Enviar a identidade da pessoa', control: 'switch', privacy: 'none' },
    usuarioIdentidade: { label: 'Usuário enviado', control: 'optionalText', privacy: 'personal' },
    datasetsAdicionais: { label: 'Conjuntos de dados adicionais', control: 'choice', privacy: 'none' },
    tipoRelatorio: { label: 'Tipo', privacy: 'none' },
    parametros: { label: 'Parâmetros', control: 'choice', privacy: 'none' },
    painelParametros: { label: 'Quem abre escolhe os parâmetros', control: 'switch', privacy: 'none' },
    filtrosPainel: { label: 'Filtros do painel', control: 'choice', privacy: 'none' },
    comentarios: { label: 'Comentários', control: 'switch', privacy: 'none' },
    logo: { label: 'Logo', control: 'file', privacy: 'none' },
    sensivel: { label: 'Dados sensíveis', control: 'switch', privacy: 'none' },
  } satisfies Fields<Report, 'idRelatorio'>,
})

const tag = 'Relatórios'
const newRows =
  'tem papéis ou um usuário enviado, ou o mesmo relatório já está cadastrado com outra identidade, outros dados ou como sensível'
const query = listQuery(ReportOrder).extend({ idGrupoRelatorio: EntityId.optional() })

const { get, post, put, remove } = callsOf({ tag, permission: reportEntity.permission })

export const reportRegistrationsApi = {
  ...entityCalls(reportEntity, {
    tag,
    summaries: {
      list: 'Relatórios cadastrados',
      get: 'Um relatório cadastrado',
      create: 'Cadastra um relatório',
      update: 'Edita um relatório',
      remove: 'Exclui um relatório e as permissões sobre ele',
    },
    reauthentication: {
      create: { if: newRows },
      update: {
        if: 'muda o que decide as linhas: enviar ou não a identidade, usuário enviado, papéis, relatório, workspace ou conjuntos de dados; ou deixa de ser sensível',
      },
      remove: { if: 'o relatório envia uma identidade ou é sensível: cadastrado de novo, ele não o seria' },
    },
    query,
    record: Report,
    draft: ReportDraft,
    update: ReportDraft,
  }),
  exportCsv: get('/usuarios/relatorio.csv', 'Relatórios cadastrados em CSV', {
    query: query.pick({ busca: true, ordem: true, idGrupoRelatorio: true }),
    contentType: 'text/csv',
  }),
  operadoras: get(
    '/usuarios/relatorio/operadoras',
    `As operadoras dos relatórios cadastrados, até ${MAX_OPERADORAS}: as mais usadas primeiro`,
    { response: { 200: z.array(z.string()) } },
  ),
  import: post(
    '/usuarios/workspace/:id/relatorios',
    'Cadastra de uma vez vários relatórios do grupo; ou todos, ou nenhum',
    { reauthentication: { if: newRows }, body: ReportImport, response: { 201: z.array(Report) } },
  ),
  setLogo: put('/usuarios/relatorio/:id/logo', 'Troca o logo do relatório', {
    body: LogoUpload,
    response: { 200: Report },
  }),
  removeLogo: remove('/usuarios/relatorio/:id/logo', 'Volta ao logo gerado'),
  logo: get('/usuarios/relatorio/:id/logo', 'A imagem do logo', { contentType: 'image/webp' }),
}
