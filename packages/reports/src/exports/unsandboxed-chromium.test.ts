import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { OTHER_GROUP, PLAIN_REPORT, serviceWith, UNKNOWN } from '../../test/fixture.ts'
import { createExportBrowser } from './browser.ts'
import { NoSandboxError } from './chromium-process.ts'
import { findChromium } from './find-chromium.ts'

const executable = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')

/** Wraps the real Chromium in a script that adds switches, as distributions do. */
const chromiumWith = async (switches: string) => {
  const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await chmod(dir, 0o755)
  const script = join(dir, 'chromium')
  await writeFile(script, `#!/bin/sh\nexec ${executable} ${switches} "$@"\n`)
  await chmod(script, 0o755)
  return script
}

const browserOf = (script: string) => {
  const browser = createExportBrowser({ executable: script, memoryMegabytes: 2048, log: { warn: vi.fn() } })
  onTestFinished(() => browser.close())
  return browser
}
const never = new AbortController().signal
const groups = '/v1.0/myorg/groups'

describe.skipIf(!executable)('a Chromium started by a wrapper script', { timeout: 60_000 }, () => {
  test.each([
    '--no-sandbox',
    '-no-sandbox',
    '--no-sandbox=false',
    '--disable-setuid-sandbox',
    '--disable-seccomp-filter-sandbox',
    '--single-process',
  ])('a Chromium started by a wrapper script refuses to render with %s', async (added) => {
    const browser = browserOf(await chromiumWith(added))
    const work = vi.fn(async () => 1)
    const refused = await browser.use(never, work).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NoSandboxError)
    expect(String(refused)).toContain(`turned off by ${added.replace(/^-+/, '--').replace(/=.*/, '')}`)
    expect(work).not.toHaveBeenCalled()
    expect(await browser.isRunning()).toBe(false)
  })

  test('a Chromium started by a wrapper script refuses to render with --disable-namespace-sandbox', async () => {
    const browser = browserOf(await chromiumWith('--disable-namespace-sandbox'))
    const refused = await browser.use(never, async () => 1).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NoSandboxError)
    // Without the package chromium-sandbox, Chromium itself fails to start.
    expect(String(refused)).toMatch(/turned off by --disable-namespace-sandbox|no usable sandbox/)
  })

  test('a Chromium started by a wrapper script renders with similarly named switches', async () => {
    const browser = browserOf(await chromiumWith('--x-no-sandbox --no-sandbox-y --lang=no-sandbox'))
    expect(await browser.use(never, async (context) => (await context.newPage()).evaluate(() => 1 + 1))).toBe(
      2,
    )
  })

  test('a Chromium started by a wrapper script makes ExportTo answer 501 with the reason for --no-sandbox', async () => {
    const service = await serviceWith({ env: { CHROMIUM_PATH: await chromiumWith('--no-sandbox') } })
    const path = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/ExportTo`
    const answer = await service.rest(await service.entraToken(), 'POST', path, { format: 'PDF' })
    expect([answer.statusCode, answer.json().error]).toEqual([
      501,
      { code: 'ExportToFileNotSupported', message: expect.stringContaining('turned off by --no-sandbox') },
    ])
  })

  test('a Chromium started by a wrapper script leaves the spreadsheet as the only format that can be made now', async () => {
    const service = await serviceWith({ env: { CHROMIUM_PATH: await chromiumWith('--no-sandbox') } })
    const headers = { authorization: `Bearer ${await service.entraToken()}` }
    const ask = (report: string) =>
      service.app.inject({ url: `${groups}/${OTHER_GROUP}/reports/${report}/exportFormats`, headers })
    const answer = await ask(PLAIN_REPORT)
    expect([answer.statusCode, answer.json()]).toEqual([200, { value: ['XLSX'] }])
    expect((await ask(UNKNOWN)).statusCode).toBe(404)
  })
})
