import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { freePort } from '../../../../../scripts/machines/ports.ts'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { type Visitor, visit } from '../../browser/visitor.ts'
import { filterPanel } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startWithReportsAt } from '../../services/demo.ts'
import { type ReportService, startReportService } from '../../services/report-service.ts'

/* Kills the report service and restarts it on the same port, with open readers. Uses real time. */

let demo: Demo
let service: ReportService
let visitor: Visitor
let page: Page
let path: string

beforeAll(async () => {
  const port = await freePort()
  demo = await startWithReportsAt(`http://localhost:${port}`, inject('demoData'))
  service = await startReportService({ dataDir: join(demo.dataDir, 'reports'), port, portal: demo.portal })
  const client = await signedInClient(demo.portal, people.admin)
  const report = reportsOf(await client.menu()).find(({ name }) => name === 'Sinistralidade')
  path = report?.path ?? ''
}, 180_000)
afterAll(async () => {
  await service.stop()
  await demo.stop()
})
beforeEach(async () => {
  visitor = await visit({ portal: demo.portal })
  page = visitor.page
  // Console errors caused by the missing service.
  visitor.expectComplaint(
    /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
  )
  await visitor.enter(people.admin, '/privacidade')
})
afterEach(async () => {
  await visitor.close()
})

const secondsSince = (moment: number) => ((performance.now() - moment) / 1000).toFixed(1)

test('an open report keeps a filter chosen during the outage and applies it afterwards', async () => {
  await visitor.goto(path)
  const frame = await waitForRendered(page)
  await frame.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
  await frame.getByRole('tab').nth(1).click()
  await page.waitForURL(/pagina=/)
  const before = await dataOf(frame)

  await service.kill()
  const { panel, filterBy } = filterPanel(page)
  await filterBy('Operadora', 'CNU')
  await page.getByText(/^O serviço de BI não respondeu\..* O portal tenta de novo sozinho/).waitFor()
  await panel.waitFor({ state: 'hidden' })
  await page.waitForURL(/operadora/)
  // Long enough for several failed attempts.
  await page.waitForTimeout(10_000)
  await page.getByText('O portal tenta de novo sozinho', { exact: false }).waitFor()

  const back = await service.restart()
  await page.getByText('O portal tenta de novo sozinho', { exact: false }).waitFor({ state: 'hidden' })
  console.log(`an open report was drawn ${secondsSince(back)} s after the service was back`)
  const same = await waitForRendered(page)
  expect(await same.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
  await expect.poll(async () => JSON.stringify(await dataOf(same))).not.toBe(JSON.stringify(before))
  await expect.poll(() => same.getByRole('tab').nth(1).getAttribute('aria-selected')).toBe('true')
  expect(new URL(page.url()).searchParams.get('pagina')).toBeTruthy()
  for (const rows of Object.values(await dataOf(same))) expect(rows.length).toBeGreaterThan(0)
})

test('a report opened during the outage opens by itself afterwards', async () => {
  await service.kill()
  await visitor.goto(path)
  await page.getByRole('heading', { name: 'Serviço de BI indisponível' }).waitFor()
  await page
    .getByText(/O portal tenta de novo sozinho|Tentando de novo/)
    .first()
    .waitFor()
  const back = await service.restart()
  await waitForRendered(page)
  console.log(`a report that was not open was drawn ${secondsSince(back)} s after the service was back`)
})

test('a frame whose page could not be loaded is loaded again afterwards', async () => {
  // The portal already has the token: only the frame fails. A token used twice counts as one view.
  visitor.expectComplaint(/A visualização não pôde ser registrada/)
  await visitor.goto(path)
  await waitForRendered(page)
  const answer = page.waitForResponse(/relatorio\/embed/)
  await page.reload()
  const body = await (await answer).text()
  await waitForRendered(page)
  await page.route('**/api/usuarios/relatorio/embed', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body }),
  )
  await service.kill()
  await visitor.goto(path)
  await page.getByRole('heading', { name: 'Serviço de BI indisponível' }).waitFor({ timeout: 12_000 })
  const back = await service.restart()
  await waitForRendered(page)
  console.log(`a frame that found no service was drawn ${secondsSince(back)} s after the service was back`)
})

test('a 503 of the portal on opening a report is retried automatically', async () => {
  const problem = {
    type: 'about:blank',
    title: 'Serviço indisponível',
    status: 503,
    detail: 'O sistema está iniciando ou sem acesso ao banco de dados. Tente novamente em instantes.',
    codigo: 'servico_indisponivel',
    idRequisicao: '1',
  }
  await page.route('**/api/usuarios/relatorio/embed', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '2' },
      contentType: 'application/problem+json',
      body: JSON.stringify(problem),
    }),
  )
  await visitor.goto(path)
  await page.getByRole('heading', { name: 'Serviço indisponível' }).waitFor()
  await page.waitForTimeout(5_000)
  await page.unrouteAll()
  const back = performance.now()
  await waitForRendered(page)
  console.log(`a report was drawn ${secondsSince(back)} s after the portal was back`)
})
