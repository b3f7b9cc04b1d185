import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, type Look, looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { givePurpose } from '../../pages/clinical-panel.ts'
import { people } from '../../people/people.ts'

const field = (page: Page) => page.getByRole('searchbox', { name: 'Pesquisar beneficiário' })
const search = async (page: Page, text: string) => {
  await field(page).fill(text)
  await press(page, 'Pesquisar')
}

/** Used in names only: an id has digits. */
const mark = 'Mesa'

describe('the registry of beneficiaries', () => {
  const name = `Íris Exemplo da Jornada de ${mark}`
  const id = 'JB-1'

  const open = async (look: Look) => {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.enter(people.helena, '/beneficiarios')
    await givePurpose(page, 'Regulação')
    await page.getByRole('region', { name: 'Beneficiários' }).waitFor()
    return visitor
  }

  test('the registry registers, refuses twice, finds by id and name, and edits, on the phone', async () => {
    const visitor = await open(looks[1])
    const { page } = visitor
    await page.getByText(/^\d+ beneficiários$/).waitFor()
    await settled(visitor, 'the registry')

    await search(page, name)
    await page.getByText('A pesquisa não retornou resultados!').waitFor()
    await settled(visitor, 'no beneficiary found')
    await press(page.getByRole('region', { name: 'Pesquisar beneficiário' }), 'Cadastrar beneficiário')
    const dialog = dialogOf(page, 'Cadastrar beneficiário')
    expect(await dialog.getByLabel('Nome do beneficiário').inputValue()).toBe(name)
    await press(dialog, 'Gravar')
    await dialog.getByText('Campo obrigatório').waitFor()
    await dialog.getByLabel('ID do beneficiário').fill(id)
    await dialog.getByLabel('Data de nascimento').pressSequentially('29021980')
    await dialog.getByLabel('Sexo').selectOption('Feminino')
    await dialog.getByLabel('Plano').fill('Pleno')
    await settled(visitor, 'the form')
    await press(dialog, 'Gravar')
    await page.getByText('Beneficiário cadastrado!').waitFor()
    await page.getByRole('region', { name: 'Beneficiários' }).getByText(id).waitFor()

    visitor.expectComplaint(/409/)
    await page.getByRole('button', { name: 'Cadastrar beneficiário' }).first().click()
    await dialog.getByLabel('Nome do beneficiário').fill('Outra Exemplo')
    await dialog.getByLabel('ID do beneficiário').fill(id)
    await press(dialog, 'Gravar')
    await dialog.getByText('Já existe um beneficiário com este ID.').waitFor()
    // The Esc that opens the question must not answer it too.
    await page.keyboard.press('Escape')
    await press(page, 'Sair sem gravar')
    await dialog.waitFor({ state: 'detached' })

    for (const text of [id, name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()]) {
      await search(page, text)
      await page.getByText('1 beneficiário encontrado').waitFor()
      await page.getByText(`ID ${id} · 29/02/1980`).waitFor()
    }
    await settled(visitor, 'a beneficiary found')
    await page
      .getByRole('list', { name: 'Resultados da pesquisa' })
      .getByRole('button', { name: new RegExp(name) })
      .click()
    const editing = dialogOf(page, 'Editar beneficiário')
    await editing.getByLabel('Plano').fill('Sênior')
    await press(editing, 'Gravar')
    await page.getByText('Beneficiário editado!').waitFor()
    await search(page, id)
    await page.getByText('Sênior').first().waitFor()
    // No personal data reached the address or the browser's storage.
    const kept = await page.evaluate(
      () => location.href + document.title + JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    )
    expect(kept).not.toMatch(/Exemplo|JB-/)
    await visitor.close()
  })

  test('an import with a faulty line writes nothing; a valid one writes all lines', async () => {
    const visitor = await open(looks[0])
    const { page } = visitor
    await press(page, 'Importar CSV')
    const dialog = dialogOf(page, 'Importar beneficiários')
    const lines = (second: string) =>
      `nome;id;nascimento;sexo\nLia Exemplo de ${mark};JB-2;01/02/1980;F\n${second}\n`
    const choose = (text: string) =>
      dialog
        .locator('input[type="file"]')
        .setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await settled(visitor, 'the file')
    await choose(lines(`Rui Exemplo de ${mark};JB-2;30/02/1980;M`))
    await dialog.getByText('1 linha com falha').waitFor()
    await dialog.getByText('ID do beneficiário: O mesmo ID está na linha 2.').waitFor()
    await dialog.getByText('Data de nascimento: Informe uma data válida (dd/mm/aaaa).').waitFor()
    expect(await dialog.getByRole('button', { name: 'Importar', exact: true }).isDisabled()).toBe(true)
    await settled(visitor, 'faults')
    await press(dialog, 'Escolher outro arquivo')
    await choose(lines(`Rui Exemplo de ${mark};JB-3;;M`))
    await press(dialog, 'Importar 2 beneficiários')
    await dialog.getByText('2 beneficiários importados!').waitFor()
    await press(dialog, 'Fechar')
    await page.getByText('JB-3').waitFor()
    await search(page, `rui exemplo de ${mark}`)
    await page.getByText('1 beneficiário encontrado').waitFor()
    await visitor.close()
  })
})

test('an ADMIN without the flag has no menu entry and no access', async () => {
  const visitor = await visit()
  const { page } = visitor
  await visitor.enter(people.admin, '/beneficiarios')
  await page.getByText('Esta página é só para quem tem acesso a prontuários.').waitFor()
  expect(await page.getByRole('link', { name: 'Beneficiários' }).count()).toBe(0)
  await expectAccessible(page, 'refused')
  await visitor.close()
})
