import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { expectAccessible, looks, type Visitor, visit } from '../../browser/visitor.ts'
import { goWithin, openAndAwaitView } from '../../browser/within-portal.ts'
import { press } from '../../pages/back-office.ts'
import { filterPanel } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

const portal = inject('portal')

const pathOf = async (name: RegExp, base = portal): Promise<string> => {
  const { menu } = await signedInClient(base, people.admin)
  const report = reportsOf(await menu()).find((candidate) => name.test(candidate.name))
  if (!report) throw new Error(`no report named ${name}`)
  return report.path
}

const open = async (visitor: Visitor, name: RegExp, base = portal) => {
  await visitor.enter(people.admin, await pathOf(name, base))
  return waitForRendered(visitor.page)
}

describe.each(looks)('the filter panel on the $size', (look) => {
  test('the filter panel applies all three selects without a reload, closes, and can be cleared', {
    timeout: 120_000,
  }, async () => {
    const visitor = await visit(look)
    const { page } = visitor
    const frame = await open(visitor, /^Sinistralidade/)
    const whole = await dataOf(frame)
    await frame.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
    const { open: openPanel, choose, submit, clear } = filterPanel(page)
    await openPanel()
    await choose('Operadora', 'CNU')
    await choose('Sexo', 'Feminino')
    await choose('Titularidade', 'Dependente')
    await expectAccessible(page, `filter panel on the ${look.size}`)
    await submit.click()
    await submit.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => JSON.stringify(await dataOf(frame)), { timeout: 15_000 })
      .not.toBe(JSON.stringify(whole))
    await openPanel()
    await clear()
    await expect.poll(() => dataOf(frame), { timeout: 15_000 }).toEqual(whole)
    expect(await frame.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
    await visitor.close()
  })
})

describe('the viewer', () => {
  /** Shared by all tests, each of which opens its report from another page of the portal. */
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    visitor = await visit()
    page = visitor.page
    await visitor.enter(people.admin, '/privacidade')
  })
  afterEach(() => page.unrouteAll())
  afterAll(() => visitor.close())

  const come = async (name: RegExp) => {
    const path = await pathOf(name)
    await goWithin(page, '/privacidade')
    await page.getByRole('main').getByRole('heading', { name: 'Aviso de privacidade' }).waitFor()
    return goWithin(page, path)
  }
  const open = async (name: RegExp) => {
    await openAndAwaitView(page, () => come(name))
    return waitForRendered(page)
  }

  test('the viewer takes its title from the group in the address', async () => {
    await open(/^Sinistralidade/)
    const [, , group = ''] = decodeURIComponent(new URL(page.url()).pathname).split('/')
    const title = group
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ')
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
  })

  test('the viewer hides the filter pane, shows the pages, and turns them', { timeout: 90_000 }, async () => {
    const frame = await open(/^Sinistralidade/)
    const tabs = frame.getByRole('tab')
    expect(await tabs.count()).toBeGreaterThan(1)
    expect(await frame.getByRole('heading', { name: 'Filtros' }).isVisible()).toBe(false)
    const before = Object.keys(await dataOf(frame))
    await tabs.nth(1).click()
    await expect.poll(async () => Object.keys(await dataOf(frame)), { timeout: 15_000 }).not.toEqual(before)
  })

  test('Ctrl+K and ? open their dialogs while the focus is in the report, and Esc closes them', {
    timeout: 90_000,
  }, async () => {
    const frame = await open(/^Sinistralidade/)
    await frame.getByRole('tab').first().focus()
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Busca rápida' })
    await search.waitFor()
    await page.keyboard.type('prestadores')
    await search.getByText('Prestadores', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'hidden' })
    await frame.getByRole('tab').first().focus()
    await page.keyboard.press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Atalhos do teclado' })
    await shortcuts.waitFor()
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'hidden' })
  })

  test('the viewer keeps the page in the address, for a reload and a copied link', {
    timeout: 90_000,
  }, async () => {
    const frame = await open(/^Sinistralidade/)
    const name = await frame.getByRole('tab').nth(1).textContent()
    await frame.getByRole('tab').nth(1).click()
    await page.waitForURL(/[?&]pagina=/)
    await page.reload()
    const reloaded = await waitForRendered(page)
    expect(await reloaded.getByRole('tab', { selected: true }).textContent()).toBe(name)
  })

  test('the viewer opens a link with a filter in one request, and removes unknown filters from it', {
    timeout: 90_000,
  }, async () => {
    await open(/^Sinistralidade/)
    const asked: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/data')) asked.push(request.postDataJSON())
    })
    const { origin, pathname } = new URL(page.url())
    const madeUp = pathname.replace(/^\/relatorio-embed\/[^/]+/, '/relatorio-embed/Banco-Central-avisa')
    await page.goto(`${origin}${madeUp}?operadora=NADA&sexo=feminino&pagina=nada`)
    await waitForRendered(page)
    await page.getByRole('heading', { level: 1, name: 'Gestão De Saúde', exact: true }).waitFor()
    expect(await page.title()).not.toContain('Banco')
    await page.getByText('O filtro do endereço não é válido e foi ignorado.').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?sexo=feminino')
    const sexo = { target: expect.objectContaining({ column: 'sexo' }) }
    expect(asked).toMatchObject([{ filters: expect.arrayContaining([expect.objectContaining(sexo)]) }])
  })

  test('the viewer keeps the panel open until the filters are rendered', { timeout: 90_000 }, async () => {
    await open(/^Sinistralidade/)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHolding = false
    await page.route(`${inject('reports')}/**`, async (route) => {
      if (route.request().method() === 'POST') {
        isHolding = true
        await held
      }
      return route.continue()
    })
    const { filterBy, submit } = filterPanel(page)
    await filterBy('Sexo', 'Feminino')
    await expect.poll(() => isHolding).toBe(true)
    await page.waitForTimeout(500)
    expect(await page.getByText('Aplicando filtros…').isVisible()).toBe(true)
    release()
    await submit.waitFor({ state: 'hidden' })
    await page.getByText('Filtros aplicados.').waitFor({ state: 'attached' })
  })

  test('the viewer opens a report by itself after reconnecting', { timeout: 90_000 }, async () => {
    visitor.expectComplaint(/ERR_INTERNET_DISCONNECTED/)
    await open(/^Sinistralidade/)
    await page.context().setOffline(true)
    await page.getByRole('navigation').getByRole('link', { name: 'Internações' }).click()
    await page.getByRole('heading', { name: 'Sem conexão com o portal' }).waitFor()
    await expectAccessible(page, 'offline')
    expect(await page.getByRole('button', { name: 'Copiar link' }).isDisabled()).toBe(true)
    await page.context().setOffline(false)
    await waitForRendered(page)
  })

  test('the viewer offers the filters that the report declares, and says which one of a link it lacks', {
    timeout: 90_000,
  }, async () => {
    await open(/Absente/)
    const panel = filterPanel(page)
    await panel.filterBy('Turno', 'Noite')
    await panel.submit.waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).searchParams.get('Absenteismo/turno')).toBe('Noite')
    await panel.open()
    expect(await panel.panel.getByRole('combobox').count()).toBe(2)
    await expectAccessible(page, 'declared filters')
    const { origin, pathname } = new URL(page.url())
    await page.goto(`${origin}${pathname}?operadora=CNU`)
    await waitForRendered(page)
    await page.getByText('Este relatório não tem o filtro Operadora.').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test("the viewer applies the report's own filtro to every data request, even after the panel is cleared", {
    timeout: 90_000,
  }, async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/data')) asked.push(request.postData() ?? '')
    })
    await open(/^Análise de entregas/)
    const panel = filterPanel(page)
    await panel.filterBy('Operadora', 'CNU')
    await panel.submit.waitFor({ state: 'hidden' })
    await panel.open()
    await panel.clear()
    await page.getByText('Filtros removidos.').waitFor()
    await expect.poll(() => asked.length).toBeGreaterThan(2)
    for (const body of asked) {
      const own = JSON.parse(body).filters.find(
        ({ target }: { target: { column: string } }) => target.column === 'mes',
      )
      expect(own).toMatchObject({ conditions: [{ operator: 'GreaterThanOrEqual', value: '2025-01-01' }] })
    }
  })

  test('the viewer records the view with its load times', { timeout: 90_000 }, async () => {
    const recorded = page.waitForResponse((response) => response.url().endsWith('/visualizacao'))
    await come(/^Sinistralidade/)
    const response = await recorded
    expect(response.status()).toBe(204)
    const times = response.request().postDataJSON()
    expect(times.carregadoMs).toBeGreaterThan(0)
    expect(times.renderizadoMs).toBeGreaterThanOrEqual(times.carregadoMs)
  })

  test('the viewer shows the error and a retry when the report service refuses the token', {
    timeout: 90_000,
  }, async () => {
    visitor.expectComplaint(/403 \(Forbidden\)/)
    let spoiling = true
    await page.route('**/api/usuarios/relatorio/embed', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      return route.fulfill({
        response,
        json: spoiling ? { ...body, embedToken: `${body.embedToken}x` } : body,
      })
    })
    await come(/^Sinistralidade/)
    await page
      .getByText('O serviço de BI recusou o acesso a este relatório.', { exact: false })
      .first()
      .waitFor()
    await expectAccessible(page, 'token refused')
    spoiling = false
    await press(page, 'Tentar novamente')
    await waitForRendered(page)
  })

  test('the viewer shows the error and a retry when the provider does not answer', {
    timeout: 90_000,
  }, async () => {
    visitor.expectComplaint(/50[234]/)
    let failing = true
    await page.route('**/api/usuarios/relatorio/embed', async (route) => {
      if (!failing) return route.fallback()
      const problem = { type: 'x', title: 'x', status: 504, codigo: 'bi_sem_resposta', idRequisicao: '1' }
      const detail = 'O serviço de BI não respondeu a tempo. Tente novamente.'
      return route.fulfill({
        status: 504,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, detail }),
      })
    })
    await come(/^Sinistralidade/)
    await page.getByText('O serviço de BI não respondeu a tempo. Tente novamente.').first().waitFor()
    await expectAccessible(page, 'provider does not answer')
    failing = false
    await press(page, 'Tentar novamente')
    await waitForRendered(page)
  })
})

describe('the viewer with short-lived tokens', () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo({ REPORTS_TOKEN_SECONDS: '10' }, inject('demoData'))
  })
  afterAll(() => demo.stop())

  test('the viewer with short-lived tokens renews the token before it expires without a reload or an error', {
    timeout: 120_000,
  }, async () => {
    const visitor = await visit({ portal: demo.portal })
    const { page } = visitor
    const embeds: number[] = []
    const inBackground: boolean[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('/relatorio/embed')) return
      embeds.push(response.status())
      inBackground.push('x-segundo-plano' in response.request().headers())
    })
    const frame = await open(visitor, /^Sinistralidade/, demo.portal)
    await frame.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }))
    // Renewals come after four fifths of the lifetime: by the second the first token has expired.
    await expect.poll(() => embeds.length, { timeout: 40_000 }).toBeGreaterThan(2)
    expect(embeds.every((status) => status === 200)).toBe(true)
    expect(inBackground).toEqual(embeds.map((_, index) => index > 0))
    await frame.getByRole('tab').nth(1).click()
    await expect
      .poll(async () => Object.keys(await dataOf(frame)).length, { timeout: 15_000 })
      .toBeGreaterThan(0)
    expect(await frame.evaluate(() => 'stillTheSamePage' in globalThis)).toBe(true)
    expect(await page.locator('[data-state="erro"]').count()).toBe(0)
    await visitor.close()
  })
})
