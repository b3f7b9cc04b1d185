import { expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf } from '../../pages/back-office.ts'
import { people } from '../../people/people.ts'

const heading = { level: 1 } as const

test.each(looks)(
  "'Ajuda' opens the manual at the place for the screen, on the $size",
  {
    timeout: 120_000,
  },
  async (look) => {
    const visitor = await visit(look)
    const { page, main } = visitor
    await visitor.enter(people.admin, '/cadastrar-usuario')
    await main.getByRole('heading', heading).waitFor()
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('dialog', { name: 'Sua conta' }).getByRole('link', { name: 'Ajuda' }).click()
    await main.getByRole('heading', { ...heading, name: 'Contas e segurança' }).waitFor()
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#cadastrar-usuários')
    const place = page.locator(':focus')
    expect(await place.textContent()).toBe('Cadastrar usuários')
    // Below the top bar, near the top of the screen.
    const box = await place.boundingBox()
    expect(box?.y).toBeGreaterThan(48)
    expect(box?.y).toBeLessThan(200)
    await settled(visitor, 'a page of the manual')

    // The '?' dialog leads there too; on the manual itself, to its list of pages.
    await page.keyboard.press('Shift+?')
    await dialogOf(page, 'Atalhos do teclado').getByRole('link', { name: 'Ajuda desta tela' }).click()
    await main.getByRole('heading', { ...heading, name: 'Manual do BI Manager' }).waitFor()
    await settled(visitor, 'the list of pages of the manual')
    await visitor.close()
  },
)

test.each(looks)(
  'the search of the manual finds page, heading and excerpt, on the $size',
  {
    timeout: 120_000,
  },
  async (look) => {
    const visitor = await visit(look)
    const { page, main } = visitor
    await visitor.enter(people.ana, '/ajuda')
    await main.getByRole('heading', { ...heading, name: 'Manual do BI Manager' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('VISOES salvas')
    const results = main.getByRole('region', { name: 'Resultados' })
    const found = results.getByRole('listitem').filter({ hasText: 'Entrar e abrir relatórios' })
    await found.getByRole('link', { name: 'Visões salvas', exact: true }).waitFor()
    expect(await found.first().locator('mark').count()).toBeGreaterThan(0)
    await settled(visitor, 'results of the manual')
    await found.getByRole('link', { name: 'Visões salvas', exact: true }).click()
    await main.getByRole('heading', { ...heading, name: 'Entrar e abrir relatórios' }).waitFor()
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#visões-salvas')

    // Its pictures are served, once they come into view.
    const picture = main.getByRole('img', { name: 'Visões salvas de um relatório' })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1440)

    // Paper has the text only.
    await page.emulateMedia({ media: 'print' })
    expect(await main.getByRole('heading', { name: 'Visões salvas' }).isVisible()).toBe(true)
    for (const role of ['searchbox', 'navigation'] as const)
      expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0)
    await visitor.close()
  },
)

test('the manual is for signed-in people, and an unknown page leads to its list', async () => {
  const visitor = await visit()
  const { page, main } = visitor
  await visitor.goto('/ajuda/usar')
  await page.waitForURL((url) => url.pathname === '/')
  await visitor.signIn(people.ana)
  await main.getByRole('heading', { ...heading, name: 'Entrar e abrir relatórios' }).waitFor()
  await visitor.goto('/ajuda/nada')
  await main.getByRole('heading', { name: 'O manual não tem esta página' }).waitFor()
  await main.getByRole('link', { name: 'Ver as páginas do manual' }).click()
  await main.getByRole('heading', { ...heading, name: 'Manual do BI Manager' }).waitFor()
  await visitor.close()
})
