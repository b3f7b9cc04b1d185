import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { hash, verify } from '@node-rs/argon2'
import { type Cost, inTurns, withCost } from './cost.ts'
import { databaseName, tableLine } from './figures.ts'
import type { Target } from './servers/load.ts'
import { startProcess } from './servers/process.ts'

interface Portal {
  calls: Record<'session' | 'menu' | 'embed' | 'signIn', Target>
  key: { id: string; key: string }
}

/** Measures the portal against a lower bound; portal, bare server and load are processes. */
export const benchPortal = async (): Promise<void> => {
  const portal = await startProcess<Portal>('./portal-server.ts')
  const { calls, key } = portal.message
  const bare = await startProcess<{ server: string }>('./bare-server.ts', {
    key,
    answers: await answersOf(calls),
  })
  try {
    console.log(`\nCalls of the portal (${databaseName}), three rounds of 4 s each, in turns:\n`)
    console.log(line('call', 'per second', 'bare', 'ratio', 'asked', 'p50 ms', 'p99 ms', 'CPU µs', 'bare'))
    for (const [name, connections] of measured) {
      const target = { ...calls[name], connections }
      const least = { ...target, url: `${bare.message.server}/${name}` }
      report(
        `${titles[name]}, ${connections} callers`,
        asked[name],
        await inTurns(
          () => withCost(portal, target),
          () => withCost(bare, least),
        ),
      )
    }
    // Longer: calls that are running at the end are not counted, and these take long.
    const signIns = () => withCost(portal, calls.signIn, 12)
    report(titles.signIn, 0.7, await inTurns(signIns, () => costOf(verifyInParallel)))
    report(titles.signInLimit, undefined, await inTurns(signIns, () => costOf(verifyInThreads)))
  } finally {
    await bare.end()
    await portal.end()
  }
}

/** Calls and numbers of callers. With more callers, more tokens share one write to disk. */
const measured = [
  ['session', 64],
  ['menu', 64],
  ['embed', 64],
  ['embed', 256],
] as const

const titles = {
  session: 'GET /usuarios/sessao',
  menu: 'GET /usuarios/menus, 200 reports',
  embed: 'POST /usuarios/relatorio/embed, from cache',
  signIn: 'POST /usuarios/authorizer, against Argon2id alone',
  signInLimit: 'the same, against a thread a core that does nothing else',
}
const least = process.env.TEST_DATABASE === 'postgres' ? 0.2 : 0.4
const asked = { session: undefined, menu: least, embed: least }

/** Records the portal's answers, so that the bare server returns the same bytes. */
const answersOf = async (calls: Portal['calls']) => {
  const answers: Record<string, { method: string; body: string }> = {}
  for (const name of ['session', 'menu', 'embed'] as const) {
    const { url, method = 'GET', headers: [own = {}] = [], body } = calls[name]
    const response = await fetch(url, { method, headers: own, ...(body === undefined ? {} : { body }) })
    answers[name] = { method, body: await response.text() }
  }
  return answers
}

/** Measures what `verify` does in four seconds; it returns the number of verified passwords. */
const costOf = async (verify: () => Promise<number>): Promise<Cost> => {
  const before = process.cpuUsage()
  const done = await verify()
  const { user, system } = process.cpuUsage(before)
  return { rate: Math.round(done / 4), calls: done, p50: 0, p99: 0, cpu: (user + system) / done }
}

/** Runs the library's own verification with as many calls in parallel as there are cores. */
const verifyInParallel = async () => {
  const encoded = await hash('Uma senha de teste 7', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const end = performance.now() + 4_000
  let done = 0
  const work = async () => {
    while (performance.now() < end) {
      await verify(encoded, 'Uma senha de teste 7')
      done += 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return done
}

/** Runs one thread per core that only verifies passwords: the upper bound for any program. */
const verifyInThreads = async () => {
  const threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('./servers/hash-worker.ts', import.meta.url), { workerData: { seconds: 4 } }),
  )
  const counts = await Promise.all(threads.map((thread) => once(thread, 'message')))
  return counts.reduce((sum, [count]) => sum + count, 0)
}

const report = (title: string, least: number | undefined, [own, bare]: [Cost, Cost]): void => {
  const ratio = (own.rate / bare.rate).toFixed(3)
  const text = least === undefined ? '' : `${least.toFixed(2)}`
  const cpu = [own.cpu, bare.cpu].map(Math.round)
  console.log(line(title, own.rate, bare.rate, ratio, text, own.p50, own.p99, ...cpu))
}

const line = tableLine(58, 11)
