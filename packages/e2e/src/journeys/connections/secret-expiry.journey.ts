import { connectionsApi, usersApi } from '@bi-manager/contract'
import { startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settled, visit } from '../../browser/visitor.ts'
import { dialogOf, passwordField, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

const admin = { name: 'Chefe', email: 'chefe@exemplo.com.br', password: 'Uma senha de chefe 7' }
const day = 24 * 3_600_000
const isoDay = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
const brazilian = (iso: string) => iso.split('-').reverse().join('/')
const entered = isoDay(5)
const readDay = isoDay(200)

let portal: Demo
let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
  portal = await startPortal({
    POWERBI_AUTHORITY_URL: provider.origin,
    POWERBI_API_URL: provider.origin,
    POWERBI_EMBED_URL: provider.origin,
    POWERBI_GRAPH_URL: provider.origin,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  const { call } = await signedInClient(portal.portal, admin)
  const [client] = await call(usersApi.list)
  const body = (nome: string) => ({
    nome,
    username: crypto.randomUUID(),
    password: 'segredo da conexão',
    tenantId: crypto.randomUUID(),
    provedor: 'microsoft' as const,
    clienteId: client?.idUsuario ?? 0,
    idResponsavel: 1,
  })
  await call(connectionsApi.create, { body: { ...body('Matriz'), validadeSegredo: entered } })
  await call(connectionsApi.create, { body: body('Filial') })
})
afterAll(async () => {
  await portal?.stop()
  await provider?.close()
})

const grantGraph = () =>
  provider.answer('application', () => ({
    body: {
      passwordCredentials: [
        { hint: 'seg', startDateTime: '2025-01-01T00:00:00Z', endDateTime: `${readDay}T15:00:00Z` },
      ],
    },
  }))

describe('the expiry of a secret', () => {
  test('the expiry of a secret is entered, read from Microsoft, and asked for again with another secret', {
    timeout: 120_000,
  }, async () => {
    const visitor = await visit({ portal: portal.portal })
    const { page, main } = visitor
    await visitor.enter(admin, '/powerbi')
    await main.getByText('Sem data', { exact: true }).first().waitFor()
    await settled(visitor, 'powerbi with expiries')

    await press(page, 'Testar conexão Matriz')
    const testing = dialogOf(page, 'Testar conexão: Matriz')
    await testing.getByText('A conexão funciona').waitFor()
    await testing.getByText(/Application\.Read\.All/).waitFor()
    await settled(visitor, 'test without permission')
    grantGraph()
    await press(testing, 'Testar novamente')
    await testing.getByText(`O segredo vence em ${brazilian(readDay)}, lido do Microsoft Entra.`).waitFor()
    await press(testing, 'Fechar')
    await main.getByText('lido do Microsoft Entra').filter({ visible: true }).first().waitFor()

    await page.getByRole('link', { name: 'Editar Matriz' }).click()
    const field = page.getByLabel('Validade do segredo')
    await field.waitFor()
    expect(await field.inputValue()).toBe(brazilian(entered))
    await main.getByText(new RegExp(`^Lido do Microsoft Entra: vence em ${brazilian(readDay)}`)).waitFor()
    await settled(visitor, 'expiry read')
    await passwordField(page).fill('um segredo novo')
    await main.getByText(/^A senha mudou: informe quando o segredo novo vence\./).waitFor()
    expect(await field.inputValue()).toBe('')
    await settled(visitor, 'expiry asked for')
    await press(page, 'Manter a senha atual')
    expect(await field.inputValue()).toBe(brazilian(entered))

    await visitor.goto('/situacao')
    const card = main.getByRole('region', { name: 'Segredos que vencem', exact: true })
    await card.getByText(`Vale até ${brazilian(readDay)}, lido do Microsoft Entra.`).waitFor()
    await card.getByText(/^Sem data de validade/).waitFor()
    await settled(visitor, 'secrets in the system status')
    await visitor.close()
  })
})
