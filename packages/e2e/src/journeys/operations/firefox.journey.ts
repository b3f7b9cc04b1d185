import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../../other-browsers/browser-page.ts'
import { firefoxPath, launchFirefox } from '../../other-browsers/launch-browsers.ts'
import { openPuppeteerPage } from '../../other-browsers/puppeteer-page.ts'
import {
  dataOfReport,
  faultsOf,
  filterBy,
  schemeOfReport,
  signIn,
  untilDrawn,
} from '../../other-browsers/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')

describe.skipIf(firefoxPath === undefined)('Firefox (skipped without Debian’s package firefox-esr)', () => {
  let firefox: Browser
  beforeAll(async () => {
    firefox = await launchFirefox()
  }, 60_000)
  afterAll(() => firefox?.close())

  test('Firefox signs in, opens a report, filters it and follows the dark theme', {
    timeout: 90_000,
  }, async () => {
    const { menu } = await signedInClient(portal, people.admin)
    const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
    const page = await openPuppeteerPage(firefox)
    await signIn(page, portal, people.admin)
    await until(page.run, () => document.querySelector('main h1, main h2') !== null)

    await page.goto(portal + report?.path)
    await untilDrawn(page)
    const whole = await dataOfReport(page)
    expect(Object.keys(whole).length).toBeGreaterThan(2)
    expect(await faultsOf(page)).toEqual([])

    await filterBy(page, 'feminino')
    await until(page.run, () => location.search.includes('sexo=feminino'))
    await untilDrawn(page)
    await expect.poll(async () => (await dataOfReport(page)).custo).not.toEqual(whole.custo)
    expect(await faultsOf(page)).toEqual([])

    await page.press('button', 'Sua conta')
    await page.press('label', 'Escuro')
    await expect.poll(() => schemeOfReport(page)).toBe('dark')
    expect(page.complaints).toEqual([])
    await page.close()
  })
})
