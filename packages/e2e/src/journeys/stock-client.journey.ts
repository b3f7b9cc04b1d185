import { demoCatalogue } from '@bi-manager/reports/demo/catalogue'
import type { Browser } from 'playwright-core'
import type * as PowerBi from 'powerbi-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { microsoftLikeHost, startStockService } from '../stock-service.ts'
import { visit } from '../visitor.ts'

/* The portal teaches powerbi-client one more origin; here nobody does. What passes rests on Microsoft's code alone. */

let browser: Browser
let service: Awaited<ReturnType<typeof startStockService>>
beforeAll(async () => {
  service = await startStockService()
  browser = await launchBrowser([
    `--host-resolver-rules=MAP ${microsoftLikeHost} 127.0.0.1`,
    '--ignore-certificate-errors',
  ])
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

const json = async (path: string, init: RequestInit) => {
  const response = await fetch(`${service.api}${path}`, init)
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const embedConfiguration = async () => {
  const { tenantId, applications } = service.credentials
  const [application] = applications
  const { access_token } = await json(`/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    }),
  })
  const { workspaces } = demoCatalogue()
  const open = workspaces
    .flatMap(({ id, reports }) => reports.map((report) => ({ group: id, ...report })))
    .find(({ requiresIdentity }) => !requiresIdentity)
  if (!open) throw new Error('no open report')
  const authorization = `Bearer ${access_token}`
  const report = await json(`/v1.0/myorg/groups/${open.group}/reports/${open.id}`, {
    headers: { authorization },
  })
  const { token } = await json(`/v1.0/myorg/groups/${open.group}/reports/${open.id}/GenerateToken`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ accessLevel: 'View' }),
  })
  return { type: 'report', id: report.id, embedUrl: report.embedUrl, accessToken: token, tokenType: 1 }
}

test('the real, unmodified powerbi-client embeds, turns pages, filters and renews', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit(browser, { portal: service.harness })
  await visitor.goto('/')
  const configuration = await embedConfiguration()
  expect(new URL(configuration.embedUrl).hostname).toBe(microsoftLikeHost)
  const { accessToken } = await embedConfiguration()
  const result = await visitor.page.evaluate(
    async ({ configuration, accessToken }) => {
      const { powerbi } = globalThis as unknown as { powerbi: PowerBi.service.Service }
      const element = document.getElementById('report')
      if (!element) throw new Error('no element')
      const report = powerbi.embed(element, configuration) as PowerBi.Report
      const next = (event: string) =>
        new Promise<unknown>((resolve, reject) => {
          setTimeout(() => reject(new Error(`no ${event} within 20 s`)), 20_000)
          report.on(event, ({ detail }) => resolve(detail))
        })
      const events = [next('loaded'), next('rendered')]
      await Promise.all(events)
      const pages = await report.getPages()
      const changed = next('pageChanged')
      await pages[1]?.setActive()
      await changed
      const active = (await report.getActivePage()).name
      const filters = [
        {
          $schema: 'http://powerbi.com/product/schema#basic',
          target: { table: 'Sinistralidade', column: 'operadora' },
          filterType: 1,
          operator: 'In',
          values: ['CNU'],
        },
      ]
      const applied = await report.setFilters(filters as never).then(
        () => true,
        (error: unknown) => JSON.stringify(error),
      )
      await report.setAccessToken(accessToken)
      const unknown = await report.getTheme().then(
        () => 'resolved',
        (error: { message: string }) => error.message,
      )
      return { pages: pages.map(({ name }) => name), active, applied, unknown }
    },
    { configuration, accessToken },
  )
  expect(result.pages.length).toBeGreaterThan(1)
  expect(result.active).toBe(result.pages[1])
  expect(result.applied).toBe(true)
  expect(result.unknown).toBe('NotImplemented')
  await visitor.close()
})
