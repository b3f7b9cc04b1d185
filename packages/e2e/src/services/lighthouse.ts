import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { freePort } from '../../../../scripts/machines/ports.ts'
import { chromiumPath } from '../browser/browser.ts'
import { signInForm } from '../browser/sign-in.ts'
import { reportsOf } from '../people/api.ts'
import { createManyReports, REPORTS_EACH, WORKSPACES } from '../people/many-reports.ts'
import { people } from '../people/people.ts'
import { startDemo } from './demo.ts'

/* Lighthouse on the built pages of the demo, with 300 reports more. */

export const LIGHTHOUSE_VERSION = '13.5.0'
export type FormFactor = 'mobile' | 'desktop'
const run = promisify(execFile)

type Shift = { node?: { selector: string; snippet: string }; score: number }
type Audit = {
  numericValue?: number
  score: number | null
  title: string
  details?: { items?: Shift[] }
}
type Category = { score: number; auditRefs: { id: string; weight: number }[] }
export type LighthouseResult = { categories: Record<string, Category>; audits: Record<string, Audit> }

export const lighthousePages = [
  'sign-in',
  `home with ${WORKSPACES * REPORTS_EACH} reports`,
  'list of users',
  'viewer',
] as const
type LighthousePage = (typeof lighthousePages)[number]

/**
 * Starts the demo and installs Lighthouse in a temporary folder: with 114 packages and 176 MB it
 * would make every `npm ci` longer.
 */
export const startLighthouse = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bi-manager-lighthouse-'))
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    `lighthouse@${LIGHTHOUSE_VERSION}`,
  ])
  const lighthouse = join(folder, 'node_modules/lighthouse/cli/index.js')
  const demo = await startDemo()
  const many = await createManyReports(demo.portal)
  const report = reportsOf(await many.admin.menu())[0]?.path ?? ''
  const [signIn, home, list, viewer] = lighthousePages
  const places: Record<LighthousePage, [path: string, person?: { email: string; password: string }]> = {
    [signIn]: ['/'],
    [home]: ['/saidibi', many.reader],
    [list]: ['/usuario', people.admin],
    [viewer]: [report, people.admin],
  }

  /** Runs Lighthouse in a browser in which the page's reader is signed in. */
  const audit = async (name: LighthousePage, form: FormFactor): Promise<LighthouseResult> => {
    const [path, person] = places[name]
    const port = await freePort()
    const profile = await mkdtemp(join(folder, 'profile-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath(),
      headless: true,
      locale: 'pt-BR',
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
          lighthouse,
          demo.portal + path,
          `--port=${port}`,
          '--disable-storage-reset',
          '--quiet',
          '--output=json',
          `--output-path=${output}`,
          '--locale=en',
          '--max-wait-for-load=60000',
          ...(form === 'desktop' ? ['--preset=desktop'] : []),
          '--only-categories=accessibility,best-practices,performance',
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      )
      return JSON.parse(await readFile(output, 'utf8')) as LighthouseResult
    } finally {
      await context.close()
    }
  }
  const stop = async () => {
    await many.remove()
    await demo.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { audit, stop }
}

/** Returns the performance score, 0 to 100. */
export const performanceOf = ({ categories }: LighthouseResult): number =>
  Math.round((categories.performance?.score ?? 0) * 100)
