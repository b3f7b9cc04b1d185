import { inTurns, withCost } from './cost.ts'
import { databaseName, tableLine } from './figures.ts'
import type { Target } from './servers/load.ts'
import { startProcess } from './servers/process.ts'

type Calls = Record<'reports' | 'workspaces', Target>

/** As many callers as the comparison with other products had. */
const connections = 32

/** Measures first pages of large lists against plain Kysely queries of the same rows. */
export const benchLists = async (): Promise<void> => {
  const portal = await startProcess<{ calls: Calls }>('./lists-server.ts', 'portal')
  const plain = await startProcess<{ calls: Calls }>('./lists-server.ts', 'plain')
  try {
    console.log(`\nLists (${databaseName}), ${connections} callers, 20 rows a page, three rounds in turns:\n`)
    console.log(line('list', 'per second', 'plain', 'ratio', 'p50 ms', 'p99 ms', 'CPU µs', 'plain'))
    for (const [name, title] of [
      ['reports', 'reports, 10,000'],
      ['workspaces', 'workspaces, 500'],
    ] as const) {
      const [own, bare] = await inTurns(
        () => withCost(portal, { ...portal.message.calls[name], connections }),
        () => withCost(plain, { ...plain.message.calls[name], connections }),
      )
      const ratio = (own.rate / bare.rate).toFixed(2)
      console.log(
        line(title, own.rate, bare.rate, ratio, own.p50, own.p99, ...[own.cpu, bare.cpu].map(Math.round)),
      )
    }
  } finally {
    await plain.end()
    await portal.end()
  }
}

const line = tableLine(20, 11)
