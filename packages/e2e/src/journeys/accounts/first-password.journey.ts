import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillNewPassword } from '../../browser/sign-in.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* Without ADMIN_PASSWORD the first administrator signs in with a generated password. */

const email = 'chefe@empresa.exemplo'

let portal: Demo
beforeAll(async () => {
  portal = await startPortal({ ADMIN_EMAIL: email })
})
afterAll(async () => {
  await portal.stop()
})

const passwordFiles = async () =>
  (await readdir(portal.dataDir)).filter((name) => name.startsWith('first-password'))

test('the first administrator must replace the generated password before the portal opens', async () => {
  const [file = ''] = await passwordFiles()
  const [, generated = ''] = /^Senha: (.+)$/m.exec(await readFile(join(portal.dataDir, file), 'utf8')) ?? []
  const visitor = await visit({ portal: portal.portal, ...looks[1] })
  const { page } = visitor
  await visitor.goto('/')
  await visitor.signIn({ email, password: generated, name: 'Administrador' })
  await page.getByText(/A sua senha foi gerada na instalação/).waitFor()
  expect(await page.getByRole('button', { name: 'Agora não' }).count()).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
  await settled(visitor, 'the password that the portal demands')

  await visitor.goto('/usuario')
  await page.getByText(/A sua senha foi gerada na instalação/).waitFor()
  await fillNewPassword(page, 'Girassol de inverno 58')
  await press(page, 'Alterar senha')
  await page.waitForURL(/\/usuario$/)
  await page.getByRole('main').getByText(email).first().waitFor()
  expect(await passwordFiles()).toEqual([])
  await visitor.close()
})
