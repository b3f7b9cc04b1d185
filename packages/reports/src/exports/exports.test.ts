import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  chromium,
  everything,
  exportService,
  FAILING_REPORT,
  identity,
  LONG_REPORT,
  of,
  order,
} from '../../test/export-service.ts'
import { sizeOf, textsOf } from '../../test/exported-files.ts'
import { REPORT } from '../../test/fixture.ts'
import { EXPORTS_DIR } from './job-files.ts'

/* ExportTo with a real Chromium; the files are opened and read. */

if (!chromium) console.warn('PULADO: as exportações em PDF e PNG não rodaram, porque não há Chromium.')

const service = exportService()

/** Polls until the export is finished, as Microsoft's samples do. */
const finished = async (id: string, report = REPORT) => {
  for (let look = 0; look < 600; look += 1) {
    const answer = await service.rest('GET', `${of(report)}/exports/${id}`)
    if (answer.statusCode === 200) return answer.json()
    expect(answer.statusCode).toBe(202)
    expect(answer.headers['retry-after']).toBe('1')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the export did not finish')
}

const fetched = async (body: object, report = REPORT) => {
  const asked = await service.ask(body, of(report))
  expect(asked.statusCode, asked.body).toBe(202)
  const done = await finished(asked.json().id, report)
  expect(done.status).toBe('Succeeded')
  const url = new URL(done.resourceLocation)
  expect(url.origin).toBe('https://bi.example.org')
  const answer = await service.inject(url.pathname)
  expect(answer.statusCode).toBe(200)
  return { done, headers: answer.headers, bytes: new Uint8Array(answer.rawPayload) }
}

const rowsIn = (text = '') => [...new Set(text.match(/linha-\d/g))].sort()

describe.skipIf(!chromium)('an exported file', { timeout: 120_000 }, () => {
  test('an exported file as PDF has every page of the report, with the rows of the identity', async () => {
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

  test('an exported file can be of every format once the browser has started', async () => {
    await fetched(order('PDF', everything))
    const answer = await service.inject(`/v1.0/myorg${of(REPORT)}/exportFormats`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { value: ['PDF', 'PNG', 'XLSX'] }])
  })

  test("an exported file states its rows, whether visuals failed, and a digest that differs with the identity's rows", async () => {
    const contentOf = async (roles: string[]) =>
      (await fetched(order('PDF', { identities: [identity(roles)] }))).done['@biManager.content']
    const [one, same, all] = [await contentOf(['cnu']), await contentOf(['cnu']), await contentOf(['todos'])]
    expect(one).toEqual({ failedVisuals: 0, rows: expect.any(Number), digest: expect.any(String) })
    expect(same).toEqual(one)
    expect(one.rows).toBeGreaterThan(0)
    expect(all.rows).toBeGreaterThan(one.rows)
    expect(all.digest).not.toBe(one.digest)
  })

  test('an exported file states that a visual could not read its data', async () => {
    const { done } = await fetched(order('PDF', everything), FAILING_REPORT)
    expect(done['@biManager.content']).toMatchObject({ failedVisuals: 1 })
    expect(done['@biManager.content'].rows).toBeGreaterThan(0)
  })

  test('an exported file says how many rows of a table did not fit', async () => {
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

  test('an exported file lowers the rows of a table before it omits any', async () => {
    const pages = [{ pageName: 'Fitting' }]
    const { bytes } = await fetched(order('PDF', { identities: [identity(['todos'])], pages }), LONG_REPORT)
    const [text = ''] = await textsOf(bytes)
    expect(text.match(/item-/g), text).toHaveLength(8)
    expect(text).not.toContain('e mais')
  })

  test('an exported file says how many rows and columns of a matrix did not fit', async () => {
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

  test('an exported file has the requested pages in order, with bookmarks and a filter', async () => {
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

  test('an exported file shows the state of a captured bookmark', async () => {
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

  test('an exported file as PNG is one picture for one page, and a ZIP of named pictures for several', async () => {
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

  test('an exported file that cannot be rendered is a failed export, and the next one succeeds', async () => {
    const damaged = { pages: [{ pageName: 'Main', bookmark: { state: 'AAAA' } }], ...everything }
    const { id } = (await service.ask(order('PDF', damaged))).json()
    const next = await service.ask(order('PDF', everything))
    const failed = await finished(id)
    expect(failed).toMatchObject({ status: 'Failed', error: { code: 'InvalidBookmarkState' } })
    expect(failed.error.message).toMatch(/\w/)
    expect(failed.resourceLocation).toBeUndefined()
    expect((await service.rest('GET', `${of(REPORT)}/exports/${id}/file`)).statusCode).toBe(404)
    expect(await finished(next.json().id)).toMatchObject({ status: 'Succeeded' })
  })

  test('an exported file is kept for an hour in a folder accessible to this user only', async () => {
    const { done } = await fetched(order('PDF', { ...everything, pages: [{ pageName: 'Second' }] }))
    const folder = join(service.dataDir(), EXPORTS_DIR)
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
    const mine = () => readdirSync(folder).filter((name) => name.startsWith(done.id))
    // The claim of the attempt is deleted after the end is stored.
    await expect.poll(mine).toEqual([`${done.id}.1.pdf`, `${done.id}.json`])
    expect((statSync(join(folder, `${done.id}.1.pdf`)).mode & 0o777).toString(8)).toBe('600')
    await service.advance(3_600_000)
    expect((await service.rest('GET', `${of(REPORT)}/exports/${done.id}`)).statusCode).toBe(404)
    await expect.poll(mine).toEqual([])
  })

  test('an exported file waits in a queue, and too many are refused with Retry-After', async () => {
    const body = order('PDF', { ...everything, pages: [{ pageName: 'Second' }] })
    // Twenty may wait; while the requests arrive, a few may be rendered and leave the queue.
    const answers = await Promise.all(Array.from({ length: 40 }, () => service.ask(body)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThanOrEqual(3)
    expect(refused[0]?.json().error.code).toBe('TooManyRequests')
    expect(refused[0]?.headers['retry-after']).toBe('30')
    const accepted = answers.filter(({ statusCode }) => statusCode === 202)
    expect(accepted.length).toBeGreaterThanOrEqual(20)
    expect(accepted.length + refused.length).toBe(40)
    expect(accepted[0]?.json()).toMatchObject({ status: 'NotStarted', percentComplete: 0 })
  })
})
