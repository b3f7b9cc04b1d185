import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  chromium,
  everything,
  exportedReports,
  exportService,
  identity,
  of,
  order,
} from '../../test/export-service.ts'
import { OTHER_GROUP, PLAIN_REPORT, REPORT, startService, UNKNOWN } from '../../test/fixture.ts'
import { EXPORTS_DIR } from './job-files.ts'

const service = exportService()

describe('refused exports', () => {
  const refusal = async (body: object, path?: string) => {
    const answer = await service.ask(body, path)
    return [answer.statusCode, answer.json().error.code, answer.json().error.message]
  }

  test.each<[string, object, RegExp]>([
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
  ])('the service refuses %s', async (_what, configuration, message) => {
    expect(await refusal(order('PDF', configuration))).toEqual([
      400,
      'InvalidRequest',
      expect.stringMatching(message),
    ])
  })

  test('the service refuses other formats and paginated reports', async () => {
    for (const format of ['PPTX', 'DOCX', 'html', undefined]) {
      expect(await refusal({ format, powerBIReportConfiguration: everything })).toEqual([
        400,
        'InvalidRequest',
        'format: this service exports PDF, PNG and XLSX',
      ])
    }
    expect(await refusal({ format: 'PDF', paginatedReportConfiguration: {} })).toMatchObject([
      400,
      'InvalidRequest',
      {},
    ])
  })

  test('the service refuses unknown reports, exports of others, and callers without a token', async () => {
    expect(await refusal(order('PDF', {}), of(UNKNOWN))).toMatchObject([
      404,
      'PowerBIEntityNotFound',
      'The report was not found',
    ])
    expect(await refusal(order('PDF', {}), of(REPORT, OTHER_GROUP))).toMatchObject([404, {}, {}])
    for (const path of ['/exports/x', '/exports/x/file', '/exports/..%2Fx/file']) {
      const unknown = await service.rest('GET', of(REPORT) + path)
      expect([unknown.statusCode, unknown.json().error.code]).toEqual(
        chromium ? [404, 'PowerBIEntityNotFound'] : [501, 'ExportToFileNotSupported'],
      )
      expect((await service.anonymous('GET', of(REPORT) + path)).statusCode).toBe(401)
    }
    expect((await service.anonymous('POST', `${of(REPORT)}/ExportTo`, {})).statusCode).toBe(401)
  })

  test('the service refuses all exports with the reason where Chromium has no sandbox', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
    const script = join(dir, 'chromium')
    // Chromium's message in a container without user namespaces.
    const refuses = 'case "$1" in --version) exit 0;; esac; echo "FATAL: No usable sandbox! …" >&2; exit 1'
    await writeFile(script, `#!/bin/sh\n${refuses}\n`)
    await chmod(script, 0o755)
    await chmod(dir, 0o755)
    const without = await startService({ files: exportedReports, env: { CHROMIUM_PATH: script } })
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

  test("the service refuses all exports with Microsoft's error body without Chromium", async () => {
    const without = await startService({
      files: exportedReports,
      env: { CHROMIUM_PATH: '/nowhere/chromium' },
    })
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
