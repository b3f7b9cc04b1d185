import { commentsApi } from '@bi-manager/contract'
import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { expectReadable, looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/*
 * Comments on a report that an ADMIN and Ana see, and Helena does not. A real mail server receives
 * the e-mail.
 */

let smtp: Awaited<ReturnType<typeof startSmtp>>
let demo: Demo
let report: ReturnType<typeof reportsOf>[number]
beforeAll(async () => {
  smtp = await startSmtp()
  demo = await startDemo({ SMTP_URL: smtp.url, MAIL_FROM: 'portal@demo.local' }, inject('demoData'))
  const { menu } = await signedInClient(demo.portal, people.ana)
  const [shared] = reportsOf(await menu())
  if (!shared) throw new Error('Ana sees no report')
  report = shared
})
afterAll(async () => {
  await demo?.stop()
  await smtp?.close()
})

const commentsButton = (page: Page) => page.getByRole('button', { name: /^Comentários/ })
/** On a phone, the panel is a dialog. */
const panelOf = (page: Page) =>
  page
    .getByRole('complementary', { name: 'Comentários' })
    .or(page.getByRole('dialog', { name: 'Comentários' }))
const paramsOf = (page: Page) => new URL(page.url()).searchParams

test('a comment reaches the mentioned person, who sees the report as it was, and nobody else', {
  timeout: 240_000,
}, async () => {
  const marina = await visit({ portal: demo.portal })
  await marina.enter(people.admin, `${report.path}?sexo=feminino`)
  const frame = await waitForRendered(marina.page)
  await frame.getByRole('tab').nth(1).click()
  await expect.poll(() => paramsOf(marina.page).get('pagina')).not.toBeNull()
  const pagina = paramsOf(marina.page).get('pagina')

  await commentsButton(marina.page).click()
  const written = panelOf(marina.page)
  await written.getByText('Nenhuma conversa aberta nesta página do relatório.').waitFor()
  await settled(marina, 'no comments')
  const field = written.getByLabel('Novo comentário')
  await field.pressSequentially('O custo subiu aqui, @ana')
  await written.getByRole('option', { name: people.ana.name }).waitFor()
  await field.press('Enter')
  expect(await field.inputValue()).toBe(`O custo subiu aqui, @${people.ana.name} `)
  await press(written, 'Comentar')
  await written.getByRole('article').getByText(`@${people.ana.name}`).waitFor()
  await marina.page.getByRole('button', { name: 'Comentários, 1 conversa aberta' }).waitFor()
  await settled(marina, 'comments')

  const mailsToAna = () => smtp.received.filter(({ to }) => to?.[0]?.address === people.ana.email)
  await expect.poll(() => mailsToAna().length, { timeout: 20_000 }).toBe(1)
  const [mail] = mailsToAna()
  expect(mail?.subject).toBe('Você foi mencionado em um comentário no BI Manager')
  expect(mail?.text).not.toContain('O custo subiu')
  const link = /https?:\/\/\S+\/comentario\/\d+/.exec(mail?.text ?? '')?.[0] ?? ''
  const { pathname } = new URL(link)

  const ana = await visit({ portal: demo.portal })
  await ana.enter(people.ana, '/saidibi')
  await press(ana.page, 'Notificações, 1 não lida')
  await ana.page.getByRole('link', { name: `${people.admin.name} mencionou você em um comentário` }).click()
  await waitForRendered(ana.page)
  const read = panelOf(ana.page)
  await read.getByRole('article').getByText('O custo subiu aqui,').waitFor()
  expect(paramsOf(ana.page).get('pagina')).toBe(pagina)
  expect(paramsOf(ana.page).get('sexo')).toBeNull()
  await settled(ana, 'thread of a link')
  await press(read, 'Ver como estava')
  await ana.page.getByText(`O relatório está como no comentário de ${people.admin.name}.`).waitFor()
  await expect.poll(() => paramsOf(ana.page).get('sexo')).toBe('feminino')
  await ana.page.getByRole('button', { name: /^Filtrar Relatórios.*1 filtro ativo$/ }).waitFor()

  await press(read, 'Responder')
  await read.getByLabel('Sua resposta').fill('Vi, obrigada.')
  await press(read, 'Responder')
  await read.getByRole('list', { name: 'Respostas' }).getByText('Vi, obrigada.').waitFor()
  // The panel of the writer is open and reads again.
  await press(written, '1 resposta')
  await written.getByText('Vi, obrigada.').waitFor()
  await press(written, 'Resolver')
  await written.getByText('Nenhuma conversa aberta nesta página do relatório.').waitFor()
  await read.getByText(`Resolvido por ${people.admin.name}`).waitFor()
  await marina.close()

  // The e-mail leads to the same thread.
  await ana.goto(pathname)
  await waitForRendered(ana.page)
  await panelOf(ana.page).getByText('Vi, obrigada.').waitFor()
  await press(panelOf(ana.page), 'Fechar comentários')
  await expect.poll(() => paramsOf(ana.page).get('conversa')).toBeNull()
  await ana.close()

  const helena = await signedInClient(demo.portal, people.helena)
  const params = { id: report.idRelatorio, idComentario: Number(pathname.split('/').at(-1)) }
  const calls = [
    () => helena.call(commentsApi.list, { params, query: {} }),
    () => helena.call(commentsApi.thread, { params }),
    () => helena.call(commentsApi.state, { params }),
    () => helena.call(commentsApi.people, { params, query: {} }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 403 })
  await expect(helena.call(commentsApi.place, { params: { id: params.idComentario } })).rejects.toMatchObject(
    { status: 404 },
  )
  const outsider = await visit({ portal: demo.portal })
  outsider.expectComplaint(/404/)
  await outsider.enter(people.helena, pathname)
  await outsider.page.getByRole('heading', { name: 'Este comentário não está disponível' }).waitFor()
  await settled(outsider, 'a comment out of reach')
  await outsider.close()
})

test('on the phone the icons fit on one line, and the comments cover the report', {
  timeout: 120_000,
}, async () => {
  const ana = await visit({ portal: demo.portal, ...looks[1] })
  const { page } = ana
  await ana.enter(people.ana, report.path)
  await waitForRendered(page)
  const toolbar = page.getByRole('toolbar', { name: 'Ações do relatório' })
  await commentsButton(page).waitFor()
  const tops = await toolbar
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().top)))
  expect(tops).toHaveLength(4)
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2)
  await commentsButton(page).tap()
  const panel = panelOf(page)
  await panel.getByLabel('Novo comentário').fill('Do celular')
  await press(panel, 'Fechar comentários')
  await commentsButton(page).tap()
  expect(await panel.getByLabel('Novo comentário').inputValue()).toBe('Do celular')
  await press(panel, 'Comentar')
  await panel.getByRole('article').getByText('Do celular').waitFor()
  await expectReadable(page, 'comments on the phone')
  expect((await panel.boundingBox())?.width).toBe(390)
  await press(panel, 'Ver como estava')
  await panel.waitFor({ state: 'hidden' })
  await page.getByText(`O relatório está como no comentário de ${people.ana.name}.`).waitFor()
  await ana.close()
})
