import { guestsApi } from '@bi-manager/contract'
import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import type { Browser } from 'playwright-core'
import { openBrowserProfile, type Visitor } from '../browser/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'
import { startDemo } from '../services/demo.ts'

const guest = 'auditora@externo.com.br'
const dayMs = 86_400_000
const dayIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

/** Takes the pictures of guests: the administrators' list, and what a guest sees. */
export const shootGuests = async (browser: Browser, folder: string): Promise<void> => {
  // Without a mail server, the list says that nothing is sent.
  const smtp = await startSmtp()
  const demo = await startDemo({ SMTP_URL: smtp.url, MAIL_FROM: 'portal@demo.local' })
  /** Returns the address in the nth (from 1) e-mail to the guest. */
  const linkInMail = async (place: number): Promise<string> => {
    for (let waited = 0; waited < 20_000; waited += 200) {
      const mails = smtp.received.filter(({ to }) => to?.some(({ address }) => address === guest))
      const link = /https?:\/\/\S+\/visita\S*/.exec(mails[place - 1]?.text ?? '')?.[0]
      if (link) return link
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`no e-mail ${place} to ${guest}`)
  }
  try {
    await takePictures(browser, { portal: demo.portal, linkInMail, folder })
  } finally {
    await demo.stop()
    await smtp.close()
  }
}

interface Place {
  portal: string
  linkInMail: (place: number) => Promise<string>
  folder: string
}

const takePictures = async (browser: Browser, { portal, linkInMail, folder }: Place): Promise<void> => {
  const { call, menu } = await signedInClient(portal, people.admin)
  const rules = { ligado: true, diasMaximos: 60, dominios: [], redes: [] }
  await call(guestsApi.updateSettings, { body: rules })
  const reports = reportsOf(await menu())
  const idOf = (name: string) => reports.find((report) => report.name === name)?.idRelatorio ?? 0
  const invite = (emailConvidado: string, report: string, days: number, motivo: string) =>
    call(guestsApi.create, {
      body: {
        emailConvidado,
        idRelatorio: idOf(report),
        ultimoDia: dayIn(days),
        motivo,
        usuarioIdentidade: people.helena.email,
        identidadeRls: 'CNU',
      },
    })
  const earlier = await invite('parceiro@consultoria.com.br', 'Sinistralidade', 5, 'Reunião de março')
  await call(guestsApi.revoke, { params: { id: earlier.idConvidado } })
  await invite(guest, 'Sinistralidade', 30, 'Auditoria anual')

  const shoot = async ({ page, look }: Visitor, name: string) => {
    await page.waitForTimeout(300)
    const path = `${folder}${name}-${look.size}-${look.colorScheme}.png`
    await page.screenshot({ path, animations: 'disabled' })
  }
  const visitor = await openBrowserProfile(browser, { portal })
  await visitor.page.goto(await linkInMail(1))
  await visitor.main.getByRole('button', { name: 'Enviar o link ao meu e-mail' }).click()
  await visitor.page.goto(await linkInMail(2))
  await visitor.main.getByRole('button', { name: 'Abrir o relatório' }).click()
  await visitor.page.locator('[data-guest="renderizado"]').waitFor({ timeout: 60_000 })
  await visitor.page.waitForTimeout(1_000)
  await shoot(visitor, 'guest-report')

  const admin = await openBrowserProfile(browser, { portal })
  await admin.enter(people.admin, '/convidados')
  await admin.main.getByText(guest).filter({ visible: true }).first().waitFor()
  await shoot(admin, 'guests')
  await visitor.close()
  await admin.close()
}
