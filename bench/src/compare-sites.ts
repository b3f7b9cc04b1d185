import type { Db } from '@bi-manager/server/platform/db/open-database'
import { startTestApp, type TestApp } from '@bi-manager/server/test/test-app'
import { median } from './figures.ts'
import { printPlans } from './query-plans.ts'

const rounds = 150

export interface SiteCall<Site> {
  name: string
  /** Called before each call, outside the measured time. */
  before?: (site: Site) => Promise<unknown>
  send: (site: Site) => Promise<unknown>
}

/** A running portal, and what `fill` returned for its database. */
export type SiteOf<Filled> = Filled & { app: TestApp; origin: string }

interface Comparison<Name extends string, Filled> {
  title: string
  /** The numbers of rows in the two databases. */
  small: Record<Name, number>
  large: Record<Name, number>
  /** The numbers of rows that the heading mentions. */
  named: NoInfer<Name>[]
  fill: (app: TestApp, size: Record<Name, number>) => Promise<Filled>
  calls: SiteCall<SiteOf<Filled>>[]
  /** Functions; the plans of their queries on the large database are printed. */
  plansOf: (site: SiteOf<Filled>) => Record<string, (db: Db) => Promise<unknown>>
}

/** Prints how much longer each call takes on a large portal than on a small one, and some plans. */
export const compareSites = async <Name extends string, Filled>({
  title,
  small,
  large,
  named,
  fill,
  calls,
  plansOf,
}: Comparison<Name, Filled>): Promise<void> => {
  const open = async (size: Record<Name, number>) => {
    const app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000', SESSION_HOURS: '24' })
    const started = performance.now()
    const filled = await fill(app, size)
    const seconds = (performance.now() - started) / 1000
    return { ...filled, app, seconds, origin: await app.app.listen({ port: 0, host: '127.0.0.1' }) }
  }
  const describe = (size: Record<Name, number>) =>
    named.map((name) => `${size[name].toLocaleString('en-US')} ${name}`).join(', ')
  const sites = { small: await open(small), large: await open(large) }
  try {
    const made = sites.large.seconds.toFixed(0)
    console.log(`\n${title}: ${describe(small)} against ${describe(large)} (made in ${made} s).`)
    console.log(`Median of ${rounds} calls each, taken in turns; the last column is the ratio.\n`)
    for (const call of calls) printRatio(call.name, await timesOf(sites, call))
    await printPlans(sites.large.app.db, plansOf(sites.large))
  } finally {
    await sites.small.app.close()
    await sites.large.app.close()
  }
}

type Pair<S> = Record<'small' | 'large', S>

/** Alternates between the two sites, to measure both in the same state. @returns medians in ms */
const timesOf = async <Site>(sites: Pair<Site>, call: SiteCall<Site>): Promise<Pair<number>> => {
  const times: Pair<number[]> = { small: [], large: [] }
  // Rounds below zero warm up and are not measured.
  for (let round = -10; round < rounds; round += 1) {
    for (const size of ['small', 'large'] as const) {
      const site = sites[size]
      await call.before?.(site)
      const started = performance.now()
      await call.send(site)
      if (round >= 0) times[size].push(performance.now() - started)
    }
  }
  return { small: median(times.small), large: median(times.large) }
}

/** Prints a line of the table: both medians and their ratio. */
const printRatio = (name: string, { small, large }: Pair<number>): void => {
  const ratio = (large / small).toFixed(2)
  console.log(
    `${name.padEnd(52)}${small.toFixed(2).padStart(9)} ms${large.toFixed(2).padStart(9)} ms${ratio.padStart(8)}`,
  )
}
