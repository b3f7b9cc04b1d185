import { callsOf, namedObject } from '../calls/endpoint.ts'
import { EntityId } from '../calls/ids.ts'
import { z } from '../calls/zod.ts'
import { DataColumn, DataNotation, DataPlace, DataType, dataNotation, dataPlace } from './publishing.ts'

/* Reports of the local report service after their publication: their versions. */

const version = {
  numero: z.number().int(),
  em: z.iso.datetime(),
  /** Null when it is not known, as after an edit in the data folder. */
  autor: z.string().nullable(),
  /** `PASTA`: the files of the data folder were edited without a publication. */
  origem: z.enum(['PORTAL', 'COMANDO', 'PASTA']),
  /** Sentences, such as 'Dados substituídos (5.000 linhas)'. */
  mudancas: z.array(z.string()),
}

export const ReportVersion = namedObject('ReportVersion', {
  ...version,
  /**
   * `ATUAIS`: the version has the data of today. `GUARDADOS`: its own data can be restored.
   * `AUSENTES`: only its definition can be restored.
   */
  dados: z.enum(['ATUAIS', 'GUARDADOS', 'AUSENTES']),
})
export type ReportVersion = z.infer<typeof ReportVersion>

export const PublishedReport = namedObject('PublishedReport', {
  reportId: z.string(),
  nome: z.string(),
  workspace: z.object({ idGrupo: z.string(), nome: z.string() }),
  /** Its registration in the portal, if it has one. */
  idRelatorio: z.number().int().nullable(),
  /** How many versions are kept. */
  versoes: z.number().int(),
  /** Null before its first publication with versions. */
  ultima: z.object(version).nullable(),
})
export type PublishedReport = z.infer<typeof PublishedReport>

export const PublicationOutcome = namedObject('PublicationOutcome', {
  /** Sentences. Nothing changed with any. */
  erros: z.array(z.string()),
  avisos: z.array(z.string()),
})
export type PublicationOutcome = z.infer<typeof PublicationOutcome>

export const PublishedTable = namedObject('PublishedTable', {
  nome: z.string(),
  /** Only the rules of roles read it. */
  oculta: z.boolean(),
  colunas: z.array(
    z.object({
      nome: z.string(),
      /** The heading in the published file, where it is known; otherwise the name. */
      rotulo: z.string(),
      tipo: z.enum([...DataType.options, 'OUTRO']),
    }),
  ),
})
export type PublishedTable = z.infer<typeof PublishedTable>

/**
 * What the numbers of a column are. With percent signs: 8% is 0.08 (`COMO_LIDO`) or 8 (`MULTIPLICAR`).
 * Without: 8 is 8% (`DIVIDIR`), 0.08 is 8% (`FRACAO`), or they are not percentages (`COMO_LIDO`).
 */
export const DataScale = z.enum(['COMO_LIDO', 'DIVIDIR', 'MULTIPLICAR', 'FRACAO'])
export type DataScale = z.infer<typeof DataScale>

export const ReplacedColumn = namedObject('ReplacedColumn', {
  ...DataColumn.shape,
  /** The type in the published table; null of a new column. */
  antes: DataColumn.shape.tipo.nullable(),
})
export type ReplacedColumn = z.infer<typeof ReplacedColumn>

export const DataReplacement = namedObject('DataReplacement', {
  ...PublicationOutcome.shape,
  linhas: z.number().int(),
  /** Sentences about what is not as before: columns with another type, and scaled numbers. */
  mudancas: z.array(z.string()),
  /** The columns of the file, as they were read; none of a file that was not read. */
  colunas: z.array(ReplacedColumn),
  /** The first rows; null without a value. */
  amostra: z.array(z.array(z.string().nullable())),
  /** Columns of which a scale must be chosen, because only the old or the new file shows percent signs. */
  perguntas: z.array(
    z.object({
      nome: z.string(),
      rotulo: z.string(),
      /** Whether the new file shows them. */
      percentual: z.boolean(),
      /** An earlier version published the numbers, and nothing says whether they are percentages. */
      desconhecida: z.boolean(),
      /** All numbers are fractions, such as 0.08. */
      fracoes: z.boolean(),
      /** One of them is right. */
      respostas: z.array(DataScale),
      /** The first value without a sign, with a decimal point. */
      exemplo: z.string().nullable(),
    }),
  ),
  /** Null where nothing can be chosen, as in Parquet. */
  lugar: DataPlace.nullable(),
  escrita: DataNotation,
})
export type DataReplacement = z.infer<typeof DataReplacement>

const report = { reportId: z.guid() }
const replacement = {
  params: z.object(report),
  body: namedObject('DataReplacementOrder', {
    /** A sent file (POST /publicacoes). */
    rascunho: z.guid(),
    /** The table whose rows it replaces. */
    tabela: z.string().min(1).max(63),
    /** By default, as the rows that are replaced were read. */
    ...dataPlace,
    ...dataNotation,
    /** Chosen types and scales of columns, by their names. */
    tipos: z.record(z.string().max(120), DataType).default({}),
    escalas: z.record(z.string().max(120), DataScale).default({}),
  }),
  response: { 200: DataReplacement },
}
const { get, post } = callsOf({ tag: 'Publicação', permission: 'reports:manage' })

export const publishedReportsApi = {
  list: get('/publicacoes/relatorios', 'Os relatórios do serviço local, com a última versão de cada um', {
    response: { 200: z.array(PublishedReport) },
  }),
  versions: get(
    '/publicacoes/relatorios/:reportId/versoes',
    'As versões guardadas de um relatório, da mais nova à mais antiga',
    { params: z.object(report), response: { 200: z.array(ReportVersion) } },
  ),
  tables: get('/publicacoes/relatorios/:reportId/tabelas', 'As tabelas dos dados de um relatório', {
    params: z.object(report),
    response: { 200: z.array(PublishedTable) },
  }),
  checkData: post(
    '/publicacoes/relatorios/:reportId/dados/conferencia',
    'Confere se um arquivo enviado pode substituir os dados, sem substituir',
    // The answer says how the file differs from the published rows.
    { ...replacement, reauthentication: 'always' },
  ),
  replaceData: post(
    '/publicacoes/relatorios/:reportId/dados',
    'Substitui os dados por um arquivo enviado com as mesmas colunas',
    { ...replacement, reauthentication: 'always' },
  ),
  restore: post(
    '/publicacoes/relatorios/:reportId/versoes/:numero/restauracao',
    'Publica de novo uma versão guardada, como uma versão nova',
    {
      reauthentication: 'always',
      params: z.object({ ...report, numero: EntityId }),
      body: namedObject('VersionRestoration', {
        /** Also brings back the data of the version. */
        comDados: z.boolean(),
      }),
      response: { 200: PublicationOutcome },
    },
  ),
}
