import { type DataReading, DataType, type PublicationDraft } from '@bi-manager/contract'
import { z } from 'zod'
import { Problem } from '../lib/problem.ts'
import type { CallLimits, Connection } from './connection.ts'
import { createConnectionCalls } from './connection-calls.ts'
import type { EntraTokens } from './entra-tokens.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/* The calls with which the local report service publishes a data file. Microsoft has none like them. */

const types = {
  TEXTO: 'text',
  INTEIRO: 'integer',
  NUMERO: 'number',
  DATA: 'date',
  DATA_HORA: 'timestamp',
  LOGICO: 'boolean',
} as const satisfies Record<DataType, string>
const ownTypes = new Map<string, DataType>(DataType.options.map((own) => [types[own], own]))

const notations = { money: 'MOEDA', percent: 'PERCENTUAL' } as const

const sentences = z.array(z.string())
const Sent = z.object({ id: z.guid() })
const Column = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  shownAs: z.enum(['money', 'percent']).optional(),
  distinct: z.number(),
})
const Read = z.object({
  faults: sentences,
  remarks: sentences.default([]),
  rows: z.number().int().default(0),
  columns: z.array(Column).default([]),
  preview: z.array(z.array(z.string().nullable())).default([]),
  report: z.record(z.string(), z.unknown()).default({}),
})
const Judged = z.object({
  faults: sentences,
  remarks: sentences,
  workspaceId: z.string(),
  reportId: z.string(),
})

export type DraftApi = ReturnType<typeof createDraftApi>

export const createDraftApi = (limits: CallLimits & { tokens: EntraTokens }) => {
  const { call } = createConnectionCalls(limits)
  const path = (id: string, what: string) => `/drafts/${encodeURIComponent(id)}/${what}`

  const judge =
    (what: 'check' | 'publish') =>
    async (connection: Connection, id: string, { workspace, relatorio }: PublicationDraft) => {
      const { idGrupo, nome: name } = workspace
      const body = { workspace: { ...(idGrupo ? { id: idGrupo } : {}), name }, report: relatorio }
      const sent = { operation: `${what}Draft`, path: path(id, what), body, slow: true }
      const { faults, remarks, workspaceId, reportId } = await call(connection, sent, Judged, problemOfDraft)
      return { erros: faults, avisos: remarks, idGrupo: workspaceId, reportId }
    }

  return {
    /** Sends a file, and returns the id of its draft. */
    send: async (connection: Connection, name: string, file: Uint8Array<ArrayBuffer>): Promise<string> => {
      const sent = {
        ...{ operation: 'sendDraft', path: `/drafts?name=${encodeURIComponent(name)}` },
        ...{ file, slow: true },
      }
      return (await call(connection, sent, Sent, problemOfDraft)).id
    },

    read: async (
      connection: Connection,
      id: string,
      { nomeRelatorio, tipos }: { nomeRelatorio: string; tipos: Record<string, DataType> },
    ): Promise<DataReading> => {
      const chosen = Object.entries(tipos).map(([column, type]) => [column, types[type]])
      const body = { reportName: nomeRelatorio, types: Object.fromEntries(chosen) }
      const sent = { operation: 'readDraft', path: path(id, 'read'), body, slow: true }
      const { faults, remarks, rows, columns, preview, report } = await call(
        connection,
        sent,
        Read,
        problemOfDraft,
      )
      return {
        erros: faults,
        avisos: remarks,
        linhas: rows,
        colunas: columns.map(({ name, label, type, shownAs, distinct }) => ({
          nome: name,
          rotulo: label,
          tipo: ownTypes.get(type) ?? 'OUTRO',
          notacao: shownAs ? notations[shownAs] : null,
          valores: distinct,
        })),
        amostra: preview,
        relatorio: faults.length > 0 ? '' : `${JSON.stringify(report, null, 2)}\n`,
      }
    },

    check: judge('check'),
    publish: judge('publish'),
  }
}

const problemOfDraft = (refusal: ProviderRefusal): Problem => {
  const known = refusals[refusal.code]
  return known ? new Problem(known, { cause: refusal }) : problemOfRefusal(refusal)
}

const refusals: Record<string, ConstructorParameters<typeof Problem>[0]> = {
  DraftNotFound: 'rascunho_inexistente',
  TooManyDrafts: 'rascunhos_demais',
  UnsupportedFile: 'dados_recusados',
  RequestTooLarge: 'arquivo_grande_demais',
  PublicationBusy: 'publicacao_em_andamento',
}
