import { startTestApp, type TestApp } from '@bi-manager/server/test/test-app'
import Fastify from 'fastify'
import { fillDatabase } from '../data/scale-data.ts'
import type { Target } from './load.ts'
import { serveUntilDisconnect } from './process.ts'

/*
 * A process that the benchmark of lists starts (lists.ts), with its own filled database. Its
 * argument says what serves the lists: `portal` is the portal; `plain` is a Fastify server that
 * answers equal rows with one Kysely query each, without session, total or checks.
 */

const kind: 'portal' | 'plain' = JSON.parse(process.argv[2] ?? '')
const app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000', SESSION_HOURS: '24' })
const { admin } = await fillDatabase(app, {
  users: 100,
  reports: 10_000,
  workspaces: 500,
  grants: 100,
  grantsOfReader: 100,
})

const portal = async ({ app: server, as }: TestApp): Promise<Record<string, Target>> => {
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await as(admin)
  const target = (path: string): Target => ({
    url: `${origin}/api${path}`,
    headers: [{ authorization: `Bearer ${token}` }],
  })
  return {
    reports: target('/usuarios/relatorio?pagina=1&tamanho=20'),
    workspaces: target('/usuarios/workspace?pagina=1&tamanho=20'),
  }
}

const plain = async ({ db }: TestApp): Promise<Record<string, Target>> => {
  const server = Fastify()
  server.get('/reports', () =>
    db
      .selectFrom('relatorio')
      .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
      .select(['relatorio.idRelatorio', 'relatorio.idGrupoRelatorio', 'nomeRelatorio', 'nomeGrupo'])
      .select(['operadoraRelatorio', 'reportId', 'filtro', 'relatorio.versao'])
      .select(['papeisRls', 'enviaIdentidade', 'usuarioIdentidade', 'datasetsAdicionais'])
      .select(['tipoRelatorio', 'parametros', 'painelParametros', 'filtrosPainel'])
      .orderBy('relatorio.nomeNatural')
      .orderBy('relatorio.idRelatorio')
      .limit(20)
      .execute(),
  )
  server.get('/workspaces', () =>
    db.selectFrom('grupoRelatorio').selectAll().orderBy('nomeNatural').limit(20).execute(),
  )
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  return { reports: { url: `${origin}/reports` }, workspaces: { url: `${origin}/workspaces` } }
}

// Tells the parent process the addresses to call.
serveUntilDisconnect({ calls: await (kind === 'portal' ? portal : plain)(app) }, () => app.close())
