import { announcementsApi, profilesApi } from '@bi-manager/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { type Person, people } from '../../people/people.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* Announcements: an ADMIN writes, a reader dismisses, and anybody sees maintenance at the sign-in. */

const admin: Person = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }

let demo: Demo
beforeAll(async () => {
  demo = await startPortal({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
})
afterAll(() => demo.stop())

test('an ADMIN writes a banner, a reader dismisses it, and the count of readers rises', async () => {
  const { portal } = demo
  const reader = await createPerson(portal, 'Ana Souza', 'ana@empresa.exemplo', undefined, admin)
  const reading = await visit({ portal, ...looks[1] })
  await reading.enter(reader, '/saidibi')
  await reading.main.getByRole('heading', { level: 1 }).waitFor()

  const writing = await visit({ portal, ...looks[0] })
  const { page, main } = writing
  await writing.enter(admin, '/avisos')
  await main.getByText(/^Nenhum aviso escrito ainda/).waitFor()
  await settled(writing, 'no announcements')
  await main.getByRole('link', { name: 'Escrever aviso' }).first().click()
  await page.getByLabel('Título', { exact: true }).fill('Novo relatório de custos')
  const text = page.getByLabel('Texto', { exact: true })
  await text.fill('Já está no menu. Veja [como usar](http://exemplo.com.br).')
  await page.getByLabel('Público', { exact: true }).selectOption('Usuários')
  writing.expectComplaint(/422/)
  await press(page, 'Gravar')
  await main.getByText('Use só links que começam com https://, sem usuário, senha nem parênteses.').waitFor()
  await settled(writing, 'a refused link')
  await text.fill('<b>Já</b> está no menu. Veja ')
  await press(page, 'Link')
  await page.keyboard.type('como usar')
  await text.fill((await text.inputValue()).replace('https://', 'https://exemplo.com.br'))
  const preview = page.getByRole('region', { name: 'Prévia' })
  const link = preview.getByRole('link', { name: 'como usar' })
  expect(await link.getAttribute('href')).toBe('https://exemplo.com.br')
  await settled(writing, 'an announcement with its preview')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Aviso publicado!'), 'Fechar')
  await main.getByText('0 de 1 (0%)').filter({ visible: true }).first().waitFor()
  await settled(writing, 'the list of announcements')

  // The open window of the reader shows it without a reload, and not as HTML.
  const banners = reading.page.getByRole('region', { name: 'Avisos' })
  await banners.getByText('<b>Já</b> está no menu.').waitFor()
  await settled(reading, 'a banner')
  await press(banners, 'Dispensar o aviso: Novo relatório de custos')
  await banners.waitFor({ state: 'hidden' })
  await reading.page.reload()
  await reading.main.getByRole('heading', { level: 1 }).waitFor()
  await reading.page.getByRole('button', { name: /^Notificações/ }).waitFor()
  expect(await banners.count()).toBe(0)

  await page.reload()
  await main.getByText('1 de 1 (100%)').filter({ visible: true }).first().waitFor()
  await reading.close()
  await writing.close()
})

test('a notification of the bell leads to the announcement, which then counts as read', async () => {
  const { portal } = demo
  const reader = await createPerson(portal, 'Rui Prado', 'rui@empresa.exemplo', undefined, admin)
  const { call } = await signedInClient(portal, admin)
  const { idAviso } = await call(announcementsApi.create, {
    body: {
      titulo: 'Férias coletivas',
      texto: 'O suporte volta em **4/1**.',
      publico: 'USUARIOS',
      forma: 'SINO',
      inicio: new Date(Date.now() - 60_000).toISOString(),
      manutencao: false,
      fim: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  const visitor = await visit({ portal, ...looks[1] })
  const { page, main } = visitor
  await visitor.enter(reader, '/saidibi')
  await page.getByRole('button', { name: /^Notificações, \d/ }).click()
  await page.getByRole('link', { name: /Férias coletivas/ }).click()
  await main.getByRole('heading', { name: 'Férias coletivas' }).waitFor()
  await main.getByText('4/1').waitFor()
  await settled(visitor, 'an announcement in full')
  const lidos = async () => (await call(announcementsApi.get, { params: { id: idAviso } })).lidos
  await expect.poll(lidos).toBe(1)
  visitor.expectComplaint(/404/)
  await visitor.goto('/aviso/999999')
  await main.getByText('Este aviso não está mais no ar').waitFor()
  await settled(visitor, 'an announcement that has ended')
  await visitor.close()
})

test('a report fills what a banner for a profile leaves of the page', async () => {
  // The shared demo has reports; only the members of the profile see the banner.
  const portal = inject('portal')
  const reader = await createPerson(portal, 'Bia Torres', 'bia.torres@demo.local')
  const { call, menu } = await signedInClient(portal, people.admin)
  const [report] = reportsOf(await menu())
  if (!report) throw new Error('The demo has no report.')
  const { idPerfil } = await call(profilesApi.create, { body: { nomePerfil: 'Leitores de avisos' } })
  const params = { id: idPerfil }
  await call(profilesApi.replaceReports, { params, body: { idRelatorios: [report.idRelatorio] } })
  await call(profilesApi.changeMembers, { params, body: { adicionar: [reader.idUsuario] } })
  const { idAviso } = await call(announcementsApi.create, {
    body: {
      titulo: 'Para leitores',
      texto: 'Os dados de março chegaram.',
      publico: 'PERFIS',
      forma: 'FAIXA',
      idPerfis: [idPerfil],
      manutencao: false,
      inicio: new Date(Date.now() - 60_000).toISOString(),
      fim: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  for (const look of looks) {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.enter(reader, report.path)
    await page.getByRole('region', { name: 'Avisos' }).getByText('Para leitores').waitFor()
    await waitForRendered(page)
    const overflow = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await settled(visitor, 'a banner above a report')
    await visitor.close()
  }
  await call(announcementsApi.remove, { params: { id: idAviso } })
  await call(profilesApi.remove, { params })
  await reader.remove()
})

test('maintenance is shown on the sign-in page, which does not move, and first of the banners', async () => {
  const { portal } = demo
  const { call } = await signedInClient(portal, admin)
  const period = {
    inicio: new Date(Date.now() - 60_000).toISOString(),
    fim: new Date(Date.now() + 86_400_000).toISOString(),
  }
  const common = { ...period, publico: 'TODOS', forma: 'FAIXA' } as const
  const texto = 'No **sábado**, das 22h às 23h, o portal fica fora do ar para a troca do servidor.'
  const long = `${texto}\n\n`.repeat(8)
  await call(announcementsApi.create, {
    body: { ...common, titulo: 'Parada', texto: long, manutencao: true },
  })
  for (const titulo of ['Primeiro', 'Segundo'])
    await call(announcementsApi.create, {
      body: { ...common, titulo, texto: `${texto} `.repeat(9), manutencao: false },
    })

  for (const look of looks) {
    const visitor = await visit({ portal, ...look })
    const { page } = visitor
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/portal', async (route) => {
      await held
      await route.continue()
    })
    await visitor.goto('/')
    const field = page.getByLabel('Usuário', { exact: true })
    const before = await field.boundingBox()
    release()
    const notice = page.getByRole('region', { name: 'Avisos' })
    await notice.getByText('Parada').waitFor()
    const covers = await notice.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      const form = document.querySelector('form')?.getBoundingClientRect()
      return !form || (top < form.bottom && bottom > form.top)
    })
    expect(covers).toBe(false)
    expect(await field.boundingBox()).toEqual(before)
    expect(await page.getByText('Primeiro').count()).toBe(0)
    await settled(visitor, 'maintenance on the sign-in page')
    await visitor.signIn(admin)
    const banners = page.getByRole('main').getByRole('region', { name: 'Avisos' })
    await banners.getByText('Parada').waitFor()
    expect(await banners.getByRole('button', { name: /^Dispensar/ }).count()).toBe(2)
    await press(banners, 'Mostrar mais um aviso')
    await banners.getByText('Primeiro').waitFor()
    await settled(visitor, 'three banners')
    await visitor.close()
  }
})
