import { beneficiariesApi, medicalRecordsApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { signInForm } from '../../browser/sign-in.ts'
import { expectAccessible, expectNoSidewaysScroll, sizes, visit } from '../../browser/visitor.ts'
import { closeDialog, dialogOf, press, waitUntilHidden } from '../../pages/back-office.ts'
import { clinicalPanel, givePurpose, openPanel } from '../../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
/** Distinguishes this run's records from those of other journeys. */
const mark = crypto.randomUUID().slice(0, 8)

test.each(['ana', 'admin'] as const)('the panel is not offered without the access flag: %s', async (name) => {
  const { menu } = await signedInClient(portal, people[name])
  const visitor = await visit({ size: name === 'ana' ? 'phone' : 'desktop' })
  await visitor.enter(people[name], reportsOf(await menu())[0]?.path ?? '/')
  await waitForRendered(visitor.page)
  expect(await clinicalPanel(visitor.page).opener.count()).toBe(0)
  await visitor.close()
})

describe.each(sizes)('the panel of medical records on the %s', (size) => {
  test('the panel of medical records registers a record next to a report that is not reloaded', {
    timeout: 120_000,
  }, async () => {
    const { call, menu } = await signedInClient(portal, people.helena)
    const person = await call(beneficiariesApi.create, {
      body: { nome_beneficiario: `Pessoa Painel ${size}`, id_beneficiario: `painel-${mark}-${size}` },
    })
    const [first, second] = reportsOf(await menu())
    const visitor = await visit({ size })
    const { page } = visitor
    const settled = async (what: string) => {
      await expectAccessible(page, `${what} ${size}`)
      await expectNoSidewaysScroll(page)
    }
    const panel = clinicalPanel(page)
    await visitor.enter(people.helena, '/saidibi')
    expect(await panel.opener.count()).toBe(0)
    await visitor.goto(first?.path ?? '/')
    const report = await waitForRendered(page)
    await report.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
    await page.locator('main iframe').evaluate((frame) => Object.assign(frame, { isSameElement: true }))
    const wide = await reportWidth(page)

    // The purpose is asked for once, before anything is shown.
    await panel.opener.click()
    await page.getByRole('radiogroup', { name: 'Para que você vai acessar estes dados?' }).waitFor()
    await settled('purpose')
    await page.getByLabel('Outro', { exact: true }).check()
    await press(page, 'Continuar')
    await page.getByText('Escreva a finalidade.').waitFor()
    await givePurpose(page, 'Atendimento')
    await page.getByRole('heading', { name: 'Registrar Prontuário' }).waitFor()
    await page.getByText('Finalidade: Atendimento').waitFor()
    if (size === 'desktop') expect(await reportWidth(page)).toBeLessThan(wide)
    else expect(await dialogOf(page, 'Prontuários').count()).toBe(1)

    // The beneficiary, by exact id.
    await panel.beneficiary.focus()
    await panel.list('Especialidade').focus()
    await page.getByText('Campo obrigatório').waitFor()
    await panel.beneficiary.fill(person.id_beneficiario)
    await panel.beneficiary.press('Enter')
    await page.getByRole('heading', { name: person.nome_beneficiario }).waitFor()

    await expectLists(page)
    await settled('open list')
    await expectRequired(page)
    await panel.hypothesis.fill('Hipertensão arterial.')
    await settled('required')

    // Minimised with Esc and with its button, the form keeps its input.
    await panel.hypothesis.press('Escape')
    await panel.bar.getByText('Não registrado').waitFor()
    expect(await page.getByRole('heading', { name: 'Registrar Prontuário' }).count()).toBe(0)
    await settled('minimised')
    await page.keyboard.press('Enter')
    expect(await panel.hypothesis.inputValue()).toBe('Hipertensão arterial.')
    expect(await panel.hypothesis.evaluate((field) => field === document.activeElement)).toBe(true)

    // Closing asks first; so does the phone's back button, and the report stays.
    const leave = () =>
      size === 'desktop' ? press(page, 'Fechar prontuários') : page.goBack().then(() => undefined)
    await leave()
    const question = dialogOf(page, 'Fechar sem registrar?')
    await question.waitFor()
    await settled('question')
    await press(page, 'Continuar preenchendo')
    await waitUntilHidden(question)
    expect(await panel.hypothesis.inputValue()).toBe('Hipertensão arterial.')
    if (size === 'phone') await expectQuickSteps(page)

    // Registered once in spite of a double click, confirmed, and listed.
    for (const name of ['Especialidade', 'Risco de custo', 'Risco da doença']) {
      await panel.list(name).click()
      await page.getByRole('option').nth(1).click()
    }
    await panel.prescription.fill('Losartana 50 mg.')
    await panel.register.dblclick()
    await panel.registered.waitFor()
    await settled('registered')
    await closeDialog(panel.registered)
    expect(await panel.hypothesis.inputValue()).toBe('')
    expect(await page.getByText('Campo obrigatório').count()).toBe(0)
    expect(await call(medicalRecordsApi.list, { query: { beneficiario: String(person.id) } })).toMatchObject([
      { especialidade: 'Dermatologia', descricao_hd: 'Hipertensão arterial.' },
    ])
    for (const section of ['Prontuários', 'Anexar arquivos', 'Anexos']) {
      await panel.tab(section).click()
      await page.getByRole('heading', { name: section }).last().waitFor()
      if (section === 'Prontuários')
        await page.getByRole('list', { name: 'Prontuários' }).getByText('Dermatologia').waitFor()
      await settled(section)
    }

    // The report was never reloaded.
    expect(await report.evaluate(() => 'isSameDocument' in globalThis)).toBe(true)
    expect(await page.locator('main iframe').evaluate((frame) => 'isSameElement' in frame)).toBe(true)

    await leave()
    await waitUntilHidden(panel.tab('Anexos'))
    expect(new URL(page.url()).pathname).toBe(new URL(portal + first?.path).pathname)
    // After a reload and in another report the purpose is not asked for again.
    await visitor.goto(second?.path ?? '/')
    await waitForRendered(page)
    await panel.opener.click()
    await page.getByRole('heading', { name: 'Registrar Prontuário' }).waitFor()
    await expectNothingStored(page, person.nome_beneficiario)
    await visitor.close()
  })
})

test('the panel stays open on another report, is minimised on other pages, and survives the session', {
  timeout: 120_000,
}, async () => {
  const { menu } = await signedInClient(portal, people.helena)
  const [first] = reportsOf(await menu())
  const visitor = await visit()
  const { page } = visitor
  visitor.expectComplaint(/status of 401/)
  await visitor.enter(people.helena, first?.path ?? '/')
  await waitForRendered(page)
  const { prescription, bar, tab } = clinicalPanel(page)
  await openPanel(page, 'Auditoria')
  await prescription.fill('Repouso por três dias.')
  await page.getByRole('link', { name: 'BI Manager' }).click()
  await bar.waitFor()
  await page.goBack()
  await waitForRendered(page)
  await prescription.waitFor()
  expect(await prescription.inputValue()).toBe('Repouso por três dias.')

  // Another client ends the session; the live stream redirects the open window to sign-in.
  await page.evaluate(async () => {
    const { access_token } = JSON.parse(localStorage.getItem('bi-manager.sessao') ?? '{}')
    await fetch('/api/usuarios/sair', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    })
  })
  await signInForm(page).submit.waitFor()
  await expectNothingStored(page, 'Repouso')
  await visitor.signIn(people.helena)
  await waitForRendered(page)
  await givePurpose(page, 'Regulação')
  await tab('Registrar Prontuário').click()
  await page
    .getByText(/Recuperamos o que você tinha digitado/)
    .first()
    .waitFor()
  expect(await prescription.inputValue()).toBe('Repouso por três dias.')
  await visitor.close()
})

test('a link within a report cannot navigate the portal away from unsaved input', {
  timeout: 60_000,
}, async () => {
  const { menu } = await signedInClient(portal, people.helena)
  const visitor = await visit()
  const { page } = visitor
  visitor.expectComplaint(/Unsafe attempt to initiate navigation|navigate the top-level window/)
  await visitor.enter(people.helena, reportsOf(await menu())[0]?.path ?? '/')
  const report = await waitForRendered(page)
  const address = page.url()
  await report.evaluate(() => {
    const link = Object.assign(document.createElement('button'), { textContent: 'Ir para fora' })
    Object.assign(link.style, { position: 'fixed', inset: '0 auto auto 0', zIndex: '9999' })
    link.addEventListener('click', () => {
      try {
        Object.assign(window.top as object, { location: 'about:blank' })
      } catch (error) {
        link.textContent = (error as Error).name
      }
    })
    document.body.append(link)
  })
  await report.getByRole('button', { name: 'Ir para fora' }).click()
  await report.getByRole('button', { name: 'SecurityError' }).waitFor()
  expect(page.url()).toBe(address)
  await page.getByRole('button', { name: 'Prontuários', exact: true }).waitFor()
  await visitor.close()
})

/** Presses Back right after opening, and reopens right after minimising: no step may be lost. */
const expectQuickSteps = async (page: Page) => {
  const question = dialogOf(page, 'Fechar sem registrar?')
  const stay = async () => {
    await press(page, 'Continuar preenchendo')
    await waitUntilHidden(question)
  }
  for (let round = 0; round < 5; round++) {
    await press(page, 'Minimizar')
    const bar = clinicalPanel(page).bar.getByRole('button').first()
    await bar.evaluate((button: HTMLElement) => {
      button.click()
      setTimeout(() => history.back(), 5)
    })
    await question.waitFor()
    await stay()
    await page.getByRole('button', { name: 'Minimizar' }).evaluate((button: HTMLElement) => {
      button.click()
      setTimeout(() => document.querySelector<HTMLElement>('aside[aria-label*="minimizado"] button')?.click())
    })
    await page.getByRole('button', { name: 'Minimizar' }).waitFor()
    expect(await question.count()).toBe(0)
    await page.goBack()
    await question.waitFor()
    await stay()
  }
}

const reportWidth = (page: Page) =>
  page.locator('main iframe').evaluate((frame) => frame.getBoundingClientRect().width)

/** The lists open on focus, one at a time, and search ignoring case and accents. */
const expectLists = async (page: Page) => {
  const { list } = clinicalPanel(page)
  await list('Especialidade').focus()
  expect(await page.getByRole('option').count()).toBe(13)
  await list('Risco de custo').focus()
  expect(await page.getByRole('option').count()).toBe(10)
  const height = await page.getByRole('listbox').evaluate((element) => element.getBoundingClientRect().height)
  expect(height).toBeLessThanOrEqual(300)
  await page.keyboard.type('MEDICACAO')
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Alto custo de medicação',
    'Risco de efeitos colaterais da medicação',
  ])
  await list('Risco de custo').fill('nada disso')
  await page.getByText('A pesquisa não retornou resultados!').waitFor()
  await list('Risco de custo').fill('')
  expect(await page.getByRole('option').count()).toBe(10)
}

const expectRequired = async (page: Page) => {
  const { prescription, hypothesis, register } = clinicalPanel(page)
  await prescription.focus()
  await hypothesis.focus()
  expect(await page.getByText('Campo obrigatório').count()).toBe(3)
  expect(await register.isDisabled()).toBe(true)
  await page.getByText(/^Para registrar, falta: Especialidade, Risco de custo, Risco da doença/).waitFor()
}

/** Expects that the browser stored no patient data. */
const expectNothingStored = async (page: Page, text: string) => {
  const stored = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
  }))
  expect(JSON.stringify(stored)).not.toContain(text)
  expect([stored.databases, stored.caches]).toEqual([[], []])
}
