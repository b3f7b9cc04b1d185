import { type UsageRow, usageApi, usageFile } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { answerCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import { exportUsage, listUsage, readOwnUsage, readSummary } from './usage.repository.ts'
import { addUsageEvents } from './usage-events.ts'
import {
  exportDetails,
  exportNeverSignedIn,
  exportUnused,
  listDetails,
  listNeverSignedIn,
  listUnused,
} from './usage-lists.repository.ts'
import { listOf } from './usage-pages.ts'
import { daysBefore, periodOf } from './usage-period.ts'

/** Calls with events per minute, person and report; the viewer sends one every 15 seconds. */
const eventCallsAMinute = 30

export const usageRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now } = services
  serve(app, usageApi.summary, ({ query: { dias } }) => readSummary(db, periodOf(now(), dias)))

  serve(app, usageApi.summaryCsv, async ({ query }, context) => {
    const { serie } = await readSummary(db, periodOf(now(), query.dias))
    return answerCsv(db, context, {
      name: usageFile('periodo', query.dias),
      subject: 'uso',
      query,
      list: listOf(serie),
      columns: seriesColumns,
    })
  })

  serveList(app, usageApi.list, ({ dias, ...query }) => listUsage(db, query, periodOf(now(), dias)))

  serve(app, usageApi.listCsv, async ({ query }, context) =>
    answerCsv(db, context, {
      name: usageFile(query.por, query.dias),
      subject: 'uso',
      query,
      list: await exportUsage(db, query, periodOf(now(), query.dias)),
      columns: csvColumns[query.por],
    }),
  )

  serveList(app, usageApi.unused, (query) => listUnused(db, query, daysBefore(now(), query.dias)))

  serve(app, usageApi.unusedCsv, async ({ query }, context) =>
    answerCsv(db, context, {
      name: 'relatorios-sem-uso',
      subject: 'uso-sem-uso',
      query,
      list: await exportUnused(db, daysBefore(now(), query.dias)),
      columns: unusedColumns,
    }),
  )

  serveList(app, usageApi.neverSignedIn, (query) => listNeverSignedIn(db, query))

  serve(app, usageApi.neverSignedInCsv, async (_, context) =>
    answerCsv(db, context, {
      name: 'pessoas-que-nunca-entraram',
      subject: 'uso-nunca-entraram',
      query: {},
      list: await exportNeverSignedIn(db),
      columns: personColumns,
    }),
  )

  serveList(app, usageApi.details, ({ dias, ...query }) => listDetails(db, query, periodOf(now(), dias)))

  serve(app, usageApi.detailsCsv, async ({ query }, context) =>
    answerCsv(db, context, {
      name: usageFile(query.tipo, query.dias),
      subject: 'uso-detalhes',
      query,
      list: await exportDetails(db, query.tipo, periodOf(now(), query.dias)),
      columns: { nomeRelatorio: 'Relatório', nome: detailHeadings[query.tipo], vezes: 'Vezes' },
    }),
  )

  serve(app, usageApi.own, async ({ query: { dias } }, { user }) => {
    const usage = await readOwnUsage(db, user, periodOf(now(), dias))
    return {
      ...usage,
      relatorios: usage.relatorios.map((row) => ({ ...row, ultima: row.ultima.toISOString() })),
    }
  })

  serve(app, usageApi.ownCsv, async ({ query }, context) => {
    const { relatorios } = await readOwnUsage(db, context.user, periodOf(now(), query.dias))
    return answerCsv(db, context, {
      name: 'meu-uso',
      query,
      list: listOf(relatorios),
      columns: ownColumns,
    })
  })

  const assertFewEvents = createCallLimit(app, services, eventCallsAMinute)

  serve(
    app,
    usageApi.recordEvents,
    async ({ params: { id }, body: { eventos } }, { user: { idUsuario }, write }) => {
      await assertFewEvents(`uso:${idUsuario}:${id}`)
      await write((tx) => addUsageEvents(tx, { idUsuario, idRelatorio: id, events: eventos }, now()))
    },
    { authorize: createViewCheck(db) },
  )
}

type Columns = Partial<Record<keyof UsageRow, string>> & Record<string, string>

const measures: Columns = {
  visualizacoes: 'Visualizações',
  leitores: 'Leitores',
  paginas: 'Páginas',
  p50: 'Tempo até a tela completa em ms (mediana)',
  p95: 'Tempo até a tela completa em ms (95 de cada 100)',
  erros: 'Erros',
}

const csvColumns: Record<'relatorio' | 'workspace' | 'pessoa' | 'perfil', Columns> = {
  relatorio: { id: 'Nº', nome: 'Relatório', detalhe: 'Workspace', ...measures },
  workspace: { id: 'Nº', nome: 'Workspace', ...measures },
  pessoa: { id: 'Nº', nome: 'Pessoa', detalhe: 'E-mail', ...measures, leitores: 'Relatórios' },
  perfil: { id: 'Nº', nome: 'Perfil', ...measures },
}

const seriesColumns = {
  inicio: 'Início',
  visualizacoes: 'Visualizações',
  leitores: 'Leitores',
  erros: 'Erros',
}

const unusedColumns = {
  idRelatorio: 'Nº',
  nomeRelatorio: 'Relatório',
  nomeGrupo: 'Workspace',
  ultimo: 'Última visualização',
  liberadoPara: 'Pessoas com acesso',
}

const personColumns = {
  idUsuario: 'Nº',
  nomeUsuario: 'Nome',
  emailUsuario: 'E-mail',
  nomeSituacao: 'Situação',
}

const detailHeadings = { pagina: 'Página', filtro: 'Filtro', exportacao: 'Formato', erro: 'Código do erro' }

const ownColumns = {
  nomeRelatorio: 'Relatório',
  nomeGrupo: 'Workspace',
  visualizacoes: 'Visualizações',
  ultima: 'Última visualização',
}
