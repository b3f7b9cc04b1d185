import { auditApi, grantsApi, usersApi } from '@bi-manager/contract'
import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import type { Page } from 'playwright-core'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { type Person, people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/*
 * Guests: an ADMIN switches them on and invites one in the browser. A real mail server receives both
 * e-mails. The guest sees the rows of the identity that the ADMIN chose, until all are revoked.
 */

const guest = 'auditora@externo.com.br'

let smtp: Awaited<ReturnType<typeof startSmtp>>
let demo: Demo
let path: string
beforeAll(async () => {
  smtp = await startSmtp()
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'portal@demo.local' }
  demo = await startDemo(mail, inject('demoData'))
  const { call, menu } = await signedInClient(demo.portal, people.admin)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
  if (!report) throw new Error('the demo has no report Sinistralidade')
  path = report.path
  const { idRelatorio } = report
  for (const { name } of [people.ana, people.helena]) {
    const [person] = await call(usersApi.list, { query: { busca: name } })
    await call(grantsApi.create, { body: { idUsuario: person?.idUsuario ?? 0, idRelatorio } })
  }
})
afterAll(async () => {
  await demo?.stop()
  await smtp?.close()
})

/** Returns the address in the nth (from 1) e-mail to the guest. */
const linkInMail = async (place: number): Promise<string> => {
  const mails = (): Email[] => smtp.received.filter(({ to }) => to?.some(({ address }) => address === guest))
  await expect.poll(() => mails().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(place)
  return /https?:\/\/\S+\/visita\S*/.exec(mails()[place - 1]?.text ?? '')?.[0] ?? ''
}

const drawnForGuest = async (page: Page) => {
  await page.locator('[data-guest="renderizado"]').waitFor({ timeout: 60_000 })
  const frame = page.frames().find((one) => one.url().includes('/reportEmbed'))
  if (!frame) throw new Error('the guest’s report has no frame')
  return dataOf(frame)
}

const shownTo = async (person: Person) => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(person, path)
  const data = await dataOf(await waitForRendered(visitor.page))
  await visitor.close()
  return data
}

const inTenDays = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo' }).format(
  Date.now() + 10 * 86_400_000,
)

test('a guest sees one report with the identity that an ADMIN chose, until all guests are revoked', {
  timeout: 300_000,
}, async () => {
  const admin = await visit({ portal: demo.portal, ...looks[0] })
  const { page, main } = admin
  await admin.enter(people.admin, '/convidados')
  await main.getByText(/^Nenhum convidado ainda/).waitFor()
  await settled(admin, 'no guests, which are off')
  await main.getByRole('switch', { name: /^Links de convidado/ }).check({ force: true })
  await main.getByLabel('Prazo máximo, em dias').waitFor()
  await settled(admin, 'the rules of guests')
  await press(main, 'Gravar')
  await main.getByText('Regras gravadas!').waitFor()

  await main.getByRole('link', { name: 'Convidar' }).first().click()
  await page.getByLabel('E-mail do convidado').fill(guest)
  await choose(page, 'Relatório', 'Sinistralidade')
  await page.getByLabel('Último dia').fill(inTenDays)
  await page.getByLabel('Motivo').fill('Auditoria anual')
  admin.expectComplaint(/422/)
  await press(page, 'Gravar')
  await main.getByText(/^O relatório restringe as linhas por pessoa/).waitFor()
  await settled(admin, 'an invitation without the identity')
  // Helena's identity, whose rows are those of one operadora.
  await page.getByLabel('Usuário enviado').fill(people.helena.email)
  await page.getByLabel('Identidade de segurança').fill('CNU')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Convite enviado!'), 'Fechar')
  await main.getByText(guest).filter({ visible: true }).first().waitFor()
  await settled(admin, 'the list of guests')

  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  await visitor.page.goto(await linkInMail(1))
  await visitor.main.getByRole('heading', { name: 'Ver o relatório' }).waitFor()
  await settled(visitor, 'the page of an invitation')
  await press(visitor.main, 'Enviar o link ao meu e-mail')
  await visitor.main.getByRole('heading', { name: 'Confira seu e-mail' }).waitFor()
  await settled(visitor, 'after a link was asked for')

  const link = await linkInMail(2)
  // A program that reads e-mails opens the address before the person does.
  expect((await fetch(link)).status).toBe(200)
  await visitor.page.goto(link)
  await visitor.main.getByRole('heading', { name: 'Abrir o relatório' }).waitFor()
  expect(visitor.page.url()).not.toContain('token')
  await settled(visitor, 'the page of a link')
  await press(visitor.main, 'Abrir o relatório')
  const seen = await drawnForGuest(visitor.page)
  await visitor.page.getByRole('heading', { name: 'Sinistralidade' }).waitFor()
  expect(seen).toEqual(await shownTo(people.helena))
  expect(seen.custo).not.toEqual((await shownTo(people.ana)).custo)
  await settled(visitor, 'the report of a guest')
  // Nothing else of the portal is reached with what the guest's browser has.
  const statuses = await visitor.page.evaluate(async () => {
    const headers = { authorization: `Bearer ${sessionStorage.getItem('bi-manager.visita')}` }
    const urls = [
      '/api/visita',
      '/api/usuarios/menus',
      '/api/usuarios/menus/busca?busca=a',
      '/api/convidados',
    ]
    return Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status))
  })
  expect(statuses).toEqual([200, 401, 401, 401])
  visitor.expectComplaint(/401/)
  await visitor.page.reload()
  await drawnForGuest(visitor.page)

  const other = await visit({ portal: demo.portal, ...looks[0] })
  await other.page.goto(link)
  other.expectComplaint(/400/)
  await press(other.main, 'Abrir o relatório')
  await other.main.getByRole('heading', { name: 'Este link não vale mais' }).waitFor()
  await other.main.getByRole('link', { name: 'Pedir outro link' }).waitFor()
  await settled(other, 'a used link')
  await other.close()

  await page.reload()
  await main.getByText('em visita agora').filter({ visible: true }).first().waitFor()
  await press(main, 'Revogar todos')
  const question = dialogOf(page, 'Revogar todos os convidados?')
  await question.getByText(/^As visitas abertas terminam na hora/).waitFor()
  await settled(admin, 'the question before all guests are revoked')
  await press(question, 'Sim, revogar todos')
  await main.getByText('Revogado').filter({ visible: true }).first().waitFor()
  await visitor.main.getByRole('heading', { name: 'A visita terminou' }).waitFor({ timeout: 60_000 })
  expect(visitor.page.frames().some((frame) => frame.url().includes('/reportEmbed'))).toBe(false)
  await settled(visitor, 'a visit that has ended')

  const { call } = await signedInClient(demo.portal, people.admin)
  const lines = await call(auditApi.list, { query: { objeto: 'convidado', pagina: 1, tamanho: 100 } })
  expect([...new Set(lines.map(({ acao }) => acao))].sort()).toEqual([
    'guest.created',
    'guest.embed-issued',
    'guest.link-asked',
    'guest.visit-opened',
  ])
  const all = await call(auditApi.list, { query: { acao: 'guest.all-revoked', pagina: 1 } })
  expect(all).toHaveLength(1)
  await visitor.close()
  await admin.close()
})
