import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNoSidewaysScroll, looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { awaitMail } from '../../people/outbox.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* An ADMIN gives the portal the name, the logo and the colour of a company. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }

let demo: Demo
beforeAll(async () => {
  demo = await startPortal({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
})
afterAll(() => demo.stop())

/** A PNG of 900 × 300 pixels. */
const drawnLogo = async (page: Page): Promise<Buffer> => {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 300 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('There is no canvas.')
    context.fillStyle = '#7a1f5c'
    context.font = 'bold 170px sans-serif'
    context.fillText('Horizonte', 20, 205, 860)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

describe('the appearance', () => {
  test('the appearance is chosen with a preview, and shown on shell, sign-in page and e-mail', async () => {
    const visitor = await visit({ portal: demo.portal })
    const { page, main } = visitor
    const brandColor = () =>
      page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--mantine-primary-color-8').trim(),
      )
    await visitor.enter(admin, '/aparencia')
    await main.getByLabel('Nome da empresa').fill('Rede Horizonte')
    const color = main.getByRole('textbox', { name: 'Cor', exact: true })
    await color.fill('#ffcc00')
    await main.getByText(/contraste de 1,5:1; o mínimo é 4,5:1/).waitFor()
    await settled(visitor, 'a refused colour')
    await main.getByRole('button', { name: /^Usar #/ }).click()
    expect(await color.inputValue()).toMatch(/^#[0-9a-f]{6}$/)
    await color.fill('#7a1f5c')
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: await drawnLogo(page) }
    await page.locator('input[type=file]').setInputFiles(file)
    await main.getByRole('img', { name: 'Logo escolhido' }).waitFor()
    await settled(visitor, 'the preview')
    await press(page, 'Gravar')
    await main.getByText('Aparência gravada!').waitFor()
    await main.getByRole('button', { name: 'Recarregar esta página' }).click()

    const banner = page.getByRole('banner')
    await banner.getByText('Rede Horizonte').waitFor()
    expect(await page.title()).toBe('Aparência · Rede Horizonte')
    await expect.poll(brandColor).toBe('#7a1f5c')
    // Drawn again by the server, in its own proportions.
    const mark = banner.locator('img').first()
    expect(await mark.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([
      480, 160,
    ])
    await settled(visitor, 'the saved appearance')

    await page.request.post(`${demo.portal}/api/sistema/teste-email`, {
      headers: {
        authorization: `Bearer ${await page.evaluate(
          () => JSON.parse(localStorage.getItem('bi-manager.sessao') ?? '{}').access_token,
        )}`,
      },
    })
    const mail = await awaitMail(demo.dataDir, admin.email)
    expect(mail.html).toContain('Rede Horizonte</td>')
    expect(mail.html).toContain('src="cid:logo@bi-manager"')
    expect(mail.attachments.map(({ contentId, mimeType }) => [contentId, mimeType])).toEqual([
      ['<logo@bi-manager>', 'image/png'],
    ])

    await visitor.forgetSession()
    await visitor.goto('/')
    await page.getByRole('heading', { name: 'Rede Horizonte' }).waitFor()
    await expect.poll(brandColor).toBe('#7a1f5c')
    await settled(visitor, 'the sign-in page of the company')
    await visitor.close()
  })

  test('the appearance is part of the page that the server sends, so that nothing flashes', async () => {
    const html = await (await fetch(demo.portal)).text()
    expect(html).toMatch(/<html data-nome="Rede Horizonte" data-logo="\/api\/portal\/logo\/[0-9a-f]{16}" /)
    expect(html.indexOf('--mantine-color-brand-8:#7a1f5c')).toBeLessThan(html.indexOf('<body'))
    expect(html).toContain('<title>Rede Horizonte</title>')
  })

  test('the appearance shows a name of 40 characters in full on a phone', async () => {
    const visitor = await visit({ portal: demo.portal, ...looks[1] })
    const { page } = visitor
    await visitor.enter(admin, '/aparencia')
    const name = 'Operadora Beneficente do Planalto Centro'
    await visitor.main.getByLabel('Nome da empresa').fill(name)
    await press(page, 'Gravar')
    await visitor.main.getByText('Aparência gravada!').waitFor()
    await page.reload()
    const shown = page.getByRole('banner').getByText(name)
    await shown.waitFor()
    const isWhole = (element: Element) => {
      const bar = element.closest('header')?.getBoundingClientRect()
      const own = element.getBoundingClientRect()
      const isInBar = !!bar && own.top >= bar.top && own.bottom <= bar.bottom
      return isInBar && element.scrollWidth <= element.clientWidth + 1
    }
    expect(await shown.evaluate(isWhole)).toBe(true)
    await expectNoSidewaysScroll(page)
    await settled(visitor, 'a long name on a phone')
    await visitor.close()
  })
})
