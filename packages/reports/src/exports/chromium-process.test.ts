import { constants, getPriority } from 'node:os'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startChromium } from './chromium-process.ts'
import { CHROMIUM_SWITCHES } from './chromium-switches.ts'
import { findChromium } from './find-chromium.ts'

const executable = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')

test.skipIf(!executable)('browser and renderer leave processor time to readers', async () => {
  const { child, transport, ended } = await startChromium(executable ?? '', CHROMIUM_SWITCHES)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended.catch(() => undefined)
  })
  const browser = await chromium.connectOverCDP(transport)
  await (await browser.newContext()).newPage()
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const drawing = processInfo.filter(({ type }) => ['browser', 'renderer'].includes(type))
  expect(drawing.length).toBeGreaterThan(1)
  for (const { id } of drawing) expect(getPriority(id)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
})
