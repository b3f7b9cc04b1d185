import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../scripts/machines/ports.ts'
import { chromiumPath } from './browser/browser.ts'
import { signInForm } from './browser/sign-in.ts'
import { reportsOf } from './people/api.ts'
import { createManyReports, REPORTS_EACH, WORKSPACES } from './people/many-reports.ts'
import { people } from './people/people.ts'
import { type Demo, startDemo } from './services/demo.ts'

/*
 * Lighthouse on the built pages. It is installed when this test runs: with 114 packages and 176 MB
 * it would make every `npm ci` longer.
 */

const VERSION = '13.5.0'
const run = promisify(execFile)

let demo: Demo
let folder: string
let lighthouse: string
let many: Awaited<ReturnType<typeof createManyReports>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-lighthouse-'))
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `lighthouse@${VERSION}`])
  lighthouse = join(folder, 'node_modules/lighthouse/cli/index.js')
  demo = await startDemo()
  many = await createManyReports(demo.portal)
}, 300_000)
afterAll(async () => {
  await many.remove()
  await demo.stop()
  await rm(folder, { recursive: true, force: true })
})

type Shift = { node?: { selector: string; snippet: string }; score: number }
type Audit = {
  numericValue?: number
  score: number | null
  title: string
  details?: { items?: Shift[] }
}
type Category = { score: number; auditRefs: { id: string; weight: number }[] }
type Result = { categories: Record<string, Category>; audits: Record<string, Audit> }

/** Runs Lighthouse in a browser in which a person is signed in, and returns its result. */
const audit = async (
  path: string,
  form: 'mobile' | 'desktop',
  person?: { email: string; password: string },
): Promise<Result> => {
  const port = await freePort()
  const profile = await mkdtemp(join(folder, 'profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...{ executablePath: chromiumPath(), headless: true, locale: 'pt-BR' },
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    if (person) {
      await page.goto(demo.portal)
      await signInForm(page).send(person)
      await page.waitForURL((url) => url.pathname !== '/')
    }
    const output = join(profile, 'result.json')
    await run(
      process.execPath,
      [
        ...[lighthouse, demo.portal + path, `--port=${port}`, '--disable-storage-reset', '--quiet'],
        ...['--output=json', `--output-path=${output}`, '--locale=en', '--max-wait-for-load=60000'],
        ...(form === 'desktop' ? ['--preset=desktop'] : []),
        '--only-categories=accessibility,best-practices,performance',
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    )
    return JSON.parse(await readFile(output, 'utf8')) as Result
  } finally {
    await context.close()
  }
}

/** Returns the titles of the audits of a category that are not fulfilled. */
const failedOf = ({ categories, audits }: Result, category: string): string[] =>
  (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title}`)

/** Returns what has moved while the page was loading. */
const movedOf = ({ audits }: Result): string[] =>
  (audits['layout-shifts']?.details?.items ?? []).map(
    ({ node, score }) => `${score.toFixed(3)} ${node?.selector} ${node?.snippet}`,
  )

const pages = [
  ['sign-in', async () => '/', undefined],
  [`home with ${WORKSPACES * REPORTS_EACH} reports`, async () => '/saidibi', () => many.reader],
  ['list of users', async () => '/usuario', () => people.admin],
  ['viewer', async () => reportsOf(await many.admin.menu())[0]?.path ?? '', () => people.admin],
] as const

test.each(
  pages.flatMap((page) => (['desktop', 'mobile'] as const).map((form) => [page[0], form, page] as const)),
)(
  '%s, %s: accessibility and best practices 100, layout shift at most 0.02',
  async (name, form, [, path, person]) => {
    const result = await audit(await path(), form, person?.())
    const shift = result.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN
    const speed = Math.round((result.categories.performance?.score ?? 0) * 100)
    console.log(
      `lighthouse ${VERSION}, ${name}, ${form}: performance ${speed}, layout shift ${shift.toFixed(3)}`,
    )
    expect(failedOf(result, 'accessibility')).toEqual([])
    expect(failedOf(result, 'best-practices')).toEqual([])
    expect(shift, movedOf(result).join('\n')).toBeLessThanOrEqual(0.02)
  },
)
