import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawnPdf } from '@bi-manager/server/test/clinical/pdfs'
import { tracesBelow } from '@bi-manager/server/test/traces'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchWithProfile } from '../../browser/browser.ts'
import { signInForm } from '../../browser/sign-in.ts'
import { viewports } from '../../browser/visitor.ts'
import { closeDialog, dialogOf, press } from '../../pages/back-office.ts'
import { attachmentForm, clinicalPanel } from '../../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* Works with patients in a browser with a profile on disk, with a mark in every personal field.
   Afterwards no file of the profile contains the mark: storages, caches, history, form data. */

const portal = inject('portal')
/** In every personal field; unique per run, because the demo is shared. */
const mark = `Qz${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`
/** Stored on purpose: if the search does not find it, it proves nothing. */
const control = `Kw${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-profile-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const marked = (field: string) => `${mark}${field}`

describe('the browser profile after work with patients', () => {
  test('the browser profile after work with patients contains no patient data in storages, caches and files', {
    timeout: 180_000,
  }, async () => {
    const profile = join(folder, 'profile')
    const context = await launchWithProfile(profile, {
      viewport: viewports.desktop,
      locale: 'pt-BR',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    })
    const page = context.pages()[0] ?? (await context.newPage())
    page.setDefaultTimeout(30_000)
    await page.goto(portal)
    await signInForm(page).send(people.helena)
    await page.waitForURL((url) => url.pathname !== '/')

    const { menu } = await signedInClient(portal, people.helena)
    await page.goto(portal + (reportsOf(await menu())[0]?.path ?? ''))
    await givePurpose(page)
    await register(page)
    await writeRecord(page)
    await sendFile(page)
    await lookAtFile(page)
    await readRecord(page)

    // What scripts of this origin can read.
    const kept = await storages(page)
    expect(kept).toContain('bi-manager')
    expect(kept).not.toContain(mark)
    // Title and address do not identify the patient either.
    expect((await page.title()) + page.url()).not.toContain(mark)

    await leaveControls(page)
    await context.close()

    expect(tracesBelow(profile, mark)).toEqual([])
    const found = tracesBelow(profile, control).join('\n')
    expect(found).toMatch(/Local Storage/)
    expect(found).toMatch(/Cache/)
    // No answer about patients was cached, even compressed: the caches contain the addresses.
    for (const address of ['/api/prontuarios', '/api/beneficiarios', '/api/anexos']) {
      expect(tracesBelow(profile, address)).toEqual([])
    }
  })
})

const givePurpose = async (page: Page) => {
  await clinicalPanel(page).opener.click()
  await page.getByRole('radio', { name: 'Outro' }).check()
  await page.getByRole('textbox', { name: 'Qual finalidade?' }).fill(marked('finalidade'))
  await lingered(page)
  await press(page, 'Continuar')
}

/** Time for Chromium to write the state of form fields to disk. */
const lingered = (page: Page) => page.waitForTimeout(1_500)

const register = async (page: Page) => {
  await clinicalPanel(page).beneficiary.fill(marked('Nome Exemplo'))
  await press(page, 'Pesquisar')
  await page.getByText('A pesquisa não retornou resultados!').waitFor()
  await press(page, 'Cadastrar beneficiário')
  const dialog = dialogOf(page, 'Cadastrar beneficiário')
  await dialog.getByLabel('Nome do beneficiário').fill(marked('Nome Exemplo'))
  await dialog.getByLabel('ID do beneficiário').fill(marked('id'))
  await dialog.getByLabel('Plano').fill(marked('plano'))
  await lingered(page)
  await press(dialog, 'Gravar')
  await dialog.waitFor({ state: 'detached' })
}

const writeRecord = async (page: Page) => {
  const { list, hypothesis, prescription, register, registered } = clinicalPanel(page)
  for (const label of ['Especialidade', 'Risco de custo', 'Risco da doença']) {
    await list(label).click()
    await page.getByRole('option').first().click()
  }
  await hypothesis.fill(marked('descricao'))
  await prescription.fill(marked('prescricao'))
  await lingered(page)
  await register.click()
  await closeDialog(registered)
}

const sendFile = async (page: Page) => {
  const form = attachmentForm(page)
  await clinicalPanel(page).tab('Anexar arquivos').click()
  const buffer = await drawnPdf((document) => document.text(mark), { compress: false, info: { Title: mark } })
  await form.choose(`${mark}.pdf`, 'application/pdf', buffer)
  await form.describe(marked('titulo'), marked('anexo'))
  await lingered(page)
  await form.send.click()
  await form.sent.waitFor()
}

const lookAtFile = async (page: Page) => {
  await clinicalPanel(page).tab('Anexos').click()
  await press(page, `Detalhes de ${marked('titulo')}`)
  const dialog = page.getByRole('dialog')
  await dialog.locator('canvas').first().waitFor()
  const [saved] = await Promise.all([page.waitForEvent('download'), press(dialog, 'Baixar')])
  // The file name has only the attachment's number; the document itself contains the data.
  expect(saved.suggestedFilename()).toMatch(/^anexo-\d+\.pdf$/)
  expect((await readFile(await saved.path())).includes(mark)).toBe(true)
  await saved.delete()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await press(page, `Excluir ${marked('titulo')}`)
  await page.getByRole('textbox', { name: 'Motivo' }).fill(marked('motivo'))
  await lingered(page)
  await press(page, 'Sim, excluir')
  await closeDialog(attachmentForm(page).deleted)
}

const readRecord = async (page: Page) => {
  await clinicalPanel(page).tab('Prontuários').click()
  await page.getByRole('tabpanel').getByText(marked('Nome Exemplo')).first().waitFor()
}

/** Returns everything that scripts of this origin can read back. */
const storages = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url).join(),
      ),
    )
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      cached,
      databases,
      history.state,
    ])
  })

/** Stores the control text in local storage and in the HTTP cache. */
const leaveControls = async (page: Page) => {
  await page.evaluate((text) => localStorage.setItem('controle', text), control)
  const asset = await page.locator('script[src]').first().getAttribute('src')
  expect((await page.request.get(portal + asset)).headers()['cache-control']).toMatch(/max-age/)
  await page.evaluate((address) => fetch(address).then((answer) => answer.text()), `${asset}?${control}`)
  // Chromium writes both with a delay.
  await page.waitForTimeout(2_000)
}
