import { callsOf, namedObject } from '../calls/endpoint.ts'
import { guidField, requiredLine } from '../calls/fields.ts'
import { PORTAL_ZONE, TimeZone } from '../calls/time-zone.ts'
import { z } from '../calls/zod.ts'

/* Publishing a report of a data file, through the local report service. */

/** Data files of one report. */
export const MAX_DATA_FILES = 10

/** Bytes and files of a folder with definitions. */
export const FOLDER_BYTES = 50 * 1024 * 1024
export const MAX_FOLDER_FILES = 100

/** Types that the author may choose for a column; a Parquet file may have others. */
export const DataType = z.enum(['TEXTO', 'INTEIRO', 'NUMERO', 'DATA', 'DATA_HORA', 'LOGICO'])
export type DataType = z.infer<typeof DataType>

export const DataColumn = namedObject('DataColumn', {
  /** The name in queries: letters, digits and underscores. */
  nome: z.string(),
  /** The heading in the file. */
  rotulo: z.string(),
  tipo: z.enum([...DataType.options, 'OUTRO']),
  /** How the file shows the number. */
  notacao: z.enum(['MOEDA', 'PERCENTUAL']).nullable(),
  /** How many different values there are; about that many in a large file. */
  valores: z.number().int(),
  /** Both decimal marks fit all of its values, and give other numbers: `marcaDecimal` decides. */
  duasLeituras: z.boolean(),
  /** Both orders of dates fit all of its values, and give other days: `ordemDasDatas` decides. */
  duasOrdens: z.boolean(),
})
export type DataColumn = z.infer<typeof DataColumn>

const HeadingCount = z.union([z.literal(0), z.literal(1), z.literal(2)])

/** Where the rows of a file are: in which sheet, and below which rows of names. */
export const dataPlace = {
  /** The name of a sheet; without it, the first visible one. Ignored in a file without sheets. */
  aba: z.string().trim().min(1).max(200).optional(),
  /** The row of the heading, from 1, as the sheet or the file numbers it; without it, it is found. */
  linhaDoCabecalho: z.number().int().min(1).max(1_048_576).optional(),
  /**
   * With 2, a row of groups and the row of names below it: 'Consultas · Valor'. With 0, there is no
   * heading: `linhaDoCabecalho` is the first row of values.
   */
  linhasNoCabecalho: HeadingCount.default(1),
}
export type ChosenPlace = z.input<z.ZodObject<typeof dataPlace>>

/** Where the rows of a file were read, and what may be chosen instead. */
export const DataPlace = namedObject('DataPlace', {
  /** The visible sheets; empty in a file without sheets. */
  abas: z.array(z.string()),
  /** The sheet that was read; null in a file without sheets. */
  aba: z.string().nullable(),
  linhaDoCabecalho: z.number().int(),
  linhasNoCabecalho: HeadingCount,
  /** The first rows that are not empty, from which the heading is chosen. */
  primeirasLinhas: z.array(z.object({ linha: z.number().int(), texto: z.string() })),
})
export type DataPlace = z.infer<typeof DataPlace>

export const DecimalMark = z.enum(['virgula', 'ponto'])
export type DecimalMark = z.infer<typeof DecimalMark>

/** What comes first in dates with slashes: 05/03/2026 is 5 March or 3 May. */
export const DateOrder = z.enum(['diaAntes', 'mesAntes'])
export type DateOrder = z.infer<typeof DateOrder>

/** How the values of a file are read. */
export const dataNotation = {
  /** For columns that both decimal marks fit; without it, the other values of the file decide. */
  marcaDecimal: DecimalMark.optional(),
  /** For dates that both orders fit; without it, the other dates of the file decide. */
  ordemDasDatas: DateOrder.optional(),
  /** True: rows of totals are left out. */
  semTotais: z.boolean().optional(),
}
export type ChosenNotation = z.input<z.ZodObject<typeof dataNotation>>

/** How the values of a file were read. */
const readNotation = {
  /** Null when no number has a decimal mark, or when nothing decides it. */
  marcaDecimal: DecimalMark.nullable(),
  /** True: nothing is published before `marcaDecimal` is chosen. */
  marcaEmDuvida: z.boolean(),
  /** Null without a date with slashes, or when nothing decides it. */
  ordemDasDatas: DateOrder.nullable(),
  /** True: nothing is published before `ordemDasDatas` is chosen. */
  ordemEmDuvida: z.boolean(),
  /** Rows that seem to be totals, and whether they were left out. */
  totais: z.number().int(),
  semTotais: z.boolean(),
}
export const DataNotation = namedObject('DataNotation', readNotation)
export type DataNotation = z.infer<typeof DataNotation>

/** A file as it was read. With `erros`, everything else but `lugar` is empty. */
export const DataReading = namedObject('DataReading', {
  /** Sentences with file and line. */
  erros: z.array(z.string()),
  avisos: z.array(z.string()),
  linhas: z.number().int(),
  colunas: z.array(DataColumn),
  /** The first rows; null without a value. */
  amostra: z.array(z.array(z.string().nullable())),
  /** The tables and columns that queries may name. */
  tabelas: z.array(z.object({ nome: z.string(), colunas: z.array(z.string()) })),
  /** The proposed definition of the report, as JSON text. */
  relatorio: z.string(),
  /** What the proposal makes of the columns, as sentences. */
  proposta: z.array(z.string()),
  /** Null where nothing can be chosen, as in Parquet. */
  lugar: DataPlace.nullable(),
  escrita: DataNotation,
})
export type DataReading = z.infer<typeof DataReading>

const workspace = z.object({
  /** An existing workspace of the service; null for a new one. */
  idGrupo: guidField('Escolha um workspace.').nullable(),
  nome: requiredLine(120),
})

export const PublicationDraft = namedObject('PublicationDraft', {
  workspace,
  relatorio: z
    .string()
    .min(2, 'Escreva a definição do relatório.')
    .max(1_000_000, 'A definição é grande demais.'),
  /** Further drafts whose rows the report may read. */
  outros: z
    .array(z.guid())
    .max(MAX_DATA_FILES - 1)
    .default([]),
  /** The clock of the data: on which day an instant falls. */
  fuso: TimeZone.default(PORTAL_ZONE),
})
export type PublicationDraft = z.infer<typeof PublicationDraft>

export const PublicationResult = namedObject('PublicationResult', {
  /** Sentences with file, place, line and column. Nothing is published with any. */
  erros: z.array(z.string()),
  avisos: z.array(z.string()),
  /** For the registration in the portal. */
  idPowerBI: z.number().int(),
  idGrupo: z.string(),
  reportId: z.string(),
})
export type PublicationResult = z.infer<typeof PublicationResult>

/** The report of a draft, drawn before it is published. */
export const PublicationPreview = namedObject('PublicationPreview', {
  /** Sentences with file, place, line and column. */
  erros: z.array(z.string()),
  /** Null with `erros`. Opens the draft's report only, for the person who sent the file. */
  previa: z
    .object({
      reportId: z.string(),
      embedUrl: z.url(),
      embedToken: z.string(),
      expiration: z.iso.datetime({ offset: true }),
    })
    .nullable(),
})
export type PublicationPreview = z.infer<typeof PublicationPreview>

/** What the check of a folder found, and the reports in it. */
export const FolderResult = namedObject('FolderResult', {
  /** Sentences with file, place, line and column. Nothing is published with any. */
  erros: z.array(z.string()),
  avisos: z.array(z.string()),
  /** For the registration in the portal. */
  idPowerBI: z.number().int(),
  relatorios: z.array(
    z.object({
      reportId: z.string(),
      nome: z.string(),
      idGrupo: z.string(),
      nomeGrupo: z.string(),
      /** A report with this id is published already, and is replaced. */
      substitui: z.boolean(),
      /** The roles of its dataset. Users can open the report only if its registration has one of them. */
      papeis: z.array(z.string()),
    }),
  ),
})
export type FolderResult = z.infer<typeof FolderResult>

const params = z.object({ rascunho: z.guid() })
/** Names of the person's oldest unpublished files and folders, deleted because there were too many. */
const apagados = z.array(z.string())
const { get, post, remove } = callsOf({ tag: 'Publicação', permission: 'reports:manage' })

export const publishingApi = {
  workspaces: get('/publicacoes/workspaces', 'Os workspaces do serviço de relatórios local', {
    response: {
      200: z.array(
        namedObject('PublicationWorkspace', {
          idGrupo: z.string(),
          nome: z.string(),
          /** Its registration in the portal, if it has one. */
          idGrupoRelatorio: z.number().int().nullable(),
        }),
      ),
    },
  }),
  send: post(
    '/publicacoes',
    'Envia um arquivo de dados, CSV, XLSX ou Parquet, até 10 MB; guardado por um dia',
    {
      body: namedObject('DataFile', { nome: requiredLine(200) }),
      file: 'arquivo',
      response: { 201: namedObject('DataFileSent', { rascunho: z.string(), apagados }) },
    },
  ),
  read: post('/publicacoes/:rascunho/leitura', 'Lê o arquivo, com tipos detectados ou escolhidos', {
    params,
    body: namedObject('DataReadingOrder', {
      nomeRelatorio: requiredLine(160),
      tipos: z.record(z.string().max(120), DataType).default({}),
      ...dataPlace,
      ...dataNotation,
    }),
    response: { 200: DataReading },
  }),
  check: post('/publicacoes/:rascunho/conferencia', 'Confere a definição do relatório, sem publicar', {
    params,
    body: PublicationDraft,
    response: { 200: PublicationResult },
  }),
  preview: post(
    '/publicacoes/:rascunho/previa',
    'Desenha o relatório para quem enviou o arquivo, sem publicar',
    {
      params,
      body: PublicationDraft,
      response: { 200: PublicationPreview },
    },
  ),
  publish: post('/publicacoes/:rascunho', 'Confere e publica no serviço de relatórios local', {
    // The same draft may replace a published report, as a folder may.
    reauthentication: 'always',
    params,
    body: PublicationDraft,
    response: { 200: PublicationResult },
  }),
  discard: remove('/publicacoes/:rascunho', 'Apaga o que foi enviado: um arquivo ou uma pasta', { params }),
  sendFolder: post('/publicacoes/pastas', 'Começa a enviar uma pasta com definições; guardada por um dia', {
    body: namedObject('DefinitionFolder', { nome: requiredLine(200) }),
    response: { 201: namedObject('DefinitionFolderSent', { rascunho: z.string(), apagados }) },
  }),
  sendFolderFile: post('/publicacoes/pastas/:rascunho/arquivos', 'Envia um arquivo da pasta, até 10 MB', {
    params,
    body: namedObject('DefinitionFile', { caminho: requiredLine(400) }),
    file: 'arquivo',
    response: { 201: namedObject('DefinitionFileSent', { rascunho: z.string() }) },
  }),
  checkFolder: post('/publicacoes/pastas/:rascunho/conferencia', 'Confere a pasta, sem publicar', {
    params,
    response: { 200: FolderResult },
  }),
  previewFolder: post(
    '/publicacoes/pastas/:rascunho/previa',
    'Desenha um relatório da pasta para quem a enviou, sem publicar',
    {
      params,
      body: namedObject('FolderPreview', { reportId: z.guid() }),
      response: { 200: PublicationPreview },
    },
  ),
  publishFolder: post('/publicacoes/pastas/:rascunho', 'Confere e publica a pasta', {
    reauthentication: 'always',
    params,
    response: { 200: FolderResult },
  }),
}
