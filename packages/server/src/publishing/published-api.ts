import {
  type ChosenNotation,
  type ChosenPlace,
  type DataReplacement,
  DataScale,
  type DataType,
  type PublicationOutcome,
  type PublishedTable,
  type ReportVersion,
} from '@bi-manager/contract'
import { z } from 'zod'
import {
  type CallLimits,
  type Connection,
  createConnectionCalls,
  type EntraTokens,
  type ProviderRefusal,
} from '../connections/index.ts'
import { Problem } from '../platform/lib/problem.ts'
import { Concerned } from './concerned.ts'
import {
  Choice,
  columnOf,
  type DraftCaller,
  Notation,
  notationBody,
  notationOf,
  ownTypes,
  PUBLICATION_MS,
  placeBody,
  placeOf,
  problemOfDraft,
  ReadColumn,
  typesOf,
} from './draft-api.ts'

/* Published reports of the local report service. Microsoft has no such calls. */

const origins = { portal: 'PORTAL', command: 'COMANDO', folder: 'PASTA' } as const
const data = { current: 'ATUAIS', kept: 'GUARDADOS', none: 'AUSENTES' } as const

const Version = z.object({
  number: z.number().int(),
  at: z.iso.datetime(),
  author: z.string(),
  origin: z.enum(['portal', 'command', 'folder']),
  changes: z.array(z.string()),
})
const Reports = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      workspace: z.object({ id: z.string(), name: z.string() }),
      versions: z.number().int(),
      last: Version.nullable(),
    }),
  ),
})
const Versions = z.object({
  value: z.array(Version.extend({ data: z.enum(['current', 'kept', 'none']) })),
})
const Tables = z.object({
  value: z.array(
    z.object({
      name: z.string(),
      hidden: z.boolean(),
      columns: z.array(z.object({ name: z.string(), label: z.string().optional(), kind: z.string() })),
    }),
  ),
})
const Outcome = z.object({
  faults: z.array(z.string()),
  remarks: z.array(z.string()),
  concerned: Concerned,
})

const Replaced = Outcome.extend({
  rows: z.number().int(),
  choice: Choice.optional(),
  /** An older service sends none. */
  reading: Notation.default(Notation.parse({})),
  changes: z.array(z.string()).default([]),
  columns: z.array(ReadColumn.extend({ before: z.string().optional() })).default([]),
  preview: z.array(z.array(z.string().nullable())).default([]),
  questions: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        hasSign: z.boolean(),
        isUnknown: z.boolean().default(false),
        isFraction: z.boolean().default(false),
        answers: z.array(z.string()).optional(),
        example: z.string().optional(),
      }),
    )
    .default([]),
})
const scales = {
  COMO_LIDO: 'asRead',
  DIVIDIR: 'divided',
  MULTIPLICAR: 'multiplied',
  FRACAO: 'share',
} as const satisfies Record<DataScale, string>

/** Returns the answers that the service accepts; an older one names none. */
const answersOf = (
  hasSign: boolean,
  answers: string[] = hasSign ? ['asRead', 'multiplied'] : ['divided', 'asRead'],
): DataScale[] => answers.flatMap((answer) => DataScale.options.filter((scale) => scales[scale] === answer))

export type PublishedApi = ReturnType<typeof createPublishedApi>

interface Replacement extends ChosenPlace, ChosenNotation {
  rascunho: string
  tabela: string
  autor: string
  tipos?: Record<string, DataType>
  escalas?: Record<string, DataScale>
  /** False: the faults contain no values of the file, because others than the author read them. */
  quotesData?: boolean
}

export const createPublishedApi = (limits: CallLimits & { tokens: EntraTokens }) => {
  const { call } = createConnectionCalls(limits)
  const replace =
    (operation: 'checkData' | 'replaceData', end: string) =>
    async (
      { connection, person }: DraftCaller,
      reportId: string,
      {
        rascunho: draft,
        tabela: table,
        autor: author,
        tipos = {},
        escalas = {},
        quotesData,
        ...how
      }: Replacement,
    ): Promise<DataReplacement & { envolvidos: Concerned }> => {
      const path = `/publications/${reportId}/${end}`
      const chosen = Object.entries(escalas).map(([column, scale]) => [column, scales[scale]])
      const choices = { types: typesOf(tipos), scales: Object.fromEntries(chosen) }
      const body = { draft, table, author, quotesData, ...choices, ...placeBody(how), ...notationBody(how) }
      const sent = {
        operation,
        path,
        body,
        headers: { 'x-requested-for': person },
        timeoutMs: PUBLICATION_MS,
      }
      const replaced = await call(connection, sent, Replaced, problemOfPublished)
      return {
        erros: replaced.faults,
        avisos: replaced.remarks,
        linhas: replaced.rows,
        mudancas: replaced.changes,
        colunas: replaced.columns.map(({ before, ...column }) => ({
          ...columnOf(column),
          antes: before === undefined ? null : (ownTypes.get(before) ?? 'OUTRO'),
        })),
        amostra: replaced.preview,
        perguntas: replaced.questions.map(
          ({ name, label, hasSign, isUnknown, isFraction, answers, example = null }) => ({
            nome: name,
            rotulo: label,
            percentual: hasSign,
            desconhecida: isUnknown,
            fracoes: isFraction,
            respostas: answersOf(hasSign, answers),
            exemplo: example,
          }),
        ),
        lugar: placeOf(replaced.choice),
        escrita: notationOf(replaced.reading),
        envolvidos: replaced.concerned,
      }
    }
  return {
    list: async (connection: Connection) => {
      const sent = { operation: 'listPublished', path: '/publications' }
      const { value } = await call(connection, sent, Reports, problemOfPublished)
      return value.map(({ id, name, workspace, versions, last }) => ({
        reportId: id,
        nome: name,
        workspace: { idGrupo: workspace.id, nome: workspace.name },
        versoes: versions,
        ultima: last && versionOf(last),
      }))
    },

    versions: async (connection: Connection, reportId: string): Promise<ReportVersion[]> => {
      const sent = { operation: 'listVersions', path: `/publications/${reportId}/versions` }
      const { value } = await call(connection, sent, Versions, problemOfPublished)
      return value.map((version) => ({ ...versionOf(version), dados: data[version.data] }))
    },

    tables: async (connection: Connection, reportId: string): Promise<PublishedTable[]> => {
      const sent = { operation: 'listTables', path: `/publications/${reportId}/tables` }
      const { value } = await call(connection, sent, Tables, problemOfPublished)
      return value.map(({ name, hidden, columns }) => ({
        nome: name,
        oculta: hidden,
        colunas: columns.map(({ name, label = name, kind }) => ({
          nome: name,
          rotulo: label,
          tipo: ownTypes.get(kind) ?? 'OUTRO',
        })),
      }))
    },

    checkData: replace('checkData', 'data/check'),
    replaceData: replace('replaceData', 'data'),

    restore: async (
      connection: Connection,
      { reportId, numero }: { reportId: string; numero: number },
      { comDados: withData, autor: author }: { comDados: boolean; autor: string },
    ): Promise<PublicationOutcome & { envolvidos: Concerned }> => {
      const path = `/publications/${reportId}/versions/${numero}/restore`
      const sent = {
        operation: 'restoreVersion',
        path,
        body: { withData, author },
        timeoutMs: PUBLICATION_MS,
      }
      const { faults, remarks, concerned } = await call(connection, sent, Outcome, problemOfPublished)
      return { erros: faults, avisos: remarks, envolvidos: concerned }
    },
  }
}

/** A report or a version that does not exist was named by the caller. */
const problemOfPublished = (refusal: ProviderRefusal): Problem =>
  refusal.code === 'PowerBIEntityNotFound'
    ? new Problem('nao_encontrado', { cause: refusal })
    : problemOfDraft(refusal)

const versionOf = ({ number, at, author, origin, changes }: z.output<typeof Version>) => ({
  numero: number,
  em: at,
  autor: author || null,
  origem: origins[origin],
  mudancas: changes,
})
