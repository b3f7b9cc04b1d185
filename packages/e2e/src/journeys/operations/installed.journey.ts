import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { settled, type Visitor, visit } from '../../browser/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')

/** Address and text of all that any cache of the portal holds. */
const cached = (page: Page): Promise<{ path: string; text: string }[]> =>
  page.evaluate(async () => {
    const found = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        found.push({ path: new URL(request.url).pathname, text: (await answer?.text()) ?? '' })
      }
    }
    return found
  })

const untilKept = async ({ page }: Visitor): Promise<void> => {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(async () => (await cached(page)).length).toBe(1)
}

describe('the installed portal', () => {
  test('the installed portal shows a page of its own without a network, and opens by itself when it is back', async () => {
    const visitor = await visit({ hasServiceWorker: true })
    const { page } = visitor
    await visitor.enter(people.ana, '/saidibi')
    await page.getByRole('heading', { name: /Ana/ }).waitFor()
    await untilKept(visitor)
    visitor.expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    await page.context().setOffline(true)
    await visitor.goto('/meu-perfil')
    await page.getByRole('heading', { name: 'Sem conexão' }).waitFor()
    expect(await page.title()).toBe('Sem conexão · BI Manager')
    await settled(visitor, 'the page without a network')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Meu perfil' }).waitFor()
    await visitor.close()
  })

  test('the installed portal keeps nothing of a person in its caches, and no session after a sign-out', async () => {
    const { menu } = await signedInClient(portal, people.ana)
    const [report] = reportsOf(await menu())
    const visitor = await visit({ hasServiceWorker: true })
    const { page } = visitor
    await visitor.enter(people.ana, '/saidibi')
    await page.getByRole('heading', { name: /Ana/ }).waitFor()
    await untilKept(visitor)
    await visitor.goto('/meu-perfil')
    await page.getByRole('heading', { name: 'Meu perfil' }).waitFor()
    await visitor.goto(report?.path ?? '')
    await waitForRendered(page)
    const kept = await cached(page)
    expect(kept.map(({ path }) => path)).toEqual(['/sem-conexao.html'])
    expect(kept[0]?.text).not.toMatch(/Ana|ana@demo|eyJ|Bearer/)

    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('button', { name: 'Sair' }).click()
    await page.getByRole('button', { name: 'Sim, deslogar' }).click()
    await page.getByRole('button', { name: 'Acessar' }).waitFor()
    expect((await cached(page)).map(({ path }) => path)).toEqual(['/sem-conexao.html'])
    expect(await page.evaluate(() => localStorage.getItem('bi-manager.sessao'))).toBe(null)
    await visitor.close()
  })
})

describe('after a deployment', () => {
  /** Answers from now on as the servers of a later build do. */
  const deploy = (page: Page, build = '9999999999999-000000000000') =>
    page.route('**/api/**', async (route) => {
      const answer = await route.fetch().catch(() => undefined)
      if (!answer) return route.abort()
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-portal-build': build } })
    })
  const notice = (page: Page) => page.getByText('Há uma nova versão do portal.')

  test('an open page offers the new version, and keeps a form that is being filled in', async () => {
    const visitor = await visit()
    const { page, main } = visitor
    await visitor.enter(people.admin, '/cadastrar-usuario')
    await main.getByLabel('Nome', { exact: false }).first().fill('Caio Reis')
    expect(await notice(page).count()).toBe(0)
    await deploy(page)
    // The next call, such as the bell's, names the new build.
    await page.getByRole('button', { name: /Notificações/ }).click()
    await notice(page).waitFor()
    await settled(visitor, 'the notice of a new version')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(1_000)
    expect(await main.getByLabel('Nome', { exact: false }).first().inputValue()).toBe('Caio Reis')

    await page.unroute('**/api/**')
    // The browser asks before a form is lost.
    page.once('dialog', (dialog) => void dialog.accept())
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Atualizar' }).click()])
    await page.getByRole('heading', { name: 'Cadastrar usuário' }).waitFor()
    expect(await notice(page).count()).toBe(0)
    await visitor.close()
  })

  test('a page whose code the new version has replaced says so', async () => {
    const visitor = await visit()
    const { page, main } = visitor
    await visitor.enter(people.admin, '/saidibi')
    await main.getByRole('heading', { name: /Marina/ }).waitFor()
    visitor.expectComplaint(/404|Failed to (load|fetch)|dynamically imported/)
    await deploy(page)
    await page.route('**/assets/audit-page*', (route) => route.fulfill({ status: 404 }))
    await main.getByRole('link', { name: 'Auditoria' }).first().click()
    await page.getByRole('heading', { name: 'Há uma nova versão do portal' }).waitFor()
    await settled(visitor, 'a page of the new version')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Atualizar' }).last().click()
    await page.getByRole('heading', { name: 'Auditoria' }).waitFor()
    await visitor.close()
  })
})
