import { join } from 'node:path'
import { grantsApi, reportRecordsApi, sessionsApi } from '@bi-manager/contract'
import { remove } from '@bi-manager/reports/publish/publish'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { reportsOf, signedInClient } from '../api.ts'
import { joinBrowser, leaveBrowser } from '../browser.ts'
import { type Demo, startDemo } from '../demo.ts'
import { type Fault, type FaultyProvider, startFaultyProvider } from '../faulty-provider.ts'
import { people } from '../people.ts'
import { publishWithoutLastPage } from '../publishing.ts'
import { createReaders, type Readers } from '../readers.ts'
import { dataOf, untilRendered } from '../report-frame.ts'
import { expectNotice, expectProblem, watchTokens } from '../viewer-states.ts'
import { expectFrameAccessible, sizes, type Visitor } from '../visitor.ts'
import { goWithin } from '../within-portal.ts'

/*
 * What can go wrong between a reader and a report. The service is the real one behind a stand-in that fails when told to;
 * hours and waits pass on the browser's clock alone. Each fault ends in its own sentence and, where it can, by itself.
 */

let browser: Browser
let provider: FaultyProvider
let demo: Demo
let readers: Readers
/** Whoever reads where nothing else is said: on the desktop. */
let visitor: Visitor
let page: Page
let client: Awaited<ReturnType<typeof signedInClient>>

beforeAll(async () => {
  provider = await startFaultyProvider()
  const settings = { ...provider.settings, REPORTS_TOKEN_SECONDS: '600', SESSION_IDLE_MINUTES: '1000' }
  ;[browser, demo] = await Promise.all([joinBrowser(), startDemo(settings, inject('demoData'))])
  client = await signedInClient(demo.portal, people.admin)
  readers = createReaders(browser, demo.portal)
  visitor = await readers.on('desktop')
  page = visitor.page
}, 180_000)
afterAll(async () => {
  try {
    await readers?.close()
  } finally {
    await leaveBrowser(browser)
    await demo?.stop()
    await provider?.stop()
  }
})

const minute = 60_000
const generateToken = /GenerateToken/
const embedPage = /GET \/reportEmbed/
const definition = /GET \/embed-api\/reports\//
const data = /POST \/embed-api\/reports\/.*\/data/

/** The tokens of 'Sinistralidade' say who reads: each opening asks the provider for one. Other reports share theirs. */
const reportNamed = async (name = 'Sinistralidade') => {
  const report = reportsOf(await client.menu()).find((candidate) => candidate.name === name)
  if (!report) throw new Error(`the demo has no report named ${name}`)
  return report
}

const retryButton = (page: Page) => page.getByRole('button', { name: 'Tentar novamente' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

describe('while it opens', () => {
  afterEach(async () => {
    provider.heal()
    await page.context().setOffline(false)
    await page.unrouteAll()
  })

  /** Opens the report into a fault, and again when it has passed and the time has come. */
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
    await untilRendered(page)
    // Not the page's body: the button with the focus is gone, its reader is still in the viewer.
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
  ])('%s, at %s, %j', async (title, call, fault, waitMs) => {
    await playAtOpening(call, fault, title, waitMs)
  })

  test('a provider that asks to wait: opened when that time is over, not before', async () => {
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
    await untilRendered(page)
  })

  test('a portal that asks to wait, likewise', async () => {
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
    await untilRendered(page)
  })

  test('a connection that is lost meanwhile: opened when it is back', async () => {
    provider.fail(definition, 'silence')
    // The last call that is answered: what comes back after the network has gone would speak for it.
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
    await untilRendered(page)
  })

  test('a report that cannot be opened after another: nothing of the other stays', async () => {
    const [first, second] = [await reportNamed('Internações'), await reportNamed()]
    for (const call of [generateToken, definition]) {
      await visitor.goto(first.path)
      const frame = await untilRendered(page)
      provider.fail(call, { status: 503, code: 'CapacityNotActive' })
      await goWithin(page, second.path)
      await page.getByRole('heading', { name: 'Serviço de BI pausado' }).waitFor()
      expect(await page.locator('iframe').isVisible()).toBe(false)
      await expect.poll(() => frame.isDetached()).toBe(true)
      provider.heal()
      await page.clock.fastForward(minute)
      await untilRendered(page)
      await page.getByText(second.name, { exact: true }).first().waitFor()
    }
  })

  test("a provider's page that the portal's own policy keeps out is told of at once", async () => {
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
})

describe.each(sizes)('on the screen of the %s', (size) => {
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    visitor = await readers.on(size)
    page = visitor.page
  })
  afterEach(async () => {
    provider.heal()
    await page.context().setOffline(false)
  })

  const open = async () => {
    await visitor.goto((await reportNamed()).path)
    const frame = await untilRendered(page)
    await frame.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
    return frame
  }
  const expectSamePage = async () => {
    const frame = await untilRendered(page)
    expect(await frame.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
    return frame
  }

  test('ten minutes without a network: the report stays, its token is renewed, what was asked is drawn', async () => {
    const frame = await open()
    const issued = watchTokens(page)
    await page.context().setOffline(true)
    await frame.getByRole('tab').nth(1).click()
    await page.getByText('Sem conexão com o servidor.', { exact: false }).waitFor()
    await page.clock.fastForward(10 * minute)
    await expectNotice(page, /o que está na tela continua aqui/)
    expect(issued.count()).toBe(0)
    await page.context().setOffline(false)
    await page.clock.fastForward(5_000)
    await expect.poll(issued.count).toBeGreaterThan(0)
    await expect.poll(async () => Object.keys(await dataOf(frame)).length).toBeGreaterThan(0)
    await expectSamePage()
    await page.getByText('Sem conexão com o servidor.', { exact: false }).waitFor({ state: 'hidden' })
  })

  test('a token that cannot be renewed: the report stays and says why, until it can', async () => {
    await open()
    const issued = watchTokens(page)
    provider.fail(generateToken, { status: 400, code: 'CapacityNotActive' })
    await page.clock.fastForward(9 * minute)
    await expectNotice(page, /^Serviço de BI pausado\. O relatório continua na tela/)
    expect(issued.count()).toBe(0)
    provider.heal()
    await page.clock.fastForward(minute)
    await page.getByText(/O relatório continua na tela/).waitFor({ state: 'hidden' })
    expect(issued.count()).toBe(1)

    provider.fail(generateToken, { status: 429, code: 'TooManyRequests', headers: { 'retry-after': '40' } })
    await page.clock.fastForward(9 * minute)
    await expectNotice(page, /^Serviço de BI sobrecarregado\. .* tentaremos de novo em 40 segundos\.$/)
    const asked = provider.count(generateToken)
    provider.heal()
    await page.clock.fastForward(35_000)
    expect(provider.count(generateToken)).toBe(asked)
    await page.clock.fastForward(6_000)
    await page.getByText(/O relatório continua na tela/).waitFor({ state: 'hidden' })
    expect(issued.count()).toBe(2)
    await expectSamePage()
  })

  // What is said of data stands where the two before it stood: once is enough.
  test.runIf(size === 'desktop')(
    'data that cannot be read: said beside the report, and read again by itself',
    async () => {
      const frame = await open()
      const faults: [tab: number, fault: Fault, sentence: string][] = [
        [1, { status: 503, code: 'CapacityNotActive' }, 'A capacidade do serviço de BI está pausada'],
        [0, { status: 429, code: 'TooManyRequests' }, 'O serviço de BI recebeu chamadas demais'],
      ]
      for (const [tab, fault, sentence] of faults) {
        provider.fail(data, fault)
        await frame.getByRole('tab').nth(tab).click()
        await expectNotice(page, new RegExp(`^${sentence}`))
        provider.heal()
        await page.clock.fastForward(5_000)
        await page.getByText(sentence, { exact: false }).waitFor({ state: 'hidden' })
        await expect.poll(async () => Object.keys(await dataOf(frame)).length).toBeGreaterThan(0)
      }
    },
  )

  test.runIf(size === 'desktop')('data that never comes: said after a minute', async () => {
    provider.fail(data, 'silence')
    await visitor.goto((await reportNamed()).path)
    await page.locator('[data-state="carregado"]').waitFor()
    await page.clock.fastForward(minute)
    await expectNotice(page, /ainda não mostrou os dados/)
    provider.heal()
    await page.clock.fastForward(5_000)
    await untilRendered(page)
  })
})

describe('what others do while it is read', () => {
  const read = async (name: string) => {
    const report = await reportNamed(name)
    await visitor.goto(report.path)
    return { ...report, frame: await untilRendered(page) }
  }

  test('a permission taken away closes the report, and given back opens it', async () => {
    const ana = await readers.enter('desktop', people.ana)
    const { menu, call } = await signedInClient(demo.portal, people.ana)
    const { idUsuario } = await call(sessionsApi.current)
    const granted = await reportNamed('Perfil populacional')
    const others = reportsOf(await menu()).filter(({ idRelatorio }) => idRelatorio !== granted.idRelatorio)
    const grant = (reports: { idRelatorio: number }[]) =>
      client.call(grantsApi.replace, {
        params: { idUsuario },
        body: { idRelatorios: reports.map(({ idRelatorio }) => idRelatorio) },
      })
    await grant([granted, ...others])
    await ana.goto(granted.path)
    await untilRendered(ana.page)
    await grant(others)
    await expectProblem(ana, 'Relatório não liberado')
    await grant([granted, ...others])
    await untilRendered(ana.page)
    await grant(others)
    await ana.page.reload()
    await expectProblem(ana, 'Relatório não liberado')
    await grant([granted, ...others])
    await untilRendered(ana.page)
    await ana.close()
  })

  test('a report published again without the page that is read next: said, and its first page is shown', async () => {
    const { frame, reportId, path } = await read('Especialidades')
    await publishWithoutLastPage(join(demo.dataDir, 'reports'), reportId)
    await expect
      .poll(
        async () => {
          await frame.getByRole('tab').first().click()
          await frame.getByRole('tab').nth(-1).click()
          return frame.getByText('A página que estava aberta não existe mais', { exact: false }).isVisible()
        },
        { interval: 500 },
      )
      .toBe(true)
    await untilRendered(page)
    expect(await page.locator('[data-state="erro"]').count()).toBe(0)
    await visitor.goto(`${path}?pagina=detalhe`)
    await expectNotice(page, /^A página do endereço não existe mais neste relatório/)
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('a report deleted in the portal, and one deleted at the provider, while they are read', async () => {
    const { idRelatorio: id } = await read('Telemedicina')
    await client.call(reportRecordsApi.remove, { params: { id } })
    await expectProblem(visitor, 'Relatório não encontrado')

    const { reportId, name } = await read('Prestadores')
    const removed = await remove({ dataDir: join(demo.dataDir, 'reports'), memoryMegabytes: 128 }, reportId)
    expect(removed.name).toBe(name)
    // The service notices within seconds; every renewal asks it.
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(9 * minute)
          return page.getByRole('heading', { name: 'Relatório inexistente no serviço de BI' }).isVisible()
        },
        { interval: 1_000, timeout: 20_000 },
      )
      .toBe(true)
    await expectProblem(visitor, 'Relatório inexistente no serviço de BI')
  })
})

describe('the clock', () => {
  test.each([3, -3])(
    '%i hours off: one token, renewed when the real one ends and not before',
    async (hours) => {
      const tokens = watchTokens(page)
      await page.clock.setSystemTime(Date.now() + hours * 60 * minute)
      const recorded = page.waitForResponse(/visualizacao$/)
      await visitor.goto((await reportNamed()).path)
      await recorded
      // Renewed when four fifths of its life are over.
      await page.clock.fastForward(0.7 * tokens.lifeMs())
      await page.waitForTimeout(300)
      expect(tokens.count()).toBe(1)
      const taken = page.waitForResponse(/embed-api\/reports\/[^/]+$/)
      await page.clock.fastForward(0.15 * tokens.lifeMs())
      await (await taken).finished()
      await page.waitForTimeout(300)
      expect(tokens.count()).toBe(2)
      await page.clock.fastForward(0.5 * tokens.lifeMs())
      await page.waitForTimeout(300)
      expect(tokens.count()).toBe(2)
    },
  )

  test('a computer that slept past the end of its token goes on where it was', async () => {
    await page.clock.setSystemTime(Date.now())
    const recorded = page.waitForResponse(/visualizacao$/)
    await visitor.goto((await reportNamed()).path)
    await recorded
    const frame = await untilRendered(page)
    const issued = watchTokens(page)
    provider.endTokens()
    // Timers stand still meanwhile, and each that is due fires once on waking.
    await page.clock.fastForward(30 * minute)
    await expect.poll(issued.count).toBeGreaterThan(0)
    await frame.getByRole('tab').nth(1).click()
    await page.waitForURL(/pagina=/)
    await expect.poll(async () => Object.keys(await dataOf(frame)).length).toBeGreaterThan(0)
    await untilRendered(page)
    await page.clock.fastForward(30_000)
    await page.waitForTimeout(300)
    expect(issued.count()).toBeLessThan(4)
  })
})

test('a service that exports nothing: its sentence stands with the choices, and says what to do instead', async () => {
  await visitor.goto((await reportNamed()).path)
  await untilRendered(page)
  provider.fail(/POST .*\/ExportTo/, { status: 501, code: 'NotImplemented' })
  await page.getByRole('button', { name: 'Exportar', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Exportar' })
  await panel.getByRole('button', { name: 'Imagem (PNG) desta página' }).click()
  const sentence =
    'O serviço de BI não oferece a exportação deste relatório. Use Imprimir, que também salva em PDF.'
  expect(await panel.getByRole('alert').textContent()).toBe(sentence)
  expect(await panel.getByRole('button').allInnerTexts()).toHaveLength(3)
  await expectFrameAccessible(page.mainFrame(), 'an export that is not supported')
  provider.heal()
})
