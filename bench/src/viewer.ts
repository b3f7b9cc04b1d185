import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../packages/e2e/src/browser/browser.ts'
import { signInForm } from '../../packages/e2e/src/browser/sign-in.ts'
import { reportsOf, signedInClient } from '../../packages/e2e/src/people/api.ts'
import { people } from '../../packages/e2e/src/people/people.ts'
import { startDemo } from '../../packages/e2e/src/services/demo.ts'
import { bareViewer } from './bare-viewer.ts'
import { createSeries, median, tableLine } from './figures.ts'
import { startReportService } from './report-service.ts'

const rounds = 15
/**
 * Milliseconds that the pointer rests on a link before the click. The portal starts to prefetch the
 * report after 80 ms of rest (link-rest.ts).
 */
const restMs = 300
/** Milliseconds before the first click, in which a user reads the menu. */
const readingMs = 2_000

const first = 'Internações'
const second = 'Pronto-socorro'

/** The events of `powerbi-client`: the page is there, the report's structure is, all is drawn. */
const timed = ['ready', 'loaded', 'rendered'] as const
/** Milliseconds since the click in the portal, or since the call of `embed()` in the bare page. */
type Times = Record<(typeof timed)[number], number>

/**
 * Prints the time from a click in the portal's menu to the drawn report, compared with a bare page
 * that only embeds the same report with a token. A visit to the portal opens two reports, either
 * after the pointer has rested on each link or at once. Every visit and every bare page uses a new
 * tab: a reused tab already has the scripts compiled. The browser's caches are warm for all.
 */
export const benchViewer = async (): Promise<void> => {
  const bare = bareViewer().listen(0, 'localhost')
  await once(bare, 'listening')
  const bareOrigin = `http://localhost:${(bare.address() as AddressInfo).port}`
  const demo = await startDemo()
  // A second report service with the same reports, since a service allows one origin to embed them.
  const reportsDir = join(demo.dataDir, 'reports-of-the-bare-page')
  await cp(join(demo.dataDir, 'reports'), reportsDir, { recursive: true })
  const service = await startReportService(reportsDir, bareOrigin)
  const browser = await launchBrowser()
  try {
    const [portal, minimal] = [await signIn(browser, demo.portal), await newContext(browser)]
    const { menu } = await signedInClient(demo.portal, people.admin)
    const reports = reportsOf(await menu())
    const find = (name: string) => {
      const report = reports.find((candidate) => candidate.name === name)
      if (!report) throw new Error(`the demo has no report ${name}`)
      return report
    }
    const embedBare = async (name: string): Promise<Times> => {
      const { groupId: workspaceId, reportId } = find(name)
      const accessToken = await service.token({ workspaceId, reportId })
      const embedUrl = `${service.origin}/reportEmbed?reportId=${reportId}&groupId=${workspaceId}`
      const page = await minimal.newPage()
      await page.goto(bareOrigin)
      await page.waitForTimeout(500)
      const times = await timesOf(page, () =>
        page.evaluate(`clock.start(), embed(${JSON.stringify({ id: reportId, embedUrl, accessToken })})`),
      )
      await page.close()
      return times
    }
    /** Clicks a report's link in the menu, after the pointer has rested on it for `rest` ms. */
    const click = async (page: Page, name: string, rest: number): Promise<Times> => {
      // A favourite is in the menu twice: the last link is in its workspace.
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true }).last()
      return timesOf(page, async () => {
        if (rest === 0) return link.dispatchEvent('click')
        await link.hover()
        await page.waitForTimeout(rest)
        return link.click()
      })
    }
    const visit = async (rest: number) => {
      const page = await portal.newPage()
      await page.goto(`${demo.portal}/saidibi`)
      await unfold(page, find(first).workspace)
      await page.waitForTimeout(readingMs)
      const times = [await click(page, first, rest), await click(page, second, rest)] as const
      await page.close()
      return times
    }

    const taken = createSeries<Times>()
    for (let round = 0; round <= rounds; round += 1) {
      const rested = await visit(restMs)
      const bareTimes = [await embedBare(first), await embedBare(second)] as const
      const atOnce = await visit(0)
      // The first round fills the caches of browser and services.
      if (round === 0) continue
      taken.add('bare first', bareTimes[0])
      taken.add('bare second', bareTimes[1])
      taken.add('rested first', rested[0])
      taken.add('rested second', rested[1])
      taken.add('at once first', atOnce[0])
      taken.add('at once second', atOnce[1])
    }
    print(taken)
  } finally {
    await browser.close()
    await service.stop()
    await demo.stop()
    bare.close()
  }
}

const print = (taken: ReturnType<typeof createSeries<Times>>) => {
  console.log(
    `\nOpening a report: click until rendered against embed() until rendered; medians of ${rounds} rounds in turns, ms\n`,
  )
  const line = tableLine(44, 10)
  console.log(line('', ...timed, 'ratio', 'bound'))
  /** Prints one line; with a `baseline`, also the ratio, and whether it is within the `bound`. */
  const row = (title: string, name: string, baseline?: string, bound?: number) => {
    const medianOf = (of: string, time: keyof Times) => median(taken.of(of).map((times) => times[time]))
    const figures = timed.map((time) => medianOf(name, time))
    const against = baseline ? medianOf(baseline, 'rendered') : undefined
    const ratio = against === undefined ? undefined : (figures.at(-1) ?? 0) / against
    const verdict = ratio === undefined || bound === undefined ? '' : ratio <= bound ? ' held' : ' EXCEEDED'
    const cells = [...figures.map((ms) => ms.toFixed(0)), ratio?.toFixed(2) ?? '', bound?.toFixed(2) ?? '']
    console.log(line(title, ...cells) + verdict)
  }
  // The bounds leave room for noise: bench/README.md has the measured ratios.
  row(`bare page, ${first}`, 'bare first')
  row(`bare page, ${second}`, 'bare second')
  row(`first report, pointer rested ${restMs} ms`, 'rested first', 'bare first', 1.1)
  row(`second report, pointer rested ${restMs} ms`, 'rested second', 'bare second', 0.7)
  row('first report, clicked at once', 'at once first', 'bare first')
  row('second report, clicked at once', 'at once second', 'bare second')
}

/** Runs before the page's scripts: records the times of the click and of the report's events. */
const watch = `if (window === top) {
  const clock = (window.clock = {
    start() {
      clock.begun = performance.now()
      clock.times = {}
      clock.drawn = new Promise((resolve) => { clock.finish = resolve })
    },
  })
  clock.start()
  addEventListener('click', ({ timeStamp }) => { clock.begun = timeStamp }, true)
  addEventListener('message', ({ data }) => {
    const url = data?.url ?? ''
    const name = url.startsWith('/ready/') ? 'ready' : /[^/]+$/.exec(url)?.[0]
    // A drawing without a loaded structure is a late event of the previous report.
    if (!name || (name === 'rendered' && !clock.times.loaded)) return
    clock.times[name] ??= performance.now() - clock.begun
    if (name === 'rendered') clock.finish(clock.times)
  })
}`

const newContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'pt-BR' })
  await context.addInitScript(watch)
  return context
}

const timesOf = async (page: Page, begin: () => Promise<unknown>): Promise<Times> => {
  await page.evaluate('clock.start()')
  await begin()
  const times = await page.evaluate<Partial<Times>>('clock.drawn')
  // Let work after the drawing finish, so that it does not delay the next click.
  await page.waitForTimeout(500)
  return { ready: times.ready ?? 0, loaded: times.loaded ?? 0, rendered: times.rendered ?? 0 }
}

/** Returns a context whose tabs are signed in. */
const signIn = async (browser: Browser, portal: string): Promise<BrowserContext> => {
  const context = await newContext(browser)
  const page = await context.newPage()
  await page.goto(portal)
  await signInForm(page).send(people.admin)
  await page.waitForURL(/saidibi/)
  await page.close()
  return context
}

/** Workspaces in the menu are collapsed. */
const unfold = (page: Page, workspace: string) =>
  page
    .getByRole('navigation', { name: 'Relatórios Gerenciais' })
    .getByRole('button', { name: workspace, exact: true })
    .click()
