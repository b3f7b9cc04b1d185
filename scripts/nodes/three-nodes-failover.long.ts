import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemBody } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password } from '../../packages/server/test/users.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { endProcess } from './bound-process.ts'
import { signIn } from './caller.ts'
import { admin, type Cluster, startCluster } from './cluster.ts'

/* Under 50 writes per second, a node is killed, and the primary is restarted and lost. */

const missing = ['haproxy', 'pgbouncer'].filter((name) => spawnSync(name, ['-V']).error)
if (!findPostgres()) missing.push('PostgreSQL 15')
const writesPerSecond = 50

interface Written {
  name: string
  /** 0 when no HTTP answer arrived. */
  status: number
  /** The sentence of the problem, with Retry-After if present. */
  said: string
}

describe.skipIf(missing.length > 0)(
  `three nodes under load${missing.map((name) => `, without ${name}`)}`,
  () => {
    let cluster: Cluster
    let headers: Record<string, string>
    beforeAll(async () => {
      cluster = await startCluster()
      const { session } = await signIn(cluster.url, admin.username, password)
      headers = { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' }
    })
    afterAll(() => cluster?.stop())

    let written = 0
    const write = async (): Promise<Written> => {
      written += 1
      const name = `Responsável ${written}`
      const body = JSON.stringify({ nomeResponsavel: name })
      const call = fetch(`${cluster.url}/api/responsavel`, { method: 'POST', headers, body })
      return call.then(
        async (response) => ({ name, status: response.status, said: await sentenceOf(response) }),
        (error: Error) => ({ name, status: 0, said: String(error.cause ?? error) }),
      )
    }

    /** Keeps writing while the fault happens and is repaired. @returns the answers */
    const underLoad = async (fault: () => Promise<void>): Promise<Written[]> => {
      const answers: Promise<Written>[] = []
      const writing = setInterval(() => answers.push(write()), 1000 / writesPerSecond)
      await sleep(2_000)
      await fault().finally(() => sleep(4_000).then(() => clearInterval(writing)))
      return Promise.all(answers)
    }

    const summaryOf = (answers: Written[]): string => {
      const groups = Object.groupBy(answers, ({ status, said }) => `${status} ${said}`)
      return Object.entries(groups)
        .map(([outcome, all]) => `${all?.length} × ${outcome.trim()}`)
        .join('; ')
    }

    /** Returns the milliseconds until all nodes are ready. */
    const untilAllReady = async (): Promise<number> => {
      const since = Date.now()
      for (const n of [0, 1, 2]) await cluster.untilReady(n, 30_000)
      return Date.now() - since
    }

    const expectNothingLost = async (answers: Written[]) => {
      const acknowledged = answers.filter(({ status }) => status === 201).map(({ name }) => name)
      const rows = await cluster.pair.query<{ name: string }>(
        'select nome_responsavel as name from responsavel',
      )
      const kept = new Set(rows.map(({ name }) => name))
      expect(acknowledged.filter((name) => !kept.has(name))).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(writesPerSecond)
      const [audited] = await cluster.pair.query<object>(`select count(*)::int as lines,
      count(distinct objeto)::int as subjects from auditoria where acao = 'responsible.created'`)
      // The row of the migrations has no audit line; a write that was applied twice would have two.
      expect(audited).toEqual({ lines: rows.length - 1, subjects: rows.length - 1 })
      expect(kept.size).toBe(rows.length)
      for (const { status, said } of answers) {
        // HAProxy closes a keep-alive connection when its node ends before it answers.
        if (status === 201 || status === 0) continue
        expect([502, 503, 504]).toContain(status)
        expect(said).toMatch(/\. \(retry after \d+ s\)$/)
      }
    }

    test('three nodes under load lose no acknowledged write when one of them is killed', async () => {
      const answers = await underLoad(async () => {
        const node = cluster.nodes[1]?.child
        if (node) await endProcess(node, 'SIGKILL')
        await untilAllReady()
      })
      console.log(`node killed: ${summaryOf(answers)}`)
      await expectNothingLost(answers)
      expect(answers.filter(({ status }) => status !== 201).length).toBeLessThan(writesPerSecond)
      expect(answers.filter(({ status }) => status === 0).length).toBeLessThan(writesPerSecond / 5)
    })

    test.each(['fast', 'immediate'] as const)(
      'three nodes under load lose no acknowledged write when the primary is restarted (%s)',
      async (mode) => {
        let resumedMs = 0
        const answers = await underLoad(async () => {
          await cluster.pair.restart(mode)
          resumedMs = await untilAllReady()
        })
        console.log(`primary restarted (${mode}): ready after ${resumedMs} ms: ${summaryOf(answers)}`)
        await expectNothingLost(answers)
        expect(resumedMs).toBeLessThan(2_000)
      },
    )

    test('three nodes under load lose no acknowledged write when the primary is lost and the standby promoted', async () => {
      const starts = cluster.nodes.map((node) => node.starts())
      let [outageMs, resumedMs] = [0, 0]
      const answers = await underLoad(async () => {
        const since = Date.now()
        await cluster.pair.killPrimary()
        // PgBouncer reaches a read-only standby, as when an operator switches too early.
        cluster.pooler.repoint()
        await sleep(3_000)
        await cluster.pair.promote()
        outageMs = Date.now() - since
        resumedMs = await untilAllReady()
      })
      console.log(`standby promoted after ${outageMs} ms: ready after ${resumedMs} ms: ${summaryOf(answers)}`)
      await expectNothingLost(answers)
      expect(resumedMs).toBeLessThan(2_000)
      expect(cluster.nodes.map((node) => node.starts())).toEqual(starts)
    })

    test('three nodes under load keep working while the former primary becomes the standby', async () => {
      const answers = await underLoad(() => cluster.pair.rebuild())
      console.log(`standby rebuilt: ${summaryOf(answers)}`)
      await expectNothingLost(answers)
      expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    })
  },
)

const sentenceOf = async (response: Response): Promise<string> => {
  const body = await response.text()
  if (response.ok) return ''
  const problem = ProblemBody.safeParse(parse(body))
  const retryAfter = response.headers.get('retry-after')
  const said = problem.success ? problem.data.detail : body.slice(0, 80)
  return retryAfter ? `${said} (retry after ${retryAfter} s)` : said
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
