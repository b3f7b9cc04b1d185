import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* The policy that a new installation proposes to its first administrator. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

let portal: Demo
beforeAll(async () => {
  portal = await startPortal({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
})
afterAll(async () => {
  await portal.stop()
})

test('the first administrator requires a second factor with one click and must set up their own', async () => {
  const visitor = await visit({ portal: portal.portal })
  const { page } = visitor
  await visitor.goto('/')
  await visitor.signIn(admin)
  await page.getByText('Exigir o segundo fator?').waitFor()
  await page.getByText(/1 pessoa ainda não tem\. Você também não tem/).waitFor()
  await settled(visitor, 'the home page with the proposal')
  await visitor.goto('/seguranca')
  await page.getByText('Exigir o segundo fator?').waitFor()
  await page.getByLabel('Exigido de administradores e de quem acessa prontuários').waitFor()
  await settled(visitor, 'the rules with the proposal')
  // Requests sent by the page before the new policy arrived are refused.
  visitor.expectComplaint(/403/)
  await press(page, 'Exigir')
  await page.getByText('Falta só isto para continuar').waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await visitor.close()
})
