import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { expectNoSidewaysScroll, looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { chooseAction } from '../../pages/viewer.ts'
import { type Demo, startFresh } from '../../services/demo.ts'

/*
 * Alerts: a person makes one in the browser, the data of its report are replaced, and bell and a
 * real mail server get one notification.
 */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

const csv = (rows: number) =>
  Buffer.from(
    ['Unidade;Valor pago', ...Array.from({ length: rows }, (_, n) => `Centro ${n % 3};R$ ${n},50`)].join(
      '\n',
    ),
  )

let smtp: Awaited<ReturnType<typeof startSmtp>>
let demo: Demo
beforeAll(async () => {
  smtp = await startSmtp()
  demo = await startFresh({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'portal@demo.local',
  })
}, 120_000)
afterAll(async () => {
  await demo?.stop()
  await smtp?.close()
})

const upload = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, /^Escolher (outros? )?arquivos?$/)
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}

/** The time in Brasília of a full minute that leaves the time to replace the data before it. */
const soon = (): string =>
  new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(
    Date.now() + 130_000,
  )

const openForm = async ({ page }: Visitor) => {
  await waitForRendered(page)
  await chooseAction(page, 'Criar alerta')
  const dialog = dialogOf(page, 'Alertas')
  return dialog
}

test('a value crosses its limit after the data are replaced: bell and e-mail tell of it once', {
  timeout: 400_000,
}, async () => {
  const name = 'Linhas demais'
  const visitor = await visit({ portal: demo.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(admin, '/publicar')
  await upload(page, 'Custos.csv', csv(40))
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await press(main, 'Publicar')
  await main.getByText('Relatório publicado!').waitFor()
  await visitor.goto('/publicados')
  await main.getByRole('link', { name: 'Custos' }).click()
  await main.getByText('Colunas: Unidade, Valor pago.').waitFor()
  const { pathname } = new URL(page.url())
  const address = (await page.getByRole('link', { name: 'Abrir relatório' }).getAttribute('href')) ?? ''

  await visitor.goto(address)
  const dialog = await openForm(visitor)
  const visual = dialog.getByLabel('Visual')
  await visual.waitFor()
  await settled(visitor, 'the form of an alert')
  await visual.selectOption({ label: 'Linhas' })
  await dialog.getByText(/^Agora: 40$/).waitFor()
  await dialog.getByLabel('Limite').fill('mil')
  await press(dialog, 'Criar alerta')
  await dialog.getByText('Informe um número.', { exact: true }).waitFor()
  await settled(visitor, 'an alert without a number')
  await dialog.getByLabel('Limite').fill('1.000')
  await dialog.getByLabel('Frequência').selectOption('Todo dia')
  await dialog.getByLabel('Horário', { exact: true }).fill(soon())
  await dialog.getByLabel('Nome do alerta').fill(name)
  await press(dialog, 'Criar alerta')
  await dialog.getByText(/^Alerta criado\. Você será avisado/).waitFor()
  await settled(visitor, 'a new alert')
  await page.keyboard.press('Escape')

  await visitor.goto(pathname)
  await upload(page, 'abril.csv', csv(1_250))
  await press(main, 'Substituir por 1.250 linhas')
  await main.getByText('Dados substituídos (1.250 linhas)').waitFor()

  const mails = () => smtp.received.filter(({ subject }) => subject === `Alerta: ${name}`)
  await expect.poll(() => mails().length, { timeout: 240_000, interval: 500 }).toBe(1)
  const [mail] = mails()
  expect(mail?.to?.[0]?.address).toBe(admin.email)
  for (const said of ['Valor: 1.250', 'Valor anterior: 40', 'Condição: acima de 1.000'])
    expect(mail?.text).toContain(said)

  await visitor.goto('/notificacoes')
  await main.getByText(`Alerta: ${name}`).first().waitFor()
  await settled(visitor, 'the notification of an alert')
  await main
    .getByRole('link', { name: new RegExp(`Alerta: ${name}`) })
    .first()
    .click()
  await waitForRendered(page)

  await visitor.goto('/alertas')
  await main.getByText('Atingido', { exact: true }).waitFor()
  await settled(visitor, 'the own alerts')
  await main.getByRole('button', { name: `Ações do alerta ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Ver avaliações' }).click()
  await main.getByText('Atingiu a condição').filter({ visible: true }).first().waitFor()
  await main.getByText('E-mail enviado').filter({ visible: true }).first().waitFor()
  await settled(visitor, 'an alert with its evaluations')
  await visitor.goto('/alertas/todos')
  await main.getByText(name).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'the alerts of all')
  await visitor.close()

  // The e-mail fits a phone.
  const phone = await visit({ portal: demo.portal, ...looks[1] })
  await phone.page.setContent(mail?.html ?? '')
  await expectNoSidewaysScroll(phone.page)
  await phone.enter(admin, '/alertas')
  await phone.main.getByText(name).waitFor()
  await settled(phone, 'the own alerts on a phone')
  await phone.main.getByRole('button', { name: `Ações do alerta ${name}` }).click()
  await phone.page.getByRole('menuitem', { name: 'Editar' }).click()
  const edit = dialogOf(phone.page, 'Editar alerta')
  await edit.getByText(/^Agora: 1\.250$/).waitFor()
  await settled(phone, 'the form of an alert on a phone')
  await edit.getByLabel('Condição').selectOption('Variar')
  await edit.getByLabel('Ao menos').fill('10')
  await edit.getByLabel('Medida').selectOption('Em porcentagem')
  await press(edit, 'Salvar')
  await phone.main.getByText(/variação de 10% ou mais/).waitFor()
  await phone.main.getByRole('button', { name: `Ações do alerta ${name}` }).click()
  await phone.page.getByRole('menuitem', { name: 'Pausar' }).click()
  await phone.main.getByText('Pausado', { exact: true }).waitFor()
  await settled(phone, 'a paused alert on a phone')
  await phone.close()
})
