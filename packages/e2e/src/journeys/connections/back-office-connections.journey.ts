import { connectionsApi, responsiblesApi } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectReadable, looks, settled } from '../../browser/visitor.ts'
import {
  administrator,
  choose,
  dialogOf,
  download,
  expectMessageFor,
  expectTexts,
  passwordField,
  press,
  searchList,
} from '../../pages/back-office.ts'
import { demoConnection, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
let api: Awaited<ReturnType<typeof signedInClient>>

/** Part of the name of everything these journeys register. */
const MARK = 'Jornada CU'

beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
})
afterAll(async () => {
  for (const { idPowerBI: id } of await api.call(connectionsApi.list, { query: { busca: MARK } }))
    await api.call(connectionsApi.remove, { params: { id } })
})

describe('Powerbi', () => {
  const name = `${MARK} A`

  test.each(looks)('Powerbi shows the list on the $size, in the $colorScheme', async (look) => {
    const visitor = await administrator('/powerbi', look)
    const { page, main } = visitor
    await main
      .getByRole('button', { name: /^Testar conexão/ })
      .first()
      .waitFor()
    const texts = ['Powerbis', 'Cadastrar Powerbi', 'Nome do Powerbi', 'Username', 'Anterior', 'Próximo']
    await expectTexts(main, [...texts, ...(look.size === 'desktop' ? ['Client ID', 'Ação'] : ['Cliente'])])
    await expectReadable(page, `powerbi on the ${look.size}`)
    await searchList(page, 'Buscar Powerbi', 'zzz nada')
    await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    await visitor.close()
  })

  test('Powerbi shows what uses a connection instead of asking to delete it, and exports the list', async () => {
    const visitor = await administrator('/powerbi')
    const { page, main } = visitor
    await press(page, /^Excluir Serviço/)
    const blocked = dialogOf(page, 'Não é possível excluir')
    await blocked.getByText(/^\d+ workspaces usam este Powerbi/).waitFor()
    expect(await blocked.getByRole('button', { name: 'Sim, excluir' }).count()).toBe(0)
    await settled(visitor, 'blocked deletion')
    await blocked.getByRole('link', { name: 'Ver na lista' }).click()
    await page.waitForURL(/\/workspace\?idPowerBi=\d+$/)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Filtrar por Powerbi' }).inputValue())
      .toBe(demoConnection)
    await main.getByRole('rowheader').first().waitFor()
    await settled(visitor, 'workspaces of a connection')
    await page.goBack()
    const { name, bytes } = await download(page, 'Exportar CSV')
    expect(name).toBe('powerbis.csv')
    expect(bytes.toString()).toMatch(/^\uFEFFNome do Powerbi;Username;Cliente;/)
    await visitor.close()
  })

  test('the test of a valid connection shows four successful steps', { timeout: 60_000 }, async () => {
    const visitor = await administrator('/powerbi')
    const { page } = visitor
    await press(page, /^Testar conexão Serviço/)
    const dialog = dialogOf(page, /^Testar conexão/)
    await dialog.getByText('A conexão funciona').waitFor()
    await expectTexts(dialog, ['Credencial', 'Grupos', 'Relatório', 'Token de incorporação'])
    expect(await dialog.getByText('Funcionou', { exact: true }).count()).toBe(4)
    await settled(visitor, 'test')
    await press(dialog, 'Testar novamente')
    await dialog.getByText('A conexão funciona').waitFor()
    await visitor.close()
  })

  test('an administrator registers, tests, edits and deletes a connection', {
    timeout: 120_000,
  }, async () => {
    const visitor = await administrator('/Registerpowerbi')
    const { page, main } = visitor
    visitor.expectComplaint(/422/)
    await main.getByRole('heading', { name: 'Cadastrar Powerbi' }).waitFor()
    await expectTexts(main, ['Nome do Powebi', 'Username', 'Senha', 'Responsável', 'Cliente', 'Gravar'])
    await settled(visitor, 'new powerbi')

    await press(page, 'Gravar')
    await expectMessageFor(page, 3)
    await page.getByLabel('Nome do Powebi').fill(name)
    await page.getByLabel('Username').fill('7b0d2f2a-1111-4222-8333-444455556666')
    await passwordField(page).fill('um segredo qualquer')
    const field = page.getByRole('combobox', { name: 'Cliente' })
    await field.fill('zzz nada')
    await page.getByText('Nenhum resultado encontrado!').filter({ visible: true }).waitFor()
    // Text that is left without choosing stays, and says so.
    await page.keyboard.press('Tab')
    expect(await field.inputValue()).toBe('zzz nada')
    await main.getByText('“zzz nada” ainda não foi escolhido. Escolha na lista.').first().waitFor()
    await settled(visitor, 'text that is no choice')
    await choose(page, 'Cliente', 'ana m', /Ana Martins/)
    const responsible = `Responsável ${MARK}`
    await page.getByRole('combobox', { name: 'Responsável' }).fill(responsible)
    await page.getByText('Nenhum resultado encontrado!').filter({ visible: true }).waitFor()
    // The press leaves the field, which then offers to add the text and moves the button.
    await press(page, 'Gravar')
    await main.getByText(`“${responsible}” ainda não está cadastrado.`).first().waitFor()
    await settled(visitor, 'text that can be added')
    await press(main, `Adicionar “${responsible}”`)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Responsável' }).inputValue())
      .toBe(responsible)
    const added = await api.call(responsiblesApi.list, { query: { busca: responsible } })
    expect(added.map(({ nomeResponsavel }) => nomeResponsavel)).toEqual([responsible])

    await press(page, 'Avançado')
    await expectTexts(main, ['Provedor', 'Tenant ID', 'Application ID', 'Tipo de credencial'])
    await page.getByLabel('Perfil do service principal').fill('sem forma')
    await press(page, 'Gravar')
    await main.getByText('Informe o id do perfil (GUID).').waitFor()
    await page.getByLabel('Perfil do service principal').fill('')
    await page.getByLabel('Tenant ID').fill('sem forma')
    await press(page, 'Gravar')
    await main.getByText('Informe o id do tenant (GUID).').waitFor()
    await settled(visitor, 'powerbi advanced')
    await page.getByLabel('Tenant ID').fill('')
    await press(page, 'Gravar')

    const done = dialogOf(page, 'Powerbi cadastrado!')
    await expectTexts(done, ['Fechar', 'Cadastrar +1'])
    await press(done, 'Testar conexão')
    const tried = dialogOf(page, `Testar conexão: ${name}`)
    await tried.getByText('Falhou: Credencial').waitFor()
    expect(await tried.getByText('Não testado', { exact: true }).count()).toBe(3)
    await settled(visitor, 'failed test')
    await page.keyboard.press('Escape')
    await tried.waitFor({ state: 'hidden' })
    await press(done, 'Cadastrar +1')
    await done.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Nome do Powebi').inputValue()).toBe('')
    expect(await passwordField(page).inputValue()).toBe('')

    await visitor.goto('/powerbi')
    await searchList(page, 'Buscar Powerbi', name)
    await page.getByRole('link', { name: `Editar ${name}` }).click()
    await page.getByLabel('Nome do Powebi').fill(`${name} 2`)
    await press(page, 'Testar conexão')
    await page.getByText(/O teste usa a versão gravada/).waitFor()
    await page.keyboard.press('Escape')
    await passwordField(page).fill('')
    await press(page, 'Gravar')
    await expectMessageFor(page, 3)
    await press(page, 'Manter a senha atual')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await press(page, 'Gravar')
    expect(await (await sent).postDataJSON()).not.toHaveProperty('password')
    const edited = dialogOf(page, 'Powerbi editado')
    await settled(visitor, 'powerbi saved')
    await press(edited, 'Fechar')
    await page.waitForURL((url) => url.pathname === '/powerbi')

    await searchList(page, 'Buscar Powerbi', `${name} 2`)
    await press(page, `Excluir ${name} 2`)
    await press(page, 'Sim, excluir')
    await press(dialogOf(page, 'Powerbi excluído!'), 'Fechar')
    await page.waitForURL((url) => !url.searchParams.has('busca'))
    expect(await api.call(connectionsApi.list, { query: { busca: name } })).toEqual([])
    await visitor.close()
  })
})
