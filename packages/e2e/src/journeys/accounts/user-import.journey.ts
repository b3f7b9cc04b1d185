import { profilesApi, usersApi } from '@bi-manager/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { awaitMail } from '../../people/outbox.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* 300 people are invited by a CSV with profiles and identities, and one of them signs in. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }
const password = 'Girassol de inverno 58'

const people = Array.from({ length: 300 }, (_, index) => ({
  name: `Pessoa ${nameOf(index)}`,
  email: `pessoa.${index + 1}@exemplo.com.br`,
  identity: `FILIAL-${(index % 7) + 1}`,
}))

/** Letters instead of digits: the name of a person has none. */
function nameOf(index: number): string {
  return [...String(index)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')
}

let portal: Demo
beforeAll(async () => {
  portal = await startPortal({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
})
afterAll(() => portal.stop())

test('the user import invites 300 people with profile and identity by one CSV', {
  timeout: 180_000,
}, async () => {
  const { call } = await signedInClient(portal.portal, admin)
  const { idPerfil } = await call(profilesApi.create, { body: { nomePerfil: 'Filiais' } })
  const visitor = await visit({ portal: portal.portal, ...looks[0] })
  const { page } = visitor
  await visitor.goto('/')
  await visitor.signIn(admin)
  await visitor.goto('/usuario')
  await press(page, 'Importar CSV')
  const dialog = dialogOf(page, 'Importar usuários')
  const heading = 'nome;e-mail;perfis;identidade de segurança'
  const lines = people.map(({ name, email, identity }) => `${name};${email};Filiais;${identity}`)
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'pessoas.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([heading, ...lines].join('\n')),
  })
  await dialog.getByText('Nenhuma falha').waitFor()
  await dialog.getByLabel('Enviar convites por e-mail').check()
  await settled(visitor, '300 people, before they are invited')
  await press(dialog, 'Importar 300 usuários')
  await dialog.getByText('300 usuários importados!').waitFor()
  // Invitations leave no password behind.
  expect(await dialog.getByRole('button', { name: 'Baixar senhas' }).count()).toBe(0)
  await settled(visitor, '300 people invited')
  await visitor.close()

  const list = await call(usersApi.list, { query: { busca: 'Pessoa' } })
  expect(list).toHaveLength(people.length)
  expect(list.every(({ convitePendente }) => convitePendente)).toBe(true)
  expect(await call(profilesApi.listMembers, { params: { id: idPerfil }, query: {} })).toHaveLength(
    people.length,
  )

  const last = people.at(-1) ?? { name: '', email: '', identity: '' }
  const { link = '' } = await awaitMail(portal.dataDir, last.email)
  const guest = await visit({ portal: portal.portal, ...looks[1] })
  const { pathname, search } = new URL(link)
  await guest.goto(pathname + search)
  await guest.page.getByRole('heading', { name: `Olá, ${last.name}!` }).waitFor()
  await guest.page.getByLabel('Senha', { exact: true }).fill(password)
  await guest.page.getByLabel('Confirmar senha', { exact: true }).fill(password)
  await press(guest.page, 'Definir senha')
  await guest.page.getByRole('heading', { name: 'Senha definida!' }).waitFor()
  await guest.goto('/')
  await guest.signIn({ ...last, password })
  await guest.close()
  const [signedIn] = await call(usersApi.list, { query: { busca: last.email } })
  expect(signedIn).toMatchObject({ identidadeRls: last.identity, convitePendente: false })
})
