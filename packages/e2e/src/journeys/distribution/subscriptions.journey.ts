import {
  grantsApi,
  menusApi,
  reportRegistrationsApi,
  subscriptionSettingsApi,
  subscriptionsApi,
  usersApi,
} from '@bi-manager/contract'
import { partsOf, readWorkbook } from '@bi-manager/reports/test/read-workbook'
import { readPdf } from '@bi-manager/server/test/clinical/pdf-text'
import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { expectNoSidewaysScroll, looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, press } from '../../pages/back-office.ts'
import { chooseAction } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { type Person, people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/*
 * Subscriptions: an ADMIN and a reader subscribe in the browser. A real mail server receives the
 * e-mails, which have the rows that each recipient sees on the screen.
 */

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
    const idUsuario = (await call(usersApi.list, { query: { busca: name } }))[0]?.idUsuario ?? 0
    const granted = await call(grantsApi.listOfUser, { params: { idUsuario } })
    if (granted.some((one) => one.idRelatorio === idRelatorio)) continue
    await call(grantsApi.create, { body: { idUsuario, idRelatorio } })
  }
  expect(await call(reportRegistrationsApi.get, { params: { id: idRelatorio } })).toMatchObject({
    papeisRls: ['Operadora'],
  })
})
afterAll(async () => {
  await demo?.stop()
  await smtp?.close()
})

const mailsTo = ({ email }: Person): Email[] =>
  smtp.received.filter(({ to }) => to?.some(({ address }) => address === email))

/** Returns the newest e-mail to a person once there are this many of a subject. */
const mailTo = async (person: Person, subject: string): Promise<Email> => {
  const found = () => mailsTo(person).filter((mail) => mail.subject === subject)
  await expect.poll(() => found().length, { timeout: 150_000, interval: 500 }).toBeGreaterThan(0)
  const mail = found().at(-1)
  if (!mail) throw new Error('unreachable')
  return mail
}

const attachmentOf = (mail: Email, mimeType: string): Uint8Array => {
  const part = mail.attachments.find((one) => one.mimeType === mimeType)
  if (!(part?.content instanceof ArrayBuffer)) throw new Error(`no ${mimeType} in ${mail.subject}`)
  return new Uint8Array(part.content)
}

const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

const cards = ['sinistralidade', 'custo', 'receita', 'custo_por_vida']

/** Returns the rows of the visuals as the person sees them on the screen, by name. */
const rowsOnScreen = async (person: Person): Promise<Record<string, string[][]>> => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(person, path)
  const frame = await waitForRendered(visitor.page)
  const data = await dataOf(frame)
  await visitor.close()
  return data
}

/** Returns the values of the cards as the person sees them on the screen, by name. */
const cardsOnScreen = async (person: Person): Promise<Record<string, string>> => {
  const data = await rowsOnScreen(person)
  return Object.fromEntries(cards.map((name) => [name, withoutSpaces(data[name]?.flat().at(0) ?? '')]))
}

/** The time in Brasília of the next full minute that leaves a few seconds. */
const nextMinute = (): string =>
  new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(
    Date.now() + 70_000,
  )

const openForm = async ({ page }: Visitor) => {
  await waitForRendered(page)
  await chooseAction(page, 'Assinar')
  const dialog = dialogOf(page, 'Receber por e-mail')
  await dialog.getByLabel('Assunto').waitFor()
  return dialog
}

test('an ADMIN allows attachments of reports with roles', async () => {
  const visitor = await visit({ portal: demo.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(people.admin, '/assinaturas/regras')
  await main.getByText('Permitir anexos de relatórios restritos').waitFor()
  await settled(visitor, 'the rules of subscriptions')
  await main.getByRole('switch', { name: /^Permitir anexos/ }).check({ force: true })
  await press(main, 'Gravar')
  await main.getByText('Regras gravadas!').waitFor()
  await settled(visitor, 'changed rules')
  await page.goto(`${demo.portal}/assinaturas`)
  await main.getByText(/Você ainda não assinou nenhum relatório/).waitFor()
  await settled(visitor, 'no subscriptions')
  await visitor.close()
})

test('two recipients of one subscription get their own rows, and one of them leaves', {
  timeout: 300_000,
}, async () => {
  const subject = 'Sinistralidade da semana'
  const visitor = await visit({ portal: demo.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(people.admin, path)
  const dialog = await openForm(visitor)
  await settled(visitor, 'the form of a subscription')
  await dialog.getByLabel('Assunto').fill(subject)
  await dialog.getByLabel('Frequência').selectOption('Todo dia')
  await dialog.getByLabel('Horário', { exact: true }).fill(nextMinute())
  await dialog.getByLabel('PDF anexado').check()
  await dialog.getByText('Pessoas e perfis').click()
  await choose(page, 'Pessoas', people.ana.name)
  await choose(page, 'Pessoas', people.helena.name)
  await settled(visitor, 'a subscription for other people')
  await press(dialog, 'Assinar')
  await dialog.getByText(/^Assinatura criada\. Próximo envio:/).waitFor()
  await settled(visitor, 'a new subscription')

  const screens = [await cardsOnScreen(people.ana), await cardsOnScreen(people.helena)]
  for (const shown of screens) expect(Object.values(shown)).not.toContain('')
  expect(screens[0]?.custo).not.toBe(screens[1]?.custo)
  for (const [index, person] of [people.ana, people.helena].entries()) {
    const mail = await mailTo(person, subject)
    expect(mail.text).toContain('Relatório: Sinistralidade')
    expect(mail.text).toContain('Marina Alves')
    const { pages } = await readPdf(attachmentOf(mail, 'application/pdf'))
    const text = withoutSpaces(pages.join(''))
    for (const [card, value] of Object.entries(screens[index] ?? {})) expect(text, card).toContain(value)
    expect(text).not.toContain(screens[1 - index]?.custo)
  }
  expect(mailsTo(people.admin).filter((mail) => mail.subject === subject)).toEqual([])

  // The link in the e-mail leads to the report, and asks a person who is not signed in to sign in.
  const ana = await visit({ portal: demo.portal, ...looks[1] })
  const mail = await mailTo(people.ana, subject)
  const exit = /https?:\/\/\S+\/cancelar-assinatura\?token=\S+/.exec(mail.text ?? '')?.[0] ?? ''
  await ana.page.goto(exit)
  await ana.main.getByRole('heading', { name: 'Cancelar assinatura' }).waitFor()
  expect(ana.page.url()).not.toContain('token')
  await settled(ana, 'the question before leaving')
  await press(ana.main, 'Deixar de receber')
  await ana.main.getByRole('heading', { name: 'Pronto: assinatura cancelada' }).waitFor()
  await settled(ana, 'after leaving')
  await ana.page.goto(exit)
  await ana.main.getByRole('heading', { name: 'Esta assinatura já foi cancelada' }).waitFor()
  await ana.enter(people.ana, '/assinaturas')
  await press(ana.main, `Voltar a receber: ${subject}`)
  await ana.main.getByRole('button', { name: `Deixar de receber: ${subject}` }).waitFor()
  await settled(ana, 'received subscriptions')
  await ana.close()

  // One click in the mail program.
  const headers = (await mailTo(people.helena, subject)).headers
  const oneClick = headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(1, -1) ?? ''
  const { status } = await fetch(oneClick, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(status).toBe(204)

  await visitor.goto('/assinaturas/todas')
  await main.getByText(subject).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'the subscriptions of all')
  await main.getByRole('link', { name: `Ver envios ${subject}` }).click()
  await main.getByText('2 enviados').filter({ visible: true }).first().waitFor()
  await main.getByText(people.helena.name).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'a subscription with its runs')
  await main
    .getByRole('button', { name: /^Ver destinatários/ })
    .first()
    .click()
  const mails = page.getByRole('dialog', { name: /^Envio de/ })
  await mails.getByText(people.ana.name).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'the recipients of a run')
  await visitor.close()
})

/** Returns the number of a text such as '84,3%'. */
const numberOf = (text: string): number =>
  Number(text.replace(/[^\d,-]/g, '').replace(',', '.')) / (text.includes('%') ? 100 : 1)

test('two recipients get a spreadsheet of the chosen visuals with their own rows', {
  timeout: 300_000,
}, async () => {
  const subject = 'Operadoras em planilha'
  const visitor = await visit({ portal: demo.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(people.admin, path)
  await waitForRendered(page)
  await page.getByRole('button', { name: 'Assinar', exact: true }).click()
  const dialog = dialogOf(page, 'Receber por e-mail')
  await press(dialog, 'Nova assinatura')
  await dialog.getByLabel('Assunto').fill(subject)
  await dialog.getByLabel('Frequência').selectOption('Todo dia')
  await dialog.getByLabel('Horário', { exact: true }).fill(nextMinute())
  await dialog.getByLabel('Planilha (XLSX)').check()
  const visuals = dialog.getByRole('group', { name: 'Visuais da planilha' })
  const boxes = visuals.getByRole('checkbox')
  expect(await boxes.count()).toBe(9)
  await settled(visitor, 'the visuals of a spreadsheet')
  // By the keyboard: all are ticked at first.
  await boxes.first().focus()
  for (const title of await visuals.locator('label').allTextContents()) {
    if (!['Custo assistencial', 'Sinistralidade por operadora'].includes(title))
      await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
  }
  expect(await visuals.getByRole('checkbox', { checked: true }).count()).toBe(2)
  await dialog.getByText('Pessoas e perfis').click()
  await choose(page, 'Pessoas', people.ana.name)
  await choose(page, 'Pessoas', people.helena.name)
  await settled(visitor, 'some visuals of a spreadsheet')
  await press(dialog, 'Assinar')
  await dialog.getByText(/^Assinatura criada\. Próximo envio:/).waitFor()
  await dialog.getByText(/Página “Visão geral”, 2 visuais · Planilha \(XLSX\)/).waitFor()
  await settled(visitor, 'a new subscription to a spreadsheet')

  const screens = [await rowsOnScreen(people.ana), await rowsOnScreen(people.helena)]
  expect(screens[0]?.por_operadora).not.toEqual(screens[1]?.por_operadora)
  for (const [index, person] of [people.ana, people.helena].entries()) {
    const mail = await mailTo(person, subject)
    expect(mail.text).toContain('Visuais: Custo assistencial, Sinistralidade por operadora')
    const bytes = attachmentOf(mail, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    const sheets = await readWorkbook(bytes)
    expect(Object.keys(sheets)).toEqual(['Sobre', 'Custo assistencial', 'Sinistralidade por operadora'])
    expect(Object.values(partsOf(bytes)).join('')).not.toMatch(/<f[ >]/)
    const rows = (sheets['Sinistralidade por operadora'] ?? []).slice(1)
    const shown = screens[index]?.por_operadora ?? []
    expect(rows.map(([name]) => name)).toEqual(shown.map(([name]) => name))
    for (const [line, [, value = '']] of shown.entries())
      expect(Number(rows[line]?.[1])).toBeCloseTo(numberOf(value), 2)
  }
  await visitor.goto('/assinaturas')
  await main.getByText(subject).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'subscriptions with a spreadsheet')
  await visitor.close()
})

test('a reader sends a picture of the page to herself, which is drawn in the e-mail', {
  timeout: 200_000,
}, async () => {
  const subject = 'Minha carteira'
  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  const { page } = visitor
  await visitor.enter(people.helena, path)
  const dialog = await openForm(visitor)
  await dialog.getByLabel('Assunto').fill(subject)
  await dialog.getByLabel('Imagem no e-mail').check()
  await settled(visitor, 'the form on a phone')
  await press(dialog, 'Assinar')
  await dialog.getByText(/^Assinatura criada/).waitFor()
  await press(dialog, `Enviar agora a mim: ${subject}`)
  await dialog.getByText('Enviado para o seu e-mail.').waitFor({ timeout: 120_000 })
  await settled(visitor, 'a test that was sent')
  const mail = await mailTo(people.helena, subject)
  const picture = attachmentOf(mail, 'image/png')
  const shown = mail.html?.replace(
    'cid:relatorio@bi-manager',
    `data:image/png;base64,${Buffer.from(picture).toString('base64')}`,
  )
  await page.goto('about:blank')
  await page.setContent(shown ?? '')
  const width = await page
    .locator('img[src^="data:image/png"]')
    .last()
    .evaluate((image: HTMLImageElement) => image.naturalWidth && image.getBoundingClientRect().width)
  expect(width).toBeGreaterThan(300)
  await expectNoSidewaysScroll(page)
  await visitor.close()
})

test('the link of an e-mail has no filters: the portal applies them after the sign-in, for recipients', {
  timeout: 240_000,
}, async () => {
  const subject = 'Só as mulheres'
  const { call } = await signedInClient(demo.portal, people.admin)
  const rules = { dominios: [], anexosRestritos: false, anexoMb: 10 }
  await call(subscriptionSettingsApi.update, { body: rules })
  const [ana] = await call(usersApi.list, { query: { busca: people.ana.name } })
  const { idRelatorio } = reportsOf((await call(menusApi.list)) ?? []).find(
    ({ name }) => name === 'Sinistralidade',
  ) ?? { idRelatorio: 0 }
  const { idAssinatura } = await call(subscriptionsApi.create, {
    params: { id: idRelatorio },
    body: {
      assunto: subject,
      formato: 'PDF',
      entrega: 'LINK',
      frequencia: 'DIARIA',
      horario: nextMinute(),
      pagina: 'composicao',
      tituloPagina: 'composicao',
      filtros: { sexo: 'feminino' },
      idPessoas: [ana?.idUsuario ?? 0],
    },
  })
  const mail = await mailTo(people.ana, subject)
  expect(`${mail.text}${mail.html}`).not.toMatch(/feminino|Sexo/i)
  const link = /https?:\/\/\S+\/relatorio-embed\/\S+/.exec(mail.text ?? '')?.[0] ?? ''
  expect(new URL(link).search).toBe(`?relatorio=${idRelatorio}&pagina=composicao&assinatura=${idAssinatura}`)

  const paramsOf = ({ page }: Visitor) => Object.fromEntries(new URL(page.url()).searchParams)
  const relatorio = String(idRelatorio)
  const reader = await visit({ portal: demo.portal, ...looks[0] })
  await reader.page.goto(link)
  await reader.signIn(people.ana)
  await waitForRendered(reader.page)
  await expect.poll(() => paramsOf(reader)).toEqual({ relatorio, pagina: 'composicao', sexo: 'feminino' })
  await settled(reader, 'a report with the filters of a subscription')
  const filtered = await dataOf(await waitForRendered(reader.page))
  await reader.goto(`${path}?relatorio=${idRelatorio}&pagina=composicao&sexo=feminino`)
  await expect.poll(async () => dataOf(await waitForRendered(reader.page))).toEqual(filtered)
  await reader.close()

  // Helena may see the report, but the subscription is not sent to her.
  const other = await visit({ portal: demo.portal, ...looks[1] })
  other.expectComplaint(/404.*escolha/)
  await other.enter(people.helena, new URL(link).pathname + new URL(link).search)
  await other.main.getByText(/^Os filtros da assinatura não foram aplicados/).waitFor()
  await expect.poll(() => paramsOf(other)).toEqual({ relatorio, pagina: 'composicao' })
  await settled(other, 'a forwarded link')
  await other.close()
})
