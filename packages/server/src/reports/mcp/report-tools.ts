import { ownValue, z } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ConnectionServices, dataTimeOf, findRegisteredReport } from '../../connections/index.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createReportData, openingFilters, type ReportDefinition } from '../data/report-data-api.ts'
import { subjectOf } from '../embedding/embedding.repository.ts'
import { createReportOpener } from '../embedding/open-report.ts'
import { viewerOf } from '../visibility/visible-reports.ts'
import { findReport, listReports } from './mcp.repository.ts'

/** Reports in one answer. */
const MAX_REPORTS = 200
/** Rows of one visual. */
const MAX_ROWS = 500
/** Milliseconds: the maximum age of a refresh history, which the readers of a dataset share. */
const DATA_AGE_MS = 5 * 60_000
/**
 * Readings per minute and person, with all of their keys: each is several queries of the report service,
 * and many at once slow the portal for everybody.
 */
const MAX_READINGS_PER_MINUTE = 60
/** Characters of the rows in one answer: a model reads them all. */
const MAX_CHARACTERS = 150_000

export const ListInput = z.object({
  busca: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\0]*$/)
    .optional()
    .describe('Palavras do nome do relatório ou do workspace.'),
})

export const ReadInput = z.object({
  relatorio: z.int().positive().max(2_147_483_647).describe('O id dado por listar_relatorios.'),
  pagina: z
    .string()
    .max(100)
    .optional()
    .describe('Nome ou título da página. Sem ela vêm as páginas, os visuais e as colunas, sem linhas.'),
  visuais: z
    .array(z.string().max(100))
    .min(1)
    .max(40)
    .optional()
    .describe('Nomes dos visuais; todos, sem ela.'),
  linhas: z.int().min(1).max(MAX_ROWS).default(100).describe('Máximo de linhas de cada visual.'),
  filtros: z
    .array(
      z.object({
        tabela: z.string().max(100),
        coluna: z.string().max(100),
        valores: z
          .array(z.union([z.string().max(200), z.number(), z.boolean()]))
          .min(1)
          .max(50),
      }),
    )
    .max(8)
    .default([])
    .describe('Mantém só as linhas com um destes valores em cada coluna. As colunas vêm com as páginas.'),
})

interface Asking {
  user: Caller
  request: FastifyRequest
}

type Page = ReportDefinition['pages'][number]

/** The tools of the MCP server. Each call is audited with its report and count of rows. */
export const createReportTools = (app: FastifyInstance, services: ConnectionServices) => {
  const { db, config, embedIssuer, refreshHistories } = services
  const openReport = createReportOpener(app, services)
  const data = createReportData(config.bi)
  const assertFewReadings = createCallLimit(app, services, MAX_READINGS_PER_MINUTE)

  const list = async ({ user, request }: Asking, { busca }: z.output<typeof ListInput>) => {
    const found = await listReports(db, viewerOf(user), { search: busca, most: MAX_REPORTS })
    await app.auditOf(request)(db, 'mcp.reports-listed', undefined, { relatorios: found.rows.length })
    return {
      relatorios: found.rows.map(({ idRelatorio, nomeRelatorio, nomeGrupo, isLocal, sensivel }) => ({
        relatorio: idRelatorio,
        nome: nomeRelatorio,
        workspace: nomeGrupo,
        dadosLegiveis: isLocal && !sensivel,
      })),
      ...(found.hasMore ? { aviso: 'Há mais relatórios: use busca.' } : {}),
    }
  }

  /** Returns when the rows were last replaced (ISO); null when the provider does not say. */
  const dataTime = async (idRelatorio: number, request: FastifyRequest): Promise<string | null> => {
    try {
      const report = await findRegisteredReport(services, idRelatorio)
      if (!report) return null
      const refreshes = await refreshHistories.read(await embedIssuer.placeOfDataset(report), DATA_AGE_MS)
      return dataTimeOf(refreshes)?.toISOString() ?? null
    } catch (err) {
      if (!(err instanceof Problem)) throw err
      request.log.info({ err }, 'the data time of a report is not known')
      return null
    }
  }

  const read = async ({ user, request }: Asking, input: z.output<typeof ReadInput>) => {
    await assertFewReadings(`mcp-leitura:${user.idUsuario}`)
    const found = await findReport(db, viewerOf(user), input.relatorio)
    if (!found) throw new Problem('relatorio_sem_permissao')
    // An assistant is a service outside the portal, as an e-mail or a webhook is.
    if (found.sensivel) throw new Problem('relatorio_sem_permissao', { detail: SENSITIVE })
    if (!found.isLocal) throw new Problem('relatorio_sem_permissao', { detail: MICROSOFT })
    const { groupId, reportId, idRelatorio } = found
    const embedded = await openReport({ address: { groupId, reportId, idRelatorio }, user, request })
    const opened = { token: embedded.embedToken, reportId }
    const definition = await data.describe(opened)
    const audit = (details: object) =>
      app.auditOf(request)(db, 'mcp.data-read', subjectOf(idRelatorio), { ...details })
    const relatorio = {
      id: idRelatorio,
      nome: found.nomeRelatorio,
      workspace: found.nomeGrupo,
      ...(definition.timeZone ? { fusoDosDados: definition.timeZone } : {}),
      dadosDe: await dataTime(idRelatorio, request),
    }
    if (input.pagina === undefined) {
      await audit({ linhas: 0 })
      return { relatorio, paginas: definition.pages.map(outlineOf), colunasParaFiltros: definition.columns }
    }
    const page = pageNamed(definition, input.pagina)
    const visuals = visualsOf(page, input.visuais)
    const filters = [
      ...openingFilters(definition, page, embedded.filtros),
      ...input.filtros.map(({ tabela: table, coluna: column, valores: values }) => ({
        target: { table, column },
        operator: 'In',
        values,
      })),
    ]
    const answer = await data.read(opened, {
      page: page.name,
      filters,
      visuals: visuals.map(({ name }) => name),
    })
    const shown = withinLimits(visuals, answer.visuals, input.linhas)
    await audit({
      pagina: page.name,
      visuais: shown.length,
      linhas: shown.reduce((sum, { linhas }) => sum + linhas.length, 0),
    })
    return {
      relatorio,
      pagina: { nome: page.name, titulo: page.displayName },
      filtros: filters,
      visuais: shown,
      falhas: Object.entries(answer.failures).map(([visual, { message }]) => ({ visual, motivo: message })),
    }
  }

  return { list, read }
}
export type ReportTools = ReturnType<typeof createReportTools>

const MICROSOFT =
  'Este relatório é do Power BI da Microsoft, e o portal não lê os dados dele: só o mostra. Abra-o no portal, ou escolha um relatório com dadosLegiveis.'

const SENSITIVE =
  'Este relatório tem dados sensíveis, que o portal não entrega a um assistente. Abra-o no portal, ou escolha um relatório com dadosLegiveis.'

const hasRows = ({ columns }: Page['visuals'][number]): boolean => columns.length > 0

const outlineOf = ({ name, displayName, visuals }: Page) => ({
  nome: name,
  titulo: displayName,
  visuais: visuals.filter(hasRows).map((visual) => describeVisual(visual)),
})

const describeVisual = (
  { name, title, type, columns, labels, format }: Page['visuals'][number],
  kinds: readonly string[] = [],
) => ({
  nome: name,
  titulo: title,
  tipo: type,
  colunas: columns.map((column, at) => ({
    nome: column,
    ...(kinds[at] ? { tipo: ownValue(kindNames, kinds[at]) ?? kinds[at] } : {}),
    ...(ownValue(labels, column) ? { rotulo: ownValue(labels, column) } : {}),
    ...(ownValue(format, column) ? { formato: ownValue(format, column) } : {}),
  })),
})

/** What the cells of a column are. Large numbers are texts with all their digits. */
const kindNames: Readonly<Record<string, string>> = {
  integer: 'inteiro',
  number: 'número',
  boolean: 'sim ou não',
  date: 'data',
  timestamp: 'data e hora',
  time: 'hora',
  text: 'texto',
  other: 'outro',
}

const pageNamed = ({ pages }: ReportDefinition, wanted: string): Page => {
  const page = pages.find(({ name }) => name === wanted) ?? pages.find((one) => one.displayName === wanted)
  if (page) return page
  const names = pages.map(({ displayName }) => displayName).join(', ')
  throw new Problem('nao_encontrado', { detail: `Não há esta página. As páginas são: ${names}.` })
}

const visualsOf = ({ visuals }: Page, wanted: readonly string[] | undefined) => {
  const withRows = visuals.filter(hasRows)
  if (!wanted) return withRows
  const unknown = wanted.find((name) => !withRows.some((visual) => visual.name === name))
  if (unknown === undefined) return withRows.filter(({ name }) => wanted.includes(name))
  const names = withRows.map(({ name }) => name).join(', ')
  throw new Problem('nao_encontrado', { detail: `Não há o visual ${unknown}. Os visuais são: ${names}.` })
}

type Rows = Awaited<ReturnType<ReturnType<typeof createReportData>['read']>>['visuals']

/** Returns the visuals with their rows, as many as the limits allow. */
const withinLimits = (visuals: Page['visuals'], data: Rows, most: number) => {
  let left = MAX_CHARACTERS
  return visuals.flatMap((visual) => {
    const answer = ownValue(data, visual.name)
    if (!answer) return []
    const rows = []
    for (const row of answer.rows.slice(0, most)) {
      left -= JSON.stringify(row).length
      if (left < 0) break
      rows.push(row)
    }
    const truncado = answer.truncated || rows.length < answer.rows.length
    const described = describeVisual({ ...visual, columns: answer.columns }, answer.kinds)
    return [{ ...described, linhas: rows, ...(truncado ? { truncado } : {}) }]
  })
}
