import { join } from 'node:path'
import { grantsApi, reportRegistrationsApi, sessionsApi } from '@bi-manager/contract'
import { remove } from '@bi-manager/reports/authoring/publish/publish'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { expectFrameAccessible, sizes, type Visitor } from '../../browser/visitor.ts'
import { openAndAwaitView } from '../../browser/within-portal.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { data, faultyPortal, generateToken, minute } from '../../pages/faulty-portal.ts'
import type { Readers } from '../../pages/readers.ts'
import { expectNotice, expectProblem, watchTokens } from '../../pages/viewer-states.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import type { Demo } from '../../services/demo.ts'
import type { Fault, FaultyProvider } from '../../services/faulty-provider.ts'
import { publishWithoutLastPage } from '../../services/publishing.ts'

/*
 * Faults while a report is open; for faults at opening see
 * viewer-opening-faults.journey.ts. Hours and waits pass on the browser's fake
 * clock, which also drives the timeouts of its calls: pending calls are awaited
 * first. Each fault shows its own sentence and, where possible, recovers by itself.
 */

let provider: FaultyProvider
let demo: Demo
let readers: Readers
let visitor: Visitor
let page: Page
let client: Awaited<ReturnType<typeof signedInClient>>
const { reportNamed } = faultyPortal((viewing) => {
  ;({ provider, demo, readers, visitor, page, client } = viewing)
})

describe.each(sizes)('an open report on the %s', (size) => {
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
    const { path } = await reportNamed()
    await openAndAwaitView(page, () => visitor.goto(path))
    const frame = await waitForRendered(page)
    await frame.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
    return frame
  }
  const expectSamePage = async () => {
    const frame = await waitForRendered(page)
    expect(await frame.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
    return frame
  }

  test('an open report stays for ten minutes offline, then renews its token and renders what was requested', async () => {
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

  test('an open report stays when its token cannot be renewed, and shows the reason until it can', async () => {
    await open()
    const issued = watchTokens(page)
    provider.fail(generateToken, { status: 400, code: 'CapacityNotActive' })
    await page.clock.fastForward(9 * minute)
    await expectNotice(page, /^Serviço de BI pausado\. O relatório continua na tela/)
    expect(issued.count()).toBe(0)
    provider.heal()
    await page.clock.fastForward(minute)
    await page.getByText(/O relatório continua na tela/).waitFor({ state: 'hidden' })
    await expect.poll(issued.count).toBe(1)

    provider.fail(generateToken, { status: 429, code: 'TooManyRequests', headers: { 'retry-after': '55' } })
    await page.clock.fastForward(9 * minute)
    await expectNotice(page, /^Serviço de BI sobrecarregado\. .* tentaremos de novo em 55 segundos\.$/)
    // The fake clock also advances in real time: leaves 20 s of tolerance for a slow machine.
    const asked = provider.count(generateToken)
    provider.heal()
    await page.clock.fastForward(35_000)
    expect(provider.count(generateToken)).toBe(asked)
    await page.clock.fastForward(21_000)
    await page.getByText(/O relatório continua na tela/).waitFor({ state: 'hidden' })
    await expect.poll(issued.count).toBe(2)
    await expectSamePage()
  })

  // The notice is the same as in the two tests above: one size is enough.
  test.runIf(size === 'desktop')(
    'the viewer reports unreadable data next to it and reads it again automatically',
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

  test.runIf(size === 'desktop')('the viewer reports after a minute that data has not arrived', async () => {
    provider.fail(data, 'silence')
    await visitor.goto((await reportNamed()).path)
    await page.locator('[data-state="carregado"]').waitFor()
    await page.clock.fastForward(minute)
    await expectNotice(page, /ainda não mostrou os dados/)
    provider.heal()
    await page.clock.fastForward(5_000)
    await waitForRendered(page)
  })
})

describe('changes by others while a report is open', () => {
  const read = async (name: string) => {
    const report = await reportNamed(name)
    await openAndAwaitView(page, () => visitor.goto(report.path))
    return { ...report, frame: await waitForRendered(page) }
  }

  test('a revoked permission closes the report, and a new grant opens it', async () => {
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
    await waitForRendered(ana.page)
    await grant(others)
    await expectProblem(ana, 'Relatório não liberado')
    await grant([granted, ...others])
    await waitForRendered(ana.page)
    await grant(others)
    await ana.page.reload()
    await expectProblem(ana, 'Relatório não liberado')
    await grant([granted, ...others])
    await waitForRendered(ana.page)
    await ana.close()
  })

  test('a report published without its next page says so and shows its first page', async () => {
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
    await waitForRendered(page)
    expect(await page.locator('[data-state="erro"]').count()).toBe(0)
    await visitor.goto(`${path}?pagina=detalhe`)
    await expectNotice(page, /^A página do endereço não existe mais neste relatório/)
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('a report deleted in the portal or at the provider closes with an error', async () => {
    const { idRelatorio: id } = await read('Telemedicina')
    await client.call(reportRegistrationsApi.remove, { params: { id } })
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

describe('a wrong or stopped clock', () => {
  test.each([3, -3])('%i hours off: the token is renewed by its real lifetime', async (hours) => {
    const tokens = watchTokens(page)
    await page.clock.setSystemTime(Date.now() + hours * 60 * minute)
    const { path } = await reportNamed()
    await openAndAwaitView(page, () => visitor.goto(path))
    await expect.poll(tokens.count).toBe(1)
    // Renewal is due after four fifths of the lifetime.
    await page.clock.fastForward(0.7 * tokens.lifeMs())
    await page.waitForTimeout(300)
    expect(tokens.count()).toBe(1)
    const taken = page.waitForResponse(/embed-api\/reports\/[^/]+$/)
    await page.clock.fastForward(0.15 * tokens.lifeMs())
    await (await taken).finished()
    await expect.poll(tokens.count).toBe(2)
    await page.clock.fastForward(0.5 * tokens.lifeMs())
    await page.waitForTimeout(300)
    expect(tokens.count()).toBe(2)
  })

  test("a computer that slept past the token's expiry continues where it was", async () => {
    await page.clock.setSystemTime(Date.now())
    const { path } = await reportNamed()
    await openAndAwaitView(page, () => visitor.goto(path))
    const frame = await waitForRendered(page)
    const issued = watchTokens(page)
    provider.endTokens()
    // Timers pause during sleep, and each that is due fires once afterwards.
    await page.clock.fastForward(30 * minute)
    await expect.poll(issued.count).toBeGreaterThan(0)
    await frame.getByRole('tab').nth(1).click()
    await page.waitForURL(/pagina=/)
    await expect.poll(async () => Object.keys(await dataOf(frame)).length).toBeGreaterThan(0)
    await waitForRendered(page)
    await page.clock.fastForward(30_000)
    await page.waitForTimeout(300)
    expect(issued.count()).toBeLessThan(4)
  })
})

test('a service without exports shows a sentence next to the choices that says what to do instead', async () => {
  await visitor.goto((await reportNamed()).path)
  await waitForRendered(page)
  provider.fail(/POST .*\/ExportTo/, { status: 501, code: 'NotImplemented' })
  await press(page, 'Exportar')
  const panel = dialogOf(page, 'Exportar')
  await press(panel, 'Imagem (PNG) desta página')
  const sentence =
    'O serviço de BI não oferece a exportação deste relatório. Use Imprimir, que também salva em PDF.'
  expect(await panel.getByRole('alert').textContent()).toBe(sentence)
  expect(await panel.getByRole('button').allInnerTexts()).toHaveLength(4)
  await expectFrameAccessible(page.mainFrame(), 'an export that is not supported')
  provider.heal()
})
