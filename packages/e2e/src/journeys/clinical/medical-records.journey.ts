import {
  type Beneficiary,
  beneficiariesApi,
  dataProtectionApi,
  type MedicalRecord,
  medicalRecordsApi,
  usersApi,
} from '@bi-manager/contract'
import { readPdf } from '@bi-manager/server/test/clinical/pdf-text'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { expectReadable, type Size, sizes, visit } from '../../browser/visitor.ts'
import {
  closeDialog,
  dialogOf,
  download,
  expectTexts,
  press,
  waitUntilHidden,
} from '../../pages/back-office.ts'
import { chooseBeneficiary, clinicalPanel, openPanel } from '../../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
/** Distinguishes this run's records from those of other journeys. */
const mark = crypto.randomUUID().slice(0, 8)

const content = {
  especialidade: 'Cardiologia',
  risco_custo: 'Alto custo de exames',
  risco_doenca: 'Risco de reação alérgica',
  prescricao_beneficiario: 'Retorno em 30 dias.',
} as const

const colleague = { name: 'Caio Médico', password: 'Girassol de inverno 58' }

/** Creates a beneficiary with six records, and a second person who edits them. */
const prepare = async (size: Size) => {
  const { call, menu } = await signedInClient(portal, people.helena)
  const person = await call(beneficiariesApi.create, {
    body: { nome_beneficiario: `Joana Fictícia ${size}`, id_beneficiario: `${mark}-${size}` },
  })
  const records: MedicalRecord[] = []
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const body = {
      nome_beneficiario: person.nome_beneficiario,
      id_beneficiario: person.id_beneficiario,
      ...content,
      descricao_hd: `Hipótese ${number}, coração.`,
    }
    records.push(await call(medicalRecordsApi.create, { body }))
  }
  const email = `caio.${size}.${mark}@exemplo.com.br`
  const admin = await signedInClient(portal, people.admin)
  const { idUsuario } = await admin.call(usersApi.create, {
    body: { nomeUsuario: `${colleague.name} ${size}`, emailUsuario: email, senhaUsuario: colleague.password },
  })
  await admin.call(usersApi.update, { params: { id: idUsuario }, body: { acessoProntuario: true } })
  const other = await signedInClient(portal, { ...colleague, email })
  return { call, person, newest: records[5] as MedicalRecord, other, report: reportsOf(await menu())[0] }
}

describe.each(sizes)('medical records on the %s', (size) => {
  test('medical records are paged, filtered, read, edited by two people, printed, saved and archived', async () => {
    const { call, person, newest, other, report } = await prepare(size)
    const visitor = await visit({ size })
    const { page } = visitor
    await visitor.enter(people.helena, report?.path ?? '/')
    await openPanel(page)
    await chooseBeneficiary(page, person.id_beneficiario)
    await clinicalPanel(page).tab('Prontuários').click()

    // Five per page, newest first.
    const list = page.getByRole('region', { name: 'Prontuários', exact: true })
    const cards = list.getByRole('listitem')
    await list.getByText('1–5 de 6', { exact: true }).waitFor()
    await expectTexts(cards.first(), ['Cardiologia', 'Hipótese 6, coração.'])
    await cards.first().getByText(newest.data_prontuario).waitFor()
    const author = `${people.helena.name} · usuário ${newest.idAutor} · CRM 12345/PR`
    await expectTexts(cards.first(), [`por ${author}`])
    const of = `prontuário nº ${newest.id} de ${person.nome_beneficiario}`
    await cards
      .first()
      .getByRole('button', { name: `Ver ${of}` })
      .waitFor()
    await expectReadable(page, `list ${size}`)
    await press(list, 'Próximo')
    await list.getByText('6–6 de 6', { exact: true }).waitFor()
    expect(await cards.count()).toBe(1)
    await press(list, 'Anterior')
    await list.getByText('1–5 de 6', { exact: true }).waitFor()

    // Filtering by period.
    const period = page.getByRole('search', { name: 'Período' })
    const [from, until] = ['De', 'Até'].map((label) => period.getByLabel(label, { exact: true }))
    await from?.fill(newest.data_prontuario)
    await press(period, 'Filtrar')
    await period.getByText('Preencha os dois campos!').waitFor()
    await waitUntilHidden(period.getByText('Preencha os dois campos!'))
    await until?.fill('31/02/2020')
    await press(period, 'Filtrar')
    await period.getByText('Corrija a data: ela não existe.').waitFor()
    await expectReadable(page, `day that is not ${size}`)
    await until?.fill('01/02/2020')
    await press(period, 'Filtrar')
    await period.getByText('A data inicial é posterior à final.').waitFor()
    await expectReadable(page, `period refused ${size}`)
    await from?.fill('01/01/2020')
    await press(period, 'Filtrar')
    await list.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    await period.getByText('Prontuários de 01/01/2020 a 01/02/2020.').waitFor()
    await until?.fill(newest.data_prontuario)
    await press(period, 'Filtrar')
    await list.getByText('1–5 de 6', { exact: true }).waitFor()
    await press(period, 'Limpar período')
    await list.getByText('1–5 de 6', { exact: true }).waitFor()

    // Reading and printing.
    const reading = dialogOf(page, 'Informações prontuário')
    await press(page, `Ver ${of}`)
    if (size === 'phone') {
      // Back closes the dialog, not the panel.
      await reading.getByText('Hipótese 6, coração.').waitFor()
      await page.goBack()
      await reading.waitFor({ state: 'hidden' })
      await press(page, `Ver ${of}`)
    }
    await expectTexts(reading, [
      person.nome_beneficiario,
      person.id_beneficiario,
      'Cardiologia',
      'Alto custo de exames',
      'Risco de reação alérgica',
      'Hipótese 6, coração.',
      'Retorno em 30 dias.',
      newest.data_prontuario,
      author,
      'Nunca alterado',
    ])
    await expectReadable(page, `view ${size}`)
    await expectPrinted(page, reading, person)
    const file = await download(reading, 'Baixar PDF')
    expect(file.name).toBe(`prontuario-${newest.id}.pdf`)
    const pdf = await readPdf(file.bytes)
    expect(pdf.pages.join(' ')).toContain('Hipótese 6, coração.')

    // Two people edit it: the second one sees the conflict and loses nothing.
    await press(reading, 'Editar')
    const editing = dialogOf(page, 'Editar prontuário')
    await editing.getByRole('combobox', { name: 'Especialidade' }).fill('neuro')
    await page.getByRole('option', { name: 'Neurologia' }).click()
    await editing.getByRole('textbox', { name: 'Descrição HD' }).fill('Texto meu.')
    await expectReadable(page, `edit ${size}`)
    await press(editing, 'Cancelar')
    const leaving = dialogOf(page, 'Sair sem gravar?')
    await expectReadable(page, `leave ${size}`)
    await press(leaving, 'Continuar editando')
    await waitUntilHidden(leaving)
    await other.call(medicalRecordsApi.update, {
      params: { id: newest.id },
      body: { ...content, descricao_hd: 'Texto do colega.' },
    })
    visitor.expectComplaint(/status of 412/)
    await press(editing, 'Gravar')
    const conflict = dialogOf(page, 'Outra pessoa alterou este prontuário')
    await conflict.getByText(new RegExp(`^${colleague.name} ${size} alterou Descrição HD`)).waitFor()
    await conflict.getByText('Alterado por vocês dois').waitFor()
    await conflict.getByRole('radio', { name: 'Você digitou Texto meu.' }).waitFor()
    await conflict.getByRole('radio', { name: 'No servidor agora Texto do colega.' }).waitFor()
    await expectReadable(page, `conflict ${size}`)
    await press(conflict, 'Gravar esta escolha')
    await reading.getByText('Prontuário editado! A versão anterior ficou guardada.').waitFor()
    await expectTexts(reading, ['Neurologia', 'Texto meu.'])

    // Each version next to the previous one.
    await press(reading, 'Versões')
    const versions = dialogOf(page, 'Versões do prontuário')
    const third = versions.getByRole('listitem').first()
    await third.getByRole('heading', { name: 'Versão 3 atual' }).waitFor()
    await expectTexts(third, ['Texto do colega.', 'Texto meu.', 'alterado'])
    await expectTexts(versions.getByRole('listitem').nth(1), ['Hipótese 6, coração.', 'Texto do colega.'])
    await versions
      .getByText(
        new RegExp(
          `^Alterado por ${colleague.name} ${size} · usuário \\d+ em \\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d$`,
        ),
      )
      .waitFor()
    await expectReadable(page, `versions ${size}`)
    // Esc closes only the topmost dialog: the record stays open.
    await page.keyboard.press('Escape')
    await waitUntilHidden(versions)
    await expectTexts(reading, ['Neurologia', 'Texto meu.'])
    await closeDialog(reading)

    // Archiving with a reason.
    await press(page, `Excluir ${of}`)
    const asking = dialogOf(page, 'Deseja mesmo excluir esse prontuário?')
    await asking.getByText(/fica arquivado, com o motivo, por 20 anos/).waitFor()
    // Also gives the browser time to draw the dialog above the report's frame: until then, it may send
    // a click to the frame.
    await expectReadable(page, `archive question ${size}`)
    await press(asking, 'Sim, excluir')
    await asking.getByText('Campo obrigatório').waitFor()
    await expectReadable(page, `archive ${size}`)
    await asking.getByRole('textbox', { name: 'Motivo' }).fill('Registro em duplicidade')
    await press(asking, 'Sim, excluir')
    const archived = dialogOf(page, 'Prontuário Excluido!')
    await archived.waitFor()
    await expectReadable(page, `archived ${size}`)
    await closeDialog(archived)
    await expect.poll(() => cards.count()).toBe(5)
    await waitUntilHidden(list.getByRole('navigation', { name: 'Páginas' }))
    await waitUntilHidden(page.getByRole('button', { name: `Ver ${of}` }))
    await visitor.close()

    // The access log has all of it, with the purpose.
    const accesses = await call(dataProtectionApi.accesses, { params: { id: person.id }, query: {} })
    const ofRecord = accesses.filter(
      ({ objeto, idObjeto, finalidade }) =>
        objeto === 'prontuario' && idObjeto === newest.id && finalidade === 'Atendimento',
    )
    expect(new Set(ofRecord.map(({ acao }) => acao))).toEqual(
      new Set(['lido', 'impresso', 'exportado', 'alterado', 'arquivado']),
    )
    const exported = await call(dataProtectionApi.export, { params: { id: person.id } })
    const kept = exported.prontuarios.find(({ id }) => id === newest.id)
    expect(kept?.arquivado?.motivo).toBe('Registro em duplicidade')
  })
})

/** Expects that only the record is printed, after the server has logged the print. */
const expectPrinted = async (page: Page, reading: Locator, person: Beneficiary): Promise<void> => {
  await page.evaluate(() => {
    // The browser's print dialog would block the test.
    window.print = () => void document.body.setAttribute('data-printed', 'true')
  })
  await press(reading, 'Imprimir')
  await page.locator('body[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expectTexts(page.locator('body > article'), ['Hipótese 6, coração.'])
  await page.getByText(/^Contém dados pessoais sensíveis \(LGPD\)\./).waitFor()
  expect(await reading.isVisible()).toBe(false)
  expect(await page.getByRole('main').isVisible()).toBe(false)
  // Even a long record has its beneficiary and page number on each page.
  await page
    .locator('body > article dd')
    .last()
    .evaluate((text) => {
      text.textContent = Array.from({ length: 120 }, (_, line) => `Linha ${line}.`).join('\n')
      Object.assign((text as HTMLElement).style, { whiteSpace: 'pre-wrap' })
    })
  const { pages } = await readPdf(await page.pdf({ preferCSSPageSize: true }))
  expect(pages.length).toBeGreaterThan(2)
  for (const [at, printed] of pages.entries()) {
    // 'ff' may be printed as one letter.
    const text = printed.normalize('NFKC')
    for (const said of [person.nome_beneficiario, person.id_beneficiario, 'Contém dados pessoais sensíveis'])
      expect(text).toContain(said)
    expect(text).toContain(`Página ${at + 1} de ${pages.length}`)
  }
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.locator('body > article').waitFor({ state: 'detached' })
}
