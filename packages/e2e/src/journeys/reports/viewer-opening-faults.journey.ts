import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import type { Visitor } from '../../browser/visitor.ts'
import { goWithin } from '../../browser/within-portal.ts'
import { press } from '../../pages/back-office.ts'
import {
  definition,
  embedPage,
  faultyPortal,
  generateToken,
  minute,
  retryButton,
} from '../../pages/faulty-portal.ts'
import { expectProblem } from '../../pages/viewer-states.ts'
import type { Fault, FaultyProvider } from '../../services/faulty-provider.ts'

/*
 * Faults while a report opens. Waits pass on the browser's fake clock. Each fault shows its own
 * sentence and, where possible, recovers by itself.
 */

let provider: FaultyProvider
let demo: { portal: string }
let visitor: Visitor
let page: Page
const { reportNamed } = faultyPortal((viewing) => {
  ;({ provider, demo, visitor, page } = viewing)
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
afterEach(async () => {
  provider.heal()
  await page.context().setOffline(false)
  await page.unrouteAll()
})

/** Opens the report into a fault, and again after the fault and the wait are over. */
const playAtOpening = async (call: RegExp, fault: Fault, title: string, waitMs?: number) => {
  provider.fail(call, fault)
  const asked = page.waitForResponse(/relatorio\/embed$/)
  await visitor.goto((await reportNamed()).path)
  if (fault === 'silence' || fault === 'cut') {
    await (await asked).finished()
    await page.locator('[data-state="carregando"] iframe').waitFor({ state: 'attached' })
    await page.clock.fastForward(30_000)
  }
  await expectProblem(visitor, title)
  provider.heal()
  await retryButton(page).focus()
  if (waitMs === undefined) await retryButton(page).press('Enter')
  else await page.clock.fastForward(waitMs)
  await waitForRendered(page)
  // The focused button is gone: the focus must stay in the viewer instead of the body.
  expect(await focused(page)).toBe('SECTION')
}

test.each<[title: string, call: RegExp, fault: Fault, waitMs?: number]>([
  ['Serviço de BI pausado', generateToken, { status: 400, code: 'CapacityNotActive' }, minute],
  ['Serviço de BI pausado', definition, { status: 503, code: 'CapacityNotActive' }, minute],
  ['Serviço de BI indisponível', generateToken, { status: 503, code: 'ServiceUnavailable' }, 15_000],
  ['Resposta inesperada do serviço de BI', generateToken, { status: 418 }, 30_000],
  ['O relatório está demorando demais', definition, 'silence', 30_000],
  ['O relatório está demorando demais', embedPage, 'silence', 30_000],
  ['O relatório está demorando demais', embedPage, 'cut', 30_000],
  ['O acesso ao relatório expirou', definition, { status: 403, code: 'TokenExpired' }, 1_000],
  ['Relatório inexistente no serviço de BI', generateToken, { status: 404, code: 'PowerBIEntityNotFound' }],
  ['Conexão sem acesso', generateToken, { status: 403, code: 'PowerBINotAuthorizedException' }],
  ['Serviço de BI sobrecarregado', definition, { status: 429, code: 'ServiceBusy' }, 10_000],
  ['Serviço de BI sobrecarregado', definition, { status: 429, code: 'TooManyRequests' }, 30_000],
  ['Relatório inexistente no serviço de BI', definition, { status: 404, code: 'PowerBIEntityNotFound' }],
])("the viewer shows '%s' and recovers from a fault at %s, %j", async (title, call, fault, waitMs) => {
  await playAtOpening(call, fault, title, waitMs)
})

test("the viewer waits for the provider's Retry-After before it opens the report", async () => {
  provider.fail(generateToken, { status: 429, code: 'TooManyRequests', headers: { 'retry-after': '90' } })
  await visitor.goto((await reportNamed()).path)
  await page.getByText(/^ ?O portal tenta de novo sozinho em (2 minutos|1 minuto)\.$/).waitFor()
  await expectProblem(visitor, 'Serviço de BI sobrecarregado')
  const asked = provider.count(generateToken)
  provider.heal()
  await page.clock.fastForward(minute)
  await page.getByText(/tenta de novo sozinho em \d+ segundos?\./).waitFor()
  expect(provider.count(generateToken)).toBe(asked)
  await page.clock.fastForward(31_000)
  await waitForRendered(page)
})

test("the viewer waits for the portal's Retry-After before it opens the report", async () => {
  const detail = 'Muitas tentativas em pouco tempo. Aguarde alguns minutos e tente novamente.'
  const body = { type: 'about:blank', title: 'x', status: 429, detail, codigo: 'muitas_tentativas' }
  await page.route('**/api/usuarios/relatorio/embed', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '40' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...body, idRequisicao: '1' }),
    }),
  )
  await visitor.goto((await reportNamed()).path)
  await expectProblem(visitor, 'Chamadas demais em pouco tempo')
  await page.unrouteAll()
  await page.clock.fastForward(40_000)
  await waitForRendered(page)
})

test('the viewer opens the report when a lost connection is back', async () => {
  provider.fail(definition, 'silence')
  // Awaits the last answered call: an answer after the network loss would reset the state.
  const views = page.waitForResponse(/\/visoes/)
  await visitor.goto((await reportNamed()).path)
  await (await views).finished()
  await expect.poll(() => provider.isWaiting(definition)).toBe(true)
  await page.context().setOffline(true)
  await page.getByText('Sem conexão com o servidor.', { exact: false }).waitFor()
  await page.clock.fastForward(30_000)
  await expectProblem(visitor, 'Sem conexão com o portal')
  provider.heal()
  await page.context().setOffline(false)
  await waitForRendered(page)
})

test('the viewer loads a missing script again and renders the report', async () => {
  const script = /embed-assets\/chart-/
  await page.route(script, (route) => route.abort())
  await visitor.goto((await reportNamed()).path)
  const frame = await page.locator('iframe').contentFrame()
  await frame.getByText('Uma parte da página do relatório não chegou. Verifique sua conexão.').waitFor()
  // The notice starts with the sentence that the toolbar shows when a refresh fails.
  const sentence = 'O serviço de BI não respondeu. Confira sua conexão.'
  const notice = `${sentence} O portal tenta de novo sozinho, com os mesmos filtros.`
  await page.getByText(notice, { exact: true }).waitFor()
  // The automatic retry a few seconds later fails too.
  const again = page.waitForRequest(script)
  await page.clock.fastForward(5_000)
  await again
  await press(page, 'Atualizar')
  await page.getByRole('status').getByText(sentence, { exact: true }).waitFor()
  await page.unrouteAll()
  await page.clock.fastForward(10_000)
  await waitForRendered(page)
})

test('a report that fails to open after another shows nothing of the other', async () => {
  const [first, second] = [await reportNamed('Internações'), await reportNamed()]
  for (const call of [generateToken, definition]) {
    await visitor.goto(first.path)
    const frame = await waitForRendered(page)
    provider.fail(call, { status: 503, code: 'CapacityNotActive' })
    await goWithin(page, second.path)
    await page.getByRole('heading', { name: 'Serviço de BI pausado' }).waitFor()
    expect(await page.locator('iframe').isVisible()).toBe(false)
    await expect.poll(() => frame.isDetached()).toBe(true)
    provider.heal()
    await page.clock.fastForward(minute)
    await waitForRendered(page)
    await page.getByText(second.name, { exact: true }).first().waitFor()
  }
})

test("a provider's page blocked by the portal's CSP is reported at once", async () => {
  await page.route(demo.portal + (await reportNamed()).path, async (route) => {
    const response = await route.fetch()
    const policy = response
      .headers()
      ['content-security-policy']?.replace(/frame-src [^;]*/, "frame-src 'none'")
    return route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': policy ?? '' },
    })
  })
  await visitor.goto((await reportNamed()).path)
  await expectProblem(visitor, 'O navegador bloqueou o relatório')
})
