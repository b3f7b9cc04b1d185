import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  nameOf,
  password,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { startOwnPostgres } from '../machines/postgres.ts'

const restarts = 30
const writesPerSecond = 50

interface Written {
  name: string
  /** Status of the answer; 0 when the connection to the portal broke. */
  status: number
  retryAfter: string | null
}

test(`${restarts} restarts of PostgreSQL lose no acknowledged write of ${writesPerSecond} per second`, async () => {
  const database = await startOwnPostgres({ isDurable: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-lost-'))
  const server = await spawnServer(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  try {
    expect(await untilReady(server), server.output()).toBe(true)
    const signedIn = await fetch(`${server.url}/api/usuarios/authorizer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: nameOf(0), password }),
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const write = async (name: string): Promise<Written> => {
      const body = JSON.stringify({ nomeResponsavel: name })
      const answer = fetch(`${server.url}/api/responsavel`, { method: 'POST', headers, body })
      return answer.then(
        async (response) => {
          await response.body?.cancel()
          return { name, status: response.status, retryAfter: response.headers.get('retry-after') }
        },
        () => ({ name, status: 0, retryAfter: null }),
      )
    }
    const answers: Promise<Written>[] = []
    const writing = setInterval(
      () => answers.push(write(`Responsável ${answers.length}`)),
      1000 / writesPerSecond,
    )
    /** Milliseconds from when the database accepts connections until the portal is ready. */
    const resumed: number[] = []
    for (let n = 0; n < restarts; n += 1) {
      await sleep(500 + Math.random() * 1000)
      await database.restart(n % 2 === 0 ? 'fast' : 'immediate', n % 3 === 0 ? 1000 : 0)
      const since = Date.now()
      expect(await untilReady(server), `restart ${n}: ${server.output()}`).toBe(true)
      resumed.push(Date.now() - since)
    }
    clearInterval(writing)
    const written = await Promise.all(answers)
    const statuses = Object.groupBy(written, ({ status }) => String(status))
    const acknowledged = (statuses[201] ?? []).map(({ name }) => name)

    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const rows = await client.query('select nome_responsavel as name from responsavel')
    const kept = new Set(rows.rows.map(({ name }) => name))
    const audited = await client.query(`select count(*)::int as lines, count(distinct objeto)::int as subjects
      from auditoria where acao = 'responsible.created'`)
    await client.end()
    const lost = acknowledged.filter((name) => !kept.has(name))
    const counts = Object.entries(statuses).map(([status, all]) => `${status}: ${all?.length}`)
    console.log(
      `${restarts} restarts: ${counts.join(', ')}; ${lost.length} lost; resumed within ${Math.max(...resumed)} ms`,
    )
    expect(server.child.exitCode).toBeNull()
    expect(acknowledged.length).toBeGreaterThan(500)
    expect(Object.keys(statuses).sort()).toEqual(['201', '503'])
    expect((statuses[503] ?? []).filter(({ retryAfter }) => retryAfter === null)).toEqual([])
    expect(lost).toEqual([])
    // The row of the migrations has no audit line; a write that was applied twice would have two.
    expect(audited.rows[0]).toEqual({ lines: kept.size - 1, subjects: kept.size - 1 })
    expect(rows.rows.length).toBe(kept.size)
    expect(Math.max(...resumed)).toBeLessThan(2000)
  } finally {
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await ended
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
