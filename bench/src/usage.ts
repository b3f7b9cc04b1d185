import { startTestApp } from '@bi-manager/server/test/test-app'
import { sql } from 'kysely'
import { fillUsage, type UsageSize } from './data/usage-data.ts'
import { databaseName, quantile, tableLine } from './figures.ts'

const size: UsageSize = { users: 5_000, reports: 300, workspaces: 20, views: 10_000_000 }

const rounds = 30

/** Milliseconds that a call may take at the 95th percentile. */
const bound = 300

/** The tables of the usage page for each period. */
const calls = [7, 30, 90, 365].flatMap((dias) => [
  `/uso/resumo?dias=${dias}`,
  ...['relatorio', 'workspace', 'pessoa', 'perfil'].map(
    (por) => `/uso/lista?pagina=1&tamanho=25&por=${por}&dias=${dias}`,
  ),
  ...['pagina', 'filtro', 'exportacao', 'erro'].map(
    (tipo) => `/uso/detalhes?pagina=1&tamanho=25&tipo=${tipo}&dias=${dias}`,
  ),
])
const otherCalls = [
  '/uso/lista?pagina=1&tamanho=25&por=pessoa&dias=365&ordem=-p95',
  '/uso/sem-uso?pagina=1&dias=30',
  '/uso/nunca-entraram?pagina=1',
  '/uso/meu?dias=365',
]

/**
 * Prints how long the call for each usage table of the portal takes over HTTP when ten million views
 * are counted, and the processor time of this process, which includes the embedded database. Fails
 * when a 95th percentile exceeds the bound.
 */
export const benchUsage = async (): Promise<void> => {
  const app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_PERSON: '1000000' })
  try {
    const started = performance.now()
    const { admin } = await fillUsage(app, size)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const { rows } = await sql<Record<string, number>>`select
      (select sum(visualizacoes) from uso_relatorio where mensal)::int as views,
      (select count(*) from uso_relatorio)::int as reports,
      (select count(*) from uso_pessoa)::int as people, (select count(*) from uso_leitor)::int as readers,
      (select count(*) from uso_evento)::int as events`.execute(app.db)
    console.log(`\nUsage, ${databaseName}: rows ${JSON.stringify(rows[0])}, made in ${seconds} s.`)
    const { get } = await app.as(admin)
    const line = tableLine(66, 12)
    console.log(line(`${rounds} calls each, ms`, 'p50', 'p95', 'processor'))
    for (const path of [...calls, ...otherCalls]) {
      const times: number[] = []
      let used = process.cpuUsage()
      // Rounds below zero warm up and are not measured.
      for (let round = -3; round < rounds; round += 1) {
        if (round === 0) used = process.cpuUsage()
        const asked = performance.now()
        const { status } = await get(path)
        if (status !== 200) throw new Error(`${path}: ${status}`)
        if (round >= 0) times.push(performance.now() - asked)
      }
      const { user, system } = process.cpuUsage(used)
      const processor = ((user + system) / 1000 / rounds).toFixed(0)
      const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
      if (p95 > bound) process.exitCode = 1
      console.log(line(path, p50.toFixed(0), `${p95.toFixed(0)}${p95 > bound ? ' !' : ''}`, processor))
    }
  } finally {
    await app.close()
  }
}
