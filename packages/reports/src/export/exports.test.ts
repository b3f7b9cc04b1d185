import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sizeOf, textsOf } from '../../test/exported-files.ts'
import {
  CLAIMS,
  claimsReport,
  GROUP,
  OTHER_GROUP,
  PLAIN_REPORT,
  REPORT,
  type Service,
  startService,
  UNKNOWN,
  visual,
} from '../../test/fixture.ts'
import { findChromium } from './find-chromium.ts'
import { EXPORTS_DIR } from './job-files.ts'

/* ExportTo with a real Chromium; the files are opened and read. */

const chromium = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
if (!chromium) console.warn('PULADO: as exportações em PDF e PNG não rodaram, porque não há Chromium.')

const slicer = {
  name: 'operadoras',
  type: 'slicer',
  title: 'Operadoras',
  layout: { x: 820, y: 0, width: 300, height: 300 },
  slicer: { target: { table: 'Claims', column: 'operadora' } },
}
const byOperator = visual(
  'barras',
  'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1 ORDER BY 1',
  {
    type: 'bar',
    title: 'Valor por operadora',
    layout: { x: 410, y: 0, width: 400, height: 300 },
  },
)
const linhas = visual('linhas', "SELECT 'linha-' || id AS linha, operadora FROM Claims ORDER BY id")
const long = visual('longa', "SELECT 'item-' || range || '.' AS item, range AS n FROM range(50)", {
  totals: { n: 'sum(n)' },
})
/** More rows than are rendered initially, and more columns than fit. */
const matrix = visual(
  'matriz',
  `SELECT 'item-' || (a.range + 100) || '.' AS item, 'c' || (b.range + 10) AS coluna, b.range + 100000 AS n
   FROM range(120) a, range(12) b`,
  { type: 'matrix', matrix: { rows: ['item'], columns: ['coluna'], values: { n: 'sum(n)' } } },
)
/** Slightly too tall for the screen: fits with lower rows. */
const fitting = visual('justa', "SELECT 'item-' || range || '.' AS item FROM range(8)", {
  layout: { x: 0, y: 0, width: 400, height: 300 },
})
const LONG_REPORT = 'e0000000-0000-4000-8000-000000000003'
const longReport = {
  ...claimsReport,
  id: LONG_REPORT,
  pages: [
    { name: 'Main', displayName: 'Principal', visuals: [long] },
    { name: 'Matrix', displayName: 'Matriz', visuals: [matrix] },
    { name: 'Fitting', displayName: 'Justa', visuals: [fitting] },
  ],
}
const report = {
  ...claimsReport,
  notice: 'Dados fictícios.',
  pages: [
    { name: 'Main', displayName: 'Principal', visuals: [linhas, byOperator, slicer] },
    { name: 'Second', displayName: 'Segunda', visuals: [visual('soma', 'SELECT count(*) AS n FROM Claims')] },
  ],
  bookmarks: [
    {
      name: 'so_tres',
      displayName: 'Só a linha 3',
      page: 'Main',
      filters: [{ target: { table: 'Claims', column: 'id' }, operator: 'In', values: [3], filterType: 1 }],
    },
  ],
}
const files = { 'workspaces/one/claims.json': report, 'workspaces/one/long.json': longReport }

let embedDir: string
let service: Service
let token: string
/** The browser uses the machine's clock, so the service does too, shifted by this offset in ms. */
let later = 0

beforeAll(async () => {
  embedDir = await mkdtemp(join(tmpdir(), 'reports-embed-'))
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))
  if (chromium) await build({ configFile, logLevel: 'error', build: { outDir: embedDir, emptyOutDir: true } })
  service = await startService({
    files,
    env: {
      REPORTS_URL: 'https://bi.example.org',
      ...(chromium && { CHROMIUM_PATH: chromium }),
    },
    options: { embedDir, now: () => Date.now() + later },
  })
  await service.loaded
})
beforeEach(async () => {
  later = 0
  token = await service.entraToken()
})
afterAll(async () => {
  await service.stop()
  await rm(embedDir, { recursive: true })
})

const of = (report: string, group = GROUP) => `/groups/${group}/reports/${report}`
const identity = (roles: string[], more: object = {}) => ({
  username: 'ana@x.br',
  roles,
  datasets: [CLAIMS],
  ...more,
})
const everything = { identities: [identity(['todos'])] }
const ask = (body: object, path = of(REPORT)) => service.rest(token, 'POST', `${path}/ExportTo`, body)
const order = (format: string, powerBIReportConfiguration: object) => ({ format, powerBIReportConfiguration })

/** Polls until the export is finished, as Microsoft's samples do. */
async function finished(id: string, report = REPORT) {
  for (let look = 0; look < 600; look += 1) {
    const answer = await service.rest(token, 'GET', `${of(report)}/exports/${id}`)
    if (answer.statusCode === 200) return answer.json()
    expect(answer.statusCode).toBe(202)
    expect(answer.headers['retry-after']).toBe('1')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the export did not finish')
}

async function fetched(body: object, report = REPORT) {
  const asked = await ask(body, of(report))
  expect(asked.statusCode, asked.body).toBe(202)
  const done = await finished(asked.json().id, report)
  expect(done.status).toBe('Succeeded')
  const url = new URL(done.resourceLocation)
  expect(url.origin).toBe('https://bi.example.org')
  const answer = await service.app.inject({
    url: url.pathname,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode).toBe(200)
  return { done, headers: answer.headers, bytes: new Uint8Array(answer.rawPayload) }
}

const rowsIn = (text = '') => [...new Set(text.match(/linha-\d/g))].sort()

describe.skipIf(!chromium)('an exported file', { timeout: 120_000 }, () => {
  it('as PDF has every page of the report, with the rows of the identity', async () => {
    const { done, headers, bytes } = await fetched(order('PDF', { identities: [identity(['cnu'])] }))
    expect(done).toMatchObject({
      reportId: REPORT,
      reportName: 'Sinistralidade',
      percentComplete: 100,
      resourceFileExtension: '.pdf',
    })
    expect(Date.parse(done.expirationTime) - Date.parse(done.createdDateTime)).toBeGreaterThanOrEqual(
      3_600_000,
    )
    expect([headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual([
      'application/pdf',
      `attachment; filename="export.pdf"; filename*=UTF-8''Sinistralidade.pdf`,
      'no-store',
    ])
    const [first, second, ...more] = await textsOf(bytes)
    expect(more).toEqual([])
    expect(rowsIn(first)).toEqual(['linha-3', 'linha-4'])
    expect(first).toMatch(/Sinistralidade.*Principal.*Dados fictícios/s)
    expect(first).not.toContain('BRADESCO')
    expect(second).toMatch(/Segunda/)
  })

  it('says how many rows of a table did not fit', async () => {
    const { bytes } = await fetched(order('PDF', { identities: [identity(['todos'])] }), LONG_REPORT)
    const [text = ''] = await textsOf(bytes)
    const drawn = text.match(/item-/g)?.length ?? 0
    const [, left] = /e mais (\d+) linhas/.exec(text) ?? []
    expect(drawn, text).toBeGreaterThan(2)
    expect(drawn + Number(left), text).toBe(50)
    expect(text).toContain('Total')
    const whole = await fetched(order('PDF', { identities: [identity(['cnu'])] }))
    expect((await textsOf(whole.bytes))[0]).not.toContain('e mais')
  })

  it('lowers the rows of a table before it omits any', async () => {
    const pages = [{ pageName: 'Fitting' }]
    const { bytes } = await fetched(order('PDF', { identities: [identity(['todos'])], pages }), LONG_REPORT)
    const [text = ''] = await textsOf(bytes)
    expect(text.match(/item-/g), text).toHaveLength(8)
    expect(text).not.toContain('e mais')
  })

  it('says how many rows and columns of a matrix did not fit', async () => {
    const pages = [{ pageName: 'Matrix' }]
    const { bytes } = await fetched(order('PDF', { identities: [identity(['todos'])], pages }), LONG_REPORT)
    const [text = ''] = await textsOf(bytes)
    const [, rows, columns] = /e mais (\d+) linhas e (\d+) colunas/.exec(text) ?? []
    const drawn = (pattern: RegExp) => text.match(pattern)?.length ?? 0
    expect(drawn(/item-/g), text).toBeGreaterThan(2)
    expect(drawn(/item-/g) + Number(rows), text).toBe(120)
    expect(drawn(/\bc\d\d\b/g), text).toBeGreaterThan(1)
    // Includes the column of sums besides the twelve.
    expect(drawn(/\bc\d\d\b/g) + Number(columns), text).toBe(13)
    expect(text).toContain('Total')
  })

  it('has the requested pages in order, with bookmarks and a filter', async () => {
    const { bytes } = await fetched(
      order('PDF', {
        ...everything,
        defaultBookmark: { name: 'so_tres' },
        reportLevelFilters: [{ filter: "Claims/operadora in ('CNU', 'BRADESCO') and Claims/id ge 2" }],
        settings: { locale: 'pt-br' },
        pages: [{ pageName: 'Second' }, { pageName: 'Main' }, { pageName: 'Main', visualName: 'linhas' }],
      }),
    )
    const texts = await textsOf(bytes)
    expect(texts.map((text) => /Segunda|Principal/.exec(text)?.[0])).toEqual([
      'Segunda',
      'Principal',
      'Principal',
    ])
    // A filter on a column replaces the bookmark's filter on it; other filters stay.
    expect(rowsIn(texts[1])).toEqual(['linha-2', 'linha-3', 'linha-4'])
    expect(texts[2]).toContain('Principal · linhas')
    expect(texts[2]).not.toContain('Valor por operadora')
  })

  it('shows the state of a captured bookmark', async () => {
    const state = Buffer.from(
      JSON.stringify({
        v: 1,
        report: REPORT,
        name: 'x',
        page: 'Main',
        reportFilters: [],
        slicers: {
          'Main/operadoras': [
            {
              target: { table: 'Claims', column: 'operadora' },
              operator: 'In',
              values: ['SANTA_CASA'],
              filterType: 1,
            },
          ],
        },
      }),
    ).toString('base64url')
    const { bytes } = await fetched(
      order('PDF', { ...everything, pages: [{ pageName: 'Main', bookmark: { state } }] }),
    )
    expect(rowsIn((await textsOf(bytes))[0])).toEqual(['linha-5'])
  })

  it('as PNG is one picture for one page, and a ZIP of named pictures for several', async () => {
    const one = await fetched(order('PNG', { ...everything, pages: [{ pageName: 'Main' }] }))
    expect([one.headers['content-type'], one.done.resourceFileExtension]).toEqual(['image/png', '.png'])
    expect(sizeOf(one.bytes)).toEqual({ width: 2560, height: 1600 })
    const all = await fetched(order('PNG', everything))
    expect([all.headers['content-type'], all.done.resourceFileExtension]).toEqual(['application/zip', '.zip'])
    const pictures = unzipSync(all.bytes)
    expect(Object.keys(pictures)).toEqual(['Main.png', 'Second.png'])
    for (const picture of Object.values(pictures))
      expect(sizeOf(picture)).toEqual({ width: 2560, height: 1600 })
    const digests = Object.values(pictures).map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    expect(new Set(digests).size).toBe(2)
  })

  it('that cannot be rendered is a failed export, and the next one succeeds', async () => {
    const damaged = { pages: [{ pageName: 'Main', bookmark: { state: 'AAAA' } }], ...everything }
    const { id } = (await ask(order('PDF', damaged))).json()
    const next = await ask(order('PDF', everything))
    const failed = await finished(id)
    expect(failed).toMatchObject({ status: 'Failed', error: { code: 'InvalidBookmarkState' } })
    expect(failed.error.message).toMatch(/\w/)
    expect(failed.resourceLocation).toBeUndefined()
    expect((await service.rest(token, 'GET', `${of(REPORT)}/exports/${id}/file`)).statusCode).toBe(404)
    expect(await finished(next.json().id)).toMatchObject({ status: 'Succeeded' })
  })

  it('is kept for an hour in a folder accessible to this user only', async () => {
    const { done } = await fetched(order('PDF', { ...everything, pages: [{ pageName: 'Second' }] }))
    const folder = join(service.dataDir, EXPORTS_DIR)
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
    const mine = () => readdirSync(folder).filter((name) => name.startsWith(done.id))
    expect(mine()).toEqual([`${done.id}.1.pdf`, `${done.id}.json`])
    expect((statSync(join(folder, `${done.id}.1.pdf`)).mode & 0o777).toString(8)).toBe('600')
    later = 3_600_000
    token = await service.entraToken()
    expect((await service.rest(token, 'GET', `${of(REPORT)}/exports/${done.id}`)).statusCode).toBe(404)
    await expect.poll(mine).toEqual([])
  })

  it('waits in a queue, and too many are refused with Retry-After', async () => {
    const body = order('PDF', { ...everything, pages: [{ pageName: 'Second' }] })
    const answers = await Promise.all(Array.from({ length: 24 }, () => ask(body)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThanOrEqual(3)
    expect(refused[0]?.json().error.code).toBe('TooManyRequests')
    expect(refused[0]?.headers['retry-after']).toBe('30')
    const accepted = answers.filter(({ statusCode }) => statusCode === 202)
    expect(accepted.length + refused.length).toBe(24)
    expect(accepted[0]?.json()).toMatchObject({ status: 'NotStarted', percentComplete: 0 })
  })
})

describe('refused exports', () => {
  const refusal = async (body: object, path?: string) => {
    const answer = await ask(body, path)
    return [answer.statusCode, answer.json().error.code, answer.json().error.message]
  }

  it.each<[string, object, RegExp]>([
    ['row-level security without identity', {}, /requires effective identity/],
    ['an unknown role', { identities: [identity(['chefe'])] }, /no role 'chefe'/],
    ['an unknown page', { ...everything, pages: [{ pageName: 'X' }] }, /no page X/],
    ['an unknown visual', { ...everything, pages: [{ pageName: 'Main', visualName: 'x' }] }, /no visual x/],
    ['51 pages', { ...everything, pages: Array(51).fill({ pageName: 'Main' }) }, /at most 50/],
    ['an unknown bookmark', { ...everything, defaultBookmark: { name: 'x' } }, /no bookmark x/],
    [
      'a bookmark with both name and state',
      { ...everything, defaultBookmark: { name: 'so_tres', state: 'x' } },
      /not both/,
    ],
    ['two filters', { ...everything, reportLevelFilters: [{ filter: 'a' }, { filter: 'b' }] }, /only one/],
    [
      'a filter on an unknown column',
      { ...everything, reportLevelFilters: [{ filter: 'Claims/x eq 1' }] },
      /Claims\/x/,
    ],
    [
      'a filter on a hidden table',
      { ...everything, reportLevelFilters: [{ filter: "Access/email eq 'a'" }] },
      /Access/,
    ],
    ['an invalid filter', { ...everything, reportLevelFilters: [{ filter: 'DROP TABLE' }] }, /expected/],
    ['another dataset', { ...everything, datasetToBind: UNKNOWN }, /own dataset/],
  ])('refuses %s', async (_what, configuration, message) => {
    expect(await refusal(order('PDF', configuration))).toEqual([
      400,
      'InvalidRequest',
      expect.stringMatching(message),
    ])
  })

  it('refuses other formats and paginated reports', async () => {
    for (const format of ['PPTX', 'XLSX', 'html', undefined]) {
      expect(await refusal({ format, powerBIReportConfiguration: everything })).toEqual([
        400,
        'InvalidRequest',
        'format: this service exports PDF and PNG',
      ])
    }
    expect(await refusal({ format: 'PDF', paginatedReportConfiguration: {} })).toMatchObject([
      400,
      'InvalidRequest',
      {},
    ])
  })

  it('refuses unknown reports, exports of others, and callers without a token', async () => {
    expect(await refusal(order('PDF', {}), of(UNKNOWN))).toMatchObject([
      404,
      'PowerBIEntityNotFound',
      'The report was not found',
    ])
    expect(await refusal(order('PDF', {}), of(REPORT, OTHER_GROUP))).toMatchObject([404, {}, {}])
    for (const path of ['/exports/x', '/exports/x/file', '/exports/..%2Fx/file']) {
      const unknown = await service.rest(token, 'GET', of(REPORT) + path)
      expect([unknown.statusCode, unknown.json().error.code]).toEqual(
        chromium ? [404, 'PowerBIEntityNotFound'] : [501, 'ExportToFileNotSupported'],
      )
      expect((await service.rest(undefined, 'GET', of(REPORT) + path)).statusCode).toBe(401)
    }
    expect((await service.rest(undefined, 'POST', `${of(REPORT)}/ExportTo`, {})).statusCode).toBe(401)
  })

  it('refuses all exports with the reason where Chromium has no sandbox', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
    const script = join(dir, 'chromium')
    // Chromium's message in a container without user namespaces.
    const refuses = 'case "$1" in --version) exit 0;; esac; echo "FATAL: No usable sandbox! …" >&2; exit 1'
    await writeFile(script, `#!/bin/sh\n${refuses}\n`)
    await chmod(script, 0o755)
    await chmod(dir, 0o755)
    const without = await startService({ files, env: { CHROMIUM_PATH: script } })
    try {
      await without.loaded
      const entra = await without.entraToken()
      const path = `${of(PLAIN_REPORT, OTHER_GROUP)}/ExportTo`
      for (let call = 0; call < 2; call += 1) {
        const answer = await without.rest(entra, 'POST', path, { format: 'PDF' })
        expect([answer.statusCode, answer.json().error]).toEqual([
          501,
          { code: 'ExportToFileNotSupported', message: expect.stringContaining('user namespaces are off') },
        ])
      }
    } finally {
      await without.stop()
      await rm(dir, { recursive: true })
    }
  })

  it("refuses all exports with Microsoft's error body without Chromium", async () => {
    const without = await startService({ files, env: { CHROMIUM_PATH: '/nowhere/chromium' } })
    try {
      await without.loaded
      const entra = await without.entraToken()
      const path = `${of(PLAIN_REPORT, OTHER_GROUP)}/ExportTo`
      const answer = await without.rest(entra, 'POST', path, { format: 'PDF' })
      expect([answer.statusCode, answer.json()]).toEqual([
        501,
        { error: { code: 'ExportToFileNotSupported', message: expect.stringContaining('not supported') } },
      ])
      expect(existsSync(join(without.dataDir, EXPORTS_DIR))).toBe(false)
    } finally {
      await without.stop()
    }
  })
})
