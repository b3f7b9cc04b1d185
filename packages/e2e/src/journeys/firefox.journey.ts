import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { firefoxPath, launchFirefox } from '../other-browsers/launch-browsers.ts'
import { dataIn, drawnFrame, faultsOf, filterBy, openPage } from '../other-browsers/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

const portal = inject('portal')

describe.skipIf(firefoxPath === undefined)('Firefox (skipped without Debian’s package firefox-esr)', () => {
  let firefox: Browser
  beforeAll(async () => {
    firefox = await launchFirefox()
  }, 60_000)
  afterAll(() => firefox?.close())

  test('signs in, opens a report, filters it and follows the dark theme', { timeout: 90_000 }, async () => {
    const { menu } = await signedInClient(portal, people.admin)
    const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
    const { page, press, signIn, goto, complaints, close } = await openPage(firefox, portal)
    await signIn(people.admin)
    await page.waitForFunction(() => document.querySelector('main h1, main h2') !== null)

    await goto(report?.path ?? '')
    let frame = await drawnFrame(page)
    const whole = await dataIn(frame)
    expect(Object.keys(whole).length).toBeGreaterThan(2)
    expect(await faultsOf(frame)).toEqual([])

    await filterBy({ page, press }, 'feminino')
    await page.waitForFunction(() => location.search.includes('sexo=feminino'))
    frame = await drawnFrame(page)
    await expect.poll(async () => (await dataIn(frame)).custo).not.toEqual(whole.custo)
    expect(await faultsOf(frame)).toEqual([])

    await press('button', 'Sua conta')
    await press('label', 'Escuro')
    await expect
      .poll(() => frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
      .toBe('dark')
    expect(complaints).toEqual([])
    await close()
  })
})
