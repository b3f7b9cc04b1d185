import { problems, usersApi } from '@bi-manager/contract'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectReadable, looks, settled } from '../../browser/visitor.ts'
import {
  administrator,
  dialogOf,
  download,
  expectMessageFor,
  expectTexts,
  passwordField,
  press,
  searchList,
  unfold,
} from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
let api: Awaited<ReturnType<typeof signedInClient>>

/** Part of the name of everything these journeys register. */
const MARK = 'Jornada CU'

beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
})
afterAll(async () => {
  for (const { idUsuario: id } of await api.call(usersApi.list, { query: { busca: MARK } }))
    await api.call(usersApi.remove, { params: { id } })
})

/** Refuses the first change like the server ten minutes after sign-in; forwards the others. */
const refuseOnce = () => {
  let isRefused = false
  return (route: Route) => {
    if (isRefused || route.request().method() !== 'PUT') return route.continue()
    isRefused = true
    const codigo = 'reautenticacao_necessaria'
    const { status, title, detail } = problems[codigo]
    const body = JSON.stringify({ type: 'x', title, status, detail, codigo, idRequisicao: '1' })
    return route.fulfill({ status, contentType: 'application/problem+json', body })
  }
}

const isFocused = (element: Element) => element === document.activeElement

describe('Usuários', () => {
  const name = `${MARK} A`
  const email = 'jornada.cu@exemplo.com.br'

  test.each(looks)('the page shows the list on the $size, in the $colorScheme', async (look) => {
    const visitor = await administrator('/usuario?tamanho=50', look)
    const { page, main } = visitor
    await main.getByText(people.admin.email).first().waitFor()
    const texts = [
      'Usuários',
      'Cadastrar usuário',
      'Nome do usuário',
      'E-mail',
      'Perfil',
      'Anterior',
      'Próximo',
    ]
    await expectTexts(main, [...texts, 'ADMIN', 'USER', ...(look.size === 'desktop' ? ['Ação'] : [])])
    const edit = main.getByRole('link', { name: `Editar permissões de ${people.ana.name}` })
    expect(await edit.getAttribute('href')).toMatch(/^\/editrelatorio\/\d+$/)
    await expectReadable(page, `users on the ${look.size}`)
    await unfold(main, look)
    await page.getByLabel('Filtrar por perfil').selectOption('ADMIN')
    await main.getByText(people.ana.email).waitFor({ state: 'hidden' })
    await page.getByLabel('Filtrar por situação').selectOption('Pendente')
    await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    expect(new URL(page.url()).search).toBe('?tamanho=50&tipoUsuario=ADMIN&situacao=PENDENTE')
    await press(page, 'Limpar filtros')
    await main.getByText(people.ana.email).waitFor()
    await visitor.close()
  })

  test('the page refuses to delete the own account', async () => {
    const visitor = await administrator('/usuario?busca=marina')
    const { page } = visitor
    visitor.expectComplaint(/409/)
    await press(page, `Excluir ${people.admin.name}`)
    await press(dialogOf(page, 'Deseja mesmo excluir esse usuário?'), 'Sim, excluir')
    await page.getByText('Você não pode excluir a sua própria conta.').waitFor()
    await settled(visitor, 'own account')
    await visitor.close()
  })

  test('an administrator registers, edits and deletes a user', { timeout: 120_000 }, async () => {
    const visitor = await administrator('/cadastrar-usuario')
    const { page, main } = visitor
    visitor.expectComplaint(/409/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await main.getByRole('heading', { name: 'Cadastrar usuário' }).waitFor()
    await expectTexts(main, ['Usuários', 'E-mail', 'Senha', 'Gerar senha automaticamente', 'Gravar'])
    await settled(visitor, 'new user')
    await press(page, 'Gravar')
    await expectMessageFor(page, 4)

    await page.getByLabel('Nome do usuário').fill(name)
    await page.getByLabel('E-mail').fill(people.ana.email)
    const generate = page.getByLabel('Gerar senha automaticamente')
    await generate.check()
    expect(await passwordField(page).getAttribute('type')).toBe('text')
    await generate.uncheck()
    expect(await passwordField(page).inputValue()).toBe('')
    await generate.check()
    const secret = await passwordField(page).inputValue()
    expect(secret).toMatch(/^[0-9a-zA-JL-Z!@#$%&*]{16}$/)
    await press(page, 'Gravar')
    await main.getByText('Já existe um usuário com este e-mail.').waitFor()
    await settled(visitor, 'e-mail in use')
    await page.getByLabel('E-mail').fill(email)
    await press(page, 'Gravar')
    const done = dialogOf(page, 'Usuário cadastrado!')
    await expectTexts(done, [secret, 'Fechar', 'Cadastrar +1'])
    await press(done, 'Copiar senha')
    await done.getByRole('button', { name: 'Senha copiada' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await settled(visitor, 'user saved')
    await press(done, 'Cadastrar +1')
    await done.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Nome do usuário').inputValue()).toBe('')
    expect(await generate.isChecked()).toBe(false)
    await signedInClient(portal, { name, email, password: secret })

    await visitor.goto(`/usuario?busca=${encodeURIComponent(name)}`)
    await page.getByRole('link', { name: `Editar ${name}` }).click()
    await expectTexts(main, [
      'Perfil',
      'Situação',
      'Acesso a prontuários',
      'Encarregado de dados (LGPD)',
      'Identidade de segurança',
      'Permissões',
    ])
    await settled(visitor, 'edit user')
    await page.getByLabel('Perfil').selectOption('ADMIN')
    await page.getByLabel('Situação').selectOption('Bloqueado')
    await page.getByRole('switch', { name: /^Acesso a prontuários/ }).check({ force: true })
    await page.getByRole('switch', { name: /^Encarregado de dados/ }).check({ force: true })
    await page.getByLabel('Identidade de segurança').fill('BRADESCO')
    await press(page, 'Gravar')
    await press(dialogOf(page, 'Usuário editado!'), 'Fechar')
    await page.waitForURL((url) => url.pathname === '/usuario')
    const [stored] = await api.call(usersApi.list, { query: { busca: name } })
    expect(stored).toMatchObject({
      tipoUsuario: 'ADMIN',
      situacao: 'BLOQUEADO',
      acessoProntuario: true,
      encarregadoDados: true,
      identidadeRls: 'BRADESCO',
    })

    await searchList(page, 'Buscar usuário', name)
    await expectTexts(main, ['Bloqueado'])
    await press(page, `Excluir ${name}`)
    await press(page, 'Sim, excluir')
    await press(dialogOf(page, 'Usuário excluído!'), 'Fechar')
    expect(await api.call(usersApi.list, { query: { busca: name } })).toEqual([])
    await visitor.close()
  })

  test('the form asks for a recent proof before it grants access to records', {
    timeout: 90_000,
  }, async () => {
    const ana = await createPerson(portal, `${MARK} Ana`, 'jornada-cu-ana@exemplo.com.br')
    const [stored] = await api.call(usersApi.list, { query: { busca: ana.name } })
    const path = `/cadastrar-usuario/${stored?.idUsuario}`
    for (const look of looks) {
      const visitor = await administrator(path, look)
      const { page } = visitor
      visitor.expectComplaint(/403|422/)
      // The server's clock cannot be changed, so the first answer is faked.
      await page.route(`**/api/usuarios/${stored?.idUsuario}`, refuseOnce())
      await page.getByRole('switch', { name: /^Acesso a prontuários/ }).click({ force: true })
      await press(page, 'Gravar')
      const dialog = dialogOf(page, 'Confirme que é você')
      await dialog.waitFor()
      await page.waitForTimeout(400)
      expect(await dialog.getByLabel('Senha', { exact: true }).evaluate(isFocused)).toBe(true)
      await settled(visitor, `who is there, on the ${look.size}`)
      await dialog.getByLabel('Senha', { exact: true }).fill('não é esta')
      await press(dialog, 'Confirmar')
      await dialog.getByText('A senha não confere.').waitFor()
      await settled(visitor, `a wrong password, on the ${look.size}`)
      await dialog.getByLabel('Senha', { exact: true }).fill(people.admin.password)
      await press(dialog, 'Confirmar')
      await press(dialogOf(page, 'Usuário editado!'), 'Fechar')
      await visitor.close()
    }
    // The desktop run granted access, the phone run revoked it.
    const [after] = await api.call(usersApi.list, { query: { busca: ana.name } })
    expect(after?.acessoProntuario).toBe(false)
    await ana.remove()
  })

  test('an ADMIN cannot grant themselves access to records', async () => {
    const [own] = await api.call(usersApi.list, { query: { busca: people.admin.name } })
    const visitor = await administrator(`/cadastrar-usuario/${own?.idUsuario}`)
    const { page } = visitor
    const access = page.getByRole('switch', { name: /^Acesso a prontuários/ })
    await access.waitFor()
    expect(await access.isDisabled()).toBe(true)
    await page
      .getByText(/npm run records:grant/)
      .first()
      .waitFor()
    await settled(visitor, 'own account')
    await visitor.close()
  })

  test('the import of a CSV shows faults by line, then imports all and shows the passwords', {
    timeout: 90_000,
  }, async () => {
    const visitor = await administrator('/usuario')
    const { page } = visitor
    await press(page, 'Importar CSV')
    const dialog = dialogOf(page, 'Importar usuários')
    await dialog.getByRole('button', { name: 'Escolher arquivo' }).waitFor()
    await settled(visitor, 'import')
    expect((await download(dialog, 'Baixar arquivo de exemplo')).name).toBe('usuarios-exemplo.csv')
    const give = (text: string, encoding: BufferEncoding = 'utf8') =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) })
    await give('PK\u0003\u0004', 'latin1')
    await dialog.getByText(/não um CSV/).waitFor()

    const [first, second] = [`um.${email}`, `dois.${email}`]
    await give(`nome;e-mail;senha\n${name} Água;${first};\n;sem arroba;curta\n`, 'latin1')
    await dialog.getByText('1 linha com falha').waitFor()
    await expectTexts(dialog, [
      `${name} Água`,
      'Nome: É necessário preencher este campo.',
      'E-mail: Informe um e-mail válido.',
      'Senha: A senha precisa de ao menos 8 caracteres.',
    ])
    expect(await dialog.getByRole('button', { name: 'Importar', exact: true }).isDisabled()).toBe(true)
    await settled(visitor, 'import faults')
    await dialog.getByLabel('Só com falhas').check()
    await dialog.getByText(`${name} Água`).waitFor({ state: 'hidden' })
    await press(dialog, 'Escolher outro arquivo')

    await give(`${name} Água,${first}\n"${name}, Céu",${second},Senha-do-arquivo\n`)
    await dialog.getByText('Nenhuma falha').waitFor()
    await settled(visitor, 'import preview')
    await press(dialog, 'Importar 2 usuários')
    await dialog.getByText('2 usuários importados!').waitFor()
    await settled(visitor, 'import done')
    const saved = await download(dialog, 'Baixar senhas')
    expect(saved.name).toBe('usuarios-senhas.csv')
    const lines = saved.bytes.toString().split('\r\n')
    expect(lines).toHaveLength(3)
    const [, , generated = ''] = lines[1]?.split(';') ?? []
    await signedInClient(portal, { name, email: first, password: generated })
    await signedInClient(portal, { name, email: second, password: 'Senha-do-arquivo' })
    await press(dialog, 'Fechar')
    await visitor.close()
  })
})
