import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, literal, openDatabase } from '@bi-manager/reports/engine/data/database/database'
import { createDatabaseProcess } from '@bi-manager/reports/engine/data/database/database-process'
import { residentBytes } from '@bi-manager/telemetry/process-memory'
import { ensureReportData } from './data/reports-data.ts'
import { median, quantile } from './figures.ts'

const sizes = [200_000, 10_000_000]
const rounds = 400
const kills = 9
const limits = { memoryMegabytes: 4096, timeoutMs: 60_000 }

const months = 'SELECT mes::VARCHAR, sum(valor)::DOUBLE FROM Somas GROUP BY 1 ORDER BY 1'
const manyRows =
  'SELECT mes::VARCHAR, operadora, prestador, valor::DOUBLE, dias::DOUBLE FROM Sinistros LIMIT 10000'

/**
 * Prints what the child process of the databases costs: the time of a query against the same
 * database in this process, in turns; the memory of the process; and the time from its kill to the
 * next answer.
 */
export const benchQueries = async (): Promise<void> => {
  console.log(`\nQueries in the database process against this process; ${rounds} rounds in turns, ms.`)
  for (const size of sizes) {
    const file = join(await ensureReportData(size), 'datasets/sinistros/Sinistros.parquet')
    const folder = await mkdtemp(join(tmpdir(), 'bench-queries-'))
    const databaseProcess = createDatabaseProcess({ memoryMegabytes: limits.memoryMegabytes })
    const own = await openDatabase({ ...limits, file: join(folder, 'own.duckdb') })
    const remote = await databaseProcess.open(limits)
    try {
      await Promise.all([fill(own, file), fill(remote, file)])
      for (const [name, sql] of [
        ['36 rows', months],
        ['10,000 rows', manyRows],
      ] as const) {
        const taken = { own: [] as number[], remote: [] as number[] }
        for (let round = -20; round < rounds; round++) {
          const times = [await time(own, sql), await time(remote, sql)] as const
          if (round < 0) continue
          taken.own.push(times[0])
          taken.remote.push(times[1])
        }
        for (const share of [0.5, 0.95]) {
          const [one, other] = [quantile(taken.own, share), quantile(taken.remote, share)]
          const added = (other - one).toFixed(2)
          console.log(
            `${size} · ${name} · p${share * 100}: ${one.toFixed(2)} → ${other.toFixed(2)} (+${added})`,
          )
        }
      }
      const megabytes = (residentBytes(databaseProcess.pid() ?? 0) ?? 0) / 1e6
      console.log(`${size} · resident: ${megabytes.toFixed(0)} MB`)
      const waits: number[] = []
      for (let kill = 0; kill < kills; kill++) {
        const pid = databaseProcess.pid()
        if (pid) process.kill(pid, 'SIGKILL')
        waits.push(await time(remote, months))
      }
      const wait = waits.map((ms) => ms.toFixed(0)).join(' ')
      console.log(`${size} · from kill to answer: median ${median(waits).toFixed(0)} ms (${wait})`)
    } finally {
      await own.close()
      await databaseProcess.close()
      await rm(folder, { recursive: true })
    }
  }
}

async function fill(database: Database, file: string) {
  await database.createTable('Sinistros', `SELECT * FROM read_parquet(${literal(file)})`)
  await database.createTable('Somas', 'SELECT mes, sum(valor) AS valor FROM Sinistros GROUP BY 1')
  await database.seal()
}

async function time(database: Database, sql: string): Promise<number> {
  const start = performance.now()
  await database.query(sql)
  return performance.now() - start
}
