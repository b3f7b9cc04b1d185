import {
  type ChosenNotation,
  type ChosenPlace,
  type DataColumn,
  type DataNotation,
  type DataPlace,
  type DataReading,
  DataType,
  ownValue,
  type PublicationDraft,
  type PublicationPreview,
} from '@bi-manager/contract'
import { z } from 'zod'
import {
  type CallLimits,
  type Connection,
  createConnectionCalls,
  type EntraTokens,
  type ProviderRefusal,
  problemOfRefusal,
  type Sent as SentCall,
} from '../connections/index.ts'
import { Problem } from '../platform/lib/problem.ts'
import { Concerned } from './concerned.ts'

/* The calls with which the local report service publishes a data file. Microsoft has none like them. */

const types = {
  TEXTO: 'text',
  INTEIRO: 'integer',
  NUMERO: 'number',
  DATA: 'date',
  DATA_HORA: 'timestamp',
  LOGICO: 'boolean',
} as const satisfies Record<DataType, string>
/** The types of columns by their name in the service; others are `OUTRO`. */
export const ownTypes = new Map<string, DataType>(DataType.options.map((own) => [types[own], own]))

/** The portal shows no currency but the real. */
const notations = { money: 'MOEDA', foreign: null, percent: 'PERCENTUAL' } as const

const sentences = z.array(z.string())
const Sent = z.object({ id: z.guid() })
/** `discarded`: the names of older drafts that it replaces; none from an earlier service. */
const SentDraft = z
  .object({ id: z.guid(), discarded: sentences.default([]) })
  .transform(({ id: rascunho, discarded: apagados }) => ({ rascunho, apagados }))
/** Returns chosen types by their names in the service. */
export const typesOf = (tipos: Record<string, DataType>): Record<string, string> =>
  Object.fromEntries(Object.entries(tipos).map(([column, type]) => [column, types[type]]))

export const ReadColumn = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  shownAs: z.enum(['money', 'foreign', 'percent']).optional(),
  distinct: z.number(),
  fitsBothMarks: z.boolean().default(false),
  fitsBothOrders: z.boolean().default(false),
})
/** Where the rows of a file are. An older service sends none. */
export const Choice = z.object({
  sheets: sentences,
  sheet: z.string().optional(),
  heading: z.object({
    first: z.number().int(),
    count: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  }),
  rows: z.array(z.object({ row: z.number().int(), text: z.string() })),
})
/** How the values of a file were read. */
export const Notation = z.object({
  decimal: z.enum([',', '.']).nullable().default(null),
  isInDoubt: z.boolean().default(false),
  dateOrder: z.enum(['dayFirst', 'monthFirst']).nullable().default(null),
  isOrderInDoubt: z.boolean().default(false),
  totals: z.number().int().default(0),
  withoutTotals: z.boolean().default(false),
})
const Read = z.object({
  faults: sentences,
  remarks: sentences.default([]),
  rows: z.number().int().default(0),
  columns: z.array(ReadColumn).default([]),
  preview: z.array(z.array(z.string().nullable())).default([]),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })).default([]),
  report: z.record(z.string(), z.unknown()).default({}),
  explanation: sentences.default([]),
  choice: Choice.optional(),
  ...Notation.shape,
})
const Discarded = z.object({ id: z.string() })
const Validated = z.object({
  faults: sentences,
  remarks: sentences,
  workspaceId: z.string(),
  reportId: z.string(),
  concerned: Concerned,
})

const Shown = z.union([
  z.object({ faults: sentences.min(1) }),
  z.object({
    reportId: z.guid(),
    token: z.string().min(1),
    expiration: z.iso.datetime({ offset: true }),
    embedUrl: z.url(),
  }),
])

const ValidatedFolder = z.object({
  faults: sentences,
  remarks: sentences,
  reports: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      replaces: z.boolean(),
      workspaceId: z.string(),
      workspaceName: z.string(),
      roles: sentences.default([]),
    }),
  ),
  concerned: Concerned,
})

/** Whose drafts a call concerns: the service shows none of other people. */
export interface DraftCaller {
  connection: Connection
  /** Names the person to the service, which learns no more. */
  person: string
}

export type DraftApi = ReturnType<typeof createDraftApi>

/**
 * Milliseconds for a check or a publication: all reports of the datasets concerned are checked on
 * their data, about ten reports a second.
 */
export const PUBLICATION_MS = 10 * 60_000
/** Milliseconds to read a file: a spreadsheet's process and its rows have a minute each. */
const READING_MS = 150_000

export const createDraftApi = (limits: CallLimits & { tokens: EntraTokens }) => {
  const calls = createConnectionCalls(limits)
  const call = <S extends z.ZodType>({ connection, person }: DraftCaller, sent: SentCall, answer: S) =>
    calls.call(connection, { ...sent, headers: { 'x-requested-for': person } }, answer, problemOfDraft)
  const folderPath = (id: string, what: string) => `/drafts/folders/${encodeURIComponent(id)}/${what}`
  const path = (id: string, what: string) => `/drafts/${encodeURIComponent(id)}/${what}`

  const validate =
    (what: 'check' | 'publish') =>
    async (caller: DraftCaller, id: string, publication: PublicationDraft, author = '') => {
      const body = { ...bodyOf(publication), ...(author ? { author } : {}) }
      const sent = { operation: `${what}Draft`, path: path(id, what), body, timeoutMs: PUBLICATION_MS }
      const { faults, remarks, workspaceId, reportId, concerned } = await call(caller, sent, Validated)
      return { erros: faults, avisos: remarks, idGrupo: workspaceId, reportId, envolvidos: concerned }
    }

  const validateFolder =
    (what: 'check' | 'publish') =>
    async (caller: DraftCaller, id: string, author = '') => {
      const body = author ? { author } : {}
      const sent = { operation: `${what}Folder`, path: folderPath(id, what), body, timeoutMs: PUBLICATION_MS }
      const { faults, remarks, reports, concerned } = await call(caller, sent, ValidatedFolder)
      const relatorios = reports.map(
        ({ id: reportId, name, workspaceId, workspaceName, replaces, roles }) => ({
          reportId,
          nome: name,
          idGrupo: workspaceId,
          nomeGrupo: workspaceName,
          substitui: replaces,
          papeis: roles,
        }),
      )
      const byName = (one: { nome: string }, other: { nome: string }) =>
        one.nome.localeCompare(other.nome, 'pt-BR', { numeric: true })
      return {
        erros: faults,
        avisos: remarks,
        relatorios: relatorios.toSorted(byName),
        envolvidos: concerned,
      }
    }

  const show = async (
    caller: DraftCaller,
    sent: { path: string; body: object },
  ): Promise<PublicationPreview> => {
    const shown = await call(caller, { operation: 'previewDraft', slow: true, ...sent }, Shown)
    if ('faults' in shown) return { erros: shown.faults, previa: null }
    const { reportId, token, expiration, embedUrl } = shown
    const allowed = new URL(limits.addresses.local.embed).origin
    if (new URL(embedUrl).origin !== allowed)
      throw new Problem('bi_resposta_invalida', { cause: `embedUrl outside ${allowed}` })
    return { erros: [], previa: { reportId, embedUrl, embedToken: token, expiration } }
  }

  return {
    /** Sends a file, and returns the id of its draft and the names of those that it replaces. */
    send: (caller: DraftCaller, name: string, file: Uint8Array<ArrayBuffer>) => {
      const sent = {
        operation: 'sendDraft',
        path: `/drafts?name=${encodeURIComponent(name)}`,
        file,
        slow: true,
      }
      return call(caller, sent, SentDraft)
    },

    read: async (
      caller: DraftCaller,
      id: string,
      {
        nomeRelatorio,
        tipos,
        ...how
      }: { nomeRelatorio: string; tipos: Record<string, DataType> } & ChosenPlace & ChosenNotation,
    ): Promise<DataReading> => {
      const body = {
        reportName: nomeRelatorio,
        types: typesOf(tipos),
        ...placeBody(how),
        ...notationBody(how),
      }
      const sent = { operation: 'readDraft', path: path(id, 'read'), body, timeoutMs: READING_MS }
      const read = await call(caller, sent, Read)
      const { faults, remarks, rows, columns, preview, tables, report, explanation, choice } = read
      return {
        erros: faults,
        avisos: remarks,
        linhas: rows,
        colunas: columns.map(columnOf),
        amostra: preview,
        tabelas: tables.map(({ name, columns }) => ({ nome: name, colunas: columns })),
        relatorio: faults.length > 0 ? '' : `${JSON.stringify(report, null, 2)}\n`,
        proposta: explanation,
        lugar: placeOf(choice),
        escrita: notationOf(read),
      }
    },

    /** Returns what opens the report of a draft for a few minutes; `previa` is null with `erros`. */
    preview: (caller: DraftCaller, id: string, publication: PublicationDraft): Promise<PublicationPreview> =>
      show(caller, { path: path(id, 'preview'), body: bodyOf(publication) }),

    /** The same for a report of a sent folder. */
    previewFolder: (caller: DraftCaller, id: string, report: string): Promise<PublicationPreview> =>
      show(caller, { path: folderPath(id, 'preview'), body: { report } }),

    /** Begins to send a folder with definitions; the same answer. */
    sendFolder: (caller: DraftCaller, name: string) =>
      call(caller, { operation: 'sendFolder', path: '/drafts/folders', body: { name } }, SentDraft),

    sendFolderFile: async (
      caller: DraftCaller,
      id: string,
      path: string,
      file: Uint8Array<ArrayBuffer>,
    ): Promise<string> => {
      const sent = {
        operation: 'sendFolderFile',
        path: `${folderPath(id, 'files')}?path=${encodeURIComponent(path)}`,
        file,
        slow: true,
      }
      return (await call(caller, sent, Sent)).id
    },
    checkFolder: validateFolder('check'),
    publishFolder: validateFolder('publish'),

    /** Deletes a draft at once, instead of after a day. */
    discard: async (caller: DraftCaller, id: string): Promise<void> => {
      // It waits for a reading of the same service, which goes on when the person leaves the page.
      const sent = {
        operation: 'discardDraft',
        path: path(id, 'discard'),
        body: {},
        timeoutMs: READING_MS,
      }
      await call(caller, sent, Discarded)
    },

    check: validate('check'),
    publish: validate('publish'),
  }
}

/** Returns what the author chose, as the service names it. */
export const placeBody = ({ aba, linhaDoCabecalho, linhasNoCabecalho = 1 }: ChosenPlace) => ({
  ...(aba === undefined ? {} : { sheet: aba }),
  ...(linhaDoCabecalho === undefined
    ? {}
    : { heading: { first: linhaDoCabecalho, count: linhasNoCabecalho } }),
})

export const placeOf = (choice: z.output<typeof Choice> | undefined): DataPlace | null =>
  choice
    ? {
        abas: choice.sheets,
        aba: choice.sheet ?? null,
        linhaDoCabecalho: choice.heading.first,
        linhasNoCabecalho: choice.heading.count,
        primeirasLinhas: choice.rows.map(({ row, text }) => ({ linha: row, texto: text })),
      }
    : null

const marks = { virgula: ',', ponto: '.' } as const
const orders = { diaAntes: 'dayFirst', mesAntes: 'monthFirst' } as const
const ownOrders = { dayFirst: 'diaAntes', monthFirst: 'mesAntes' } as const

/** Returns what the author chose about values, as the service names it. */
export const notationBody = ({ marcaDecimal, ordemDasDatas, semTotais }: ChosenNotation) => ({
  ...(marcaDecimal ? { decimal: marks[marcaDecimal] } : {}),
  ...(ordemDasDatas ? { dateOrder: orders[ordemDasDatas] } : {}),
  ...(semTotais === undefined ? {} : { withoutTotals: semTotais }),
})

export const notationOf = ({
  decimal,
  isInDoubt,
  dateOrder,
  isOrderInDoubt,
  totals,
  withoutTotals,
}: z.output<typeof Notation>): DataNotation => ({
  marcaDecimal: decimal === ',' ? 'virgula' : decimal === '.' ? 'ponto' : null,
  marcaEmDuvida: isInDoubt,
  ordemDasDatas: dateOrder && ownOrders[dateOrder],
  ordemEmDuvida: isOrderInDoubt,
  totais: totals,
  semTotais: withoutTotals,
})

/** Returns a column as the portal names it. */
export const columnOf = ({
  name,
  label,
  type,
  shownAs,
  distinct,
  fitsBothMarks,
  fitsBothOrders,
}: z.output<typeof ReadColumn>): DataColumn => ({
  nome: name,
  rotulo: label,
  tipo: ownTypes.get(type) ?? 'OUTRO',
  notacao: shownAs ? notations[shownAs] : null,
  valores: distinct,
  duasLeituras: fitsBothMarks,
  duasOrdens: fitsBothOrders,
})

const bodyOf = ({ workspace: { idGrupo, nome: name }, relatorio, outros, fuso }: PublicationDraft) => ({
  workspace: { ...(idGrupo ? { id: idGrupo } : {}), name },
  report: relatorio,
  ...(outros.length > 0 ? { others: outros } : {}),
  timeZone: fuso,
})

/** Maps the refusal of a call about publishing. */
export const problemOfDraft = (refusal: ProviderRefusal): Problem => {
  const known = ownValue(refusals, refusal.code)
  return known ? new Problem(known, { cause: refusal }) : problemOfRefusal(refusal)
}

const refusals: Record<string, ConstructorParameters<typeof Problem>[0]> = {
  DraftNotFound: 'rascunho_inexistente',
  TooManyDrafts: 'rascunhos_demais',
  UnsupportedFile: 'dados_recusados',
  RequestTooLarge: 'arquivo_grande_demais',
  UnsupportedPath: 'caminho_recusado',
  PathOutsideFolder: 'caminho_fora_da_pasta',
  PublicationBusy: 'publicacao_em_andamento',
}
