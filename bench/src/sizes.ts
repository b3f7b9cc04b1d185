import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../packages/e2e/src/browser/browser.ts'
import { signInForm } from '../../packages/e2e/src/browser/sign-in.ts'
import { reportsOf, signedInClient } from '../../packages/e2e/src/people/api.ts'
import { people } from '../../packages/e2e/src/people/people.ts'
import { startDemo } from '../../packages/e2e/src/services/demo.ts'

/** Upper bound of gzipped JS and CSS of the sign-in page, in bytes. */
const signInBound = 110_000
/** Milliseconds without requests after which a page counts as loaded. */
const quietMs = 2_000

interface File {
  url: string
  text: string
  /** Bytes on the wire. */
  size: number
  isGzipped: boolean
  /** Requested after the page was complete: a prefetch. */
  isPrefetched: boolean
}

/**
 * Prints how much JS and CSS a browser with an empty cache loads. The files are those the browser
 * requested; each is fetched again with gzip, since the browser may prefer another encoding.
 */
export const benchSizes = async (): Promise<void> => {
  const demo = await startDemo()
  const browser = await launchBrowser()
  try {
    const { menu } = await signedInClient(demo.portal, people.admin)
    const [report] = reportsOf(await menu())
    if (!report) throw new Error('the demo has no report')
    const signInContext = await browser.newContext()
    const signIn = await filesOf(signInContext, demo.portal, (page) => signInForm(page).submit.waitFor())
    const opened = await filesOf(
      await signedIn(browser, signInContext, demo.portal),
      demo.portal + report.path,
      (page) => page.locator('[data-state="renderizado"]').waitFor(),
    )
    const shell = opened.filter(({ url }) => url.startsWith(demo.portal))
    const client = shell.filter(({ text }) => text.includes('WindowPostMessageProxy'))
    if (client.length === 0) throw new Error('no file holds powerbi-client')
    const embed = opened.filter(({ url }) => url.startsWith(demo.reports))
    // The page's HTML names these files; the main script requests the rest.
    const { text: html } = await fetchGzipped(`${demo.reports}/reportEmbed?reportId=${report.reportId}`)
    const first = embed.filter(({ url }) => html.includes(new URL(url).pathname.split('/').at(-1) ?? url))

    console.log(
      '\nSizes: JS and CSS, gzip, bytes on the wire; an empty cache, counted from what the browser asked for.',
    )
    printSize(
      'sign-in page, until its form is shown',
      signIn.filter(({ isPrefetched }) => !isPrefetched),
      signInBound,
    )
    printSize(
      'prefetched while the form is shown',
      signIn.filter(({ isPrefetched }) => isPrefetched),
    )
    printSize('shell and viewer, without powerbi-client', without(shell, client))
    printSize('of these, not on the sign-in page', without(shell, [...client, ...signIn]))
    printSize('the file with powerbi-client', client)
    printSize('embed page, named by its HTML', first)
    printSize('embed page, until its first page is drawn', embed)
  } finally {
    await browser.close()
    await demo.stop()
  }
}

const without = (files: File[], others: File[]): File[] =>
  files.filter(({ url }) => !others.some((other) => other.url === url))

const printSize = (what: string, files: File[], bound?: number): void => {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const verdict = bound === undefined ? '' : `of ${bound}: ${bytes <= bound ? 'held' : 'EXCEEDED'}`
  const bare = files.filter(({ isGzipped, size }) => !isGzipped && size > 1024).length
  const note = bare > 0 ? `${bare} sent as they are, although gzip was offered` : ''
  console.log(
    `${what.padEnd(46)}${String(files.length).padStart(4)} files${String(bytes).padStart(9)} ${verdict}${note}`,
  )
}

/**
 * Returns a context with an empty cache, and the session of a user who signs in through
 * `signInContext`.
 */
const signedIn = async (
  browser: Browser,
  signInContext: BrowserContext,
  portal: string,
): Promise<BrowserContext> => {
  const page = await signInContext.newPage()
  await page.goto(portal)
  await signInForm(page).send(people.admin)
  await page.waitForURL('**/saidibi')
  return browser.newContext({ storageState: await signInContext.storageState() })
}

/** Returns the scripts and style sheets that a page and its frames request until it is quiet. */
const filesOf = async (
  context: BrowserContext,
  address: string,
  untilThere: (page: Page) => Promise<void>,
): Promise<File[]> => {
  const page = await context.newPage()
  const urls = new Map<string, { isPrefetched: boolean }>()
  let isPrefetched = false
  let lastAt = performance.now()
  page.on('response', (response) => {
    lastAt = performance.now()
    if (/\.(m?js|css)$/.test(new URL(response.url()).pathname)) urls.set(response.url(), { isPrefetched })
  })
  await page.goto(address)
  await untilThere(page)
  isPrefetched = true
  while (performance.now() - lastAt < quietMs) await page.waitForTimeout(200)
  await page.close()
  return Promise.all([...urls].map(async ([url, found]) => ({ url, ...found, ...(await fetchGzipped(url)) })))
}

/** Fetches a file with gzip only: its text, and its bytes on the wire. */
const fetchGzipped = async (url: string): Promise<Pick<File, 'text' | 'size' | 'isGzipped'>> => {
  const headers = { 'accept-encoding': 'gzip' }
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  const isGzipped = answer.headers['content-encoding'] === 'gzip'
  return { text: (isGzipped ? gunzipSync(bytes) : bytes).toString(), size: bytes.length, isGzipped }
}
