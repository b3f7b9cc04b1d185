import { type Connection, connectionsApi } from '@bi-manager/contract'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { settled, visit } from '../../browser/visitor.ts'
import { administrator, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { awaitMail } from '../../people/outbox.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
const dataDir = inject('dataDir')
let api: Awaited<ReturnType<typeof signedInClient>>
let connection: Connection
beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
  const [known] = await api.call(connectionsApi.list, { query: { pagina: 1 } })
  connection = await api.call(connectionsApi.create, {
    body: {
      nome: 'Jornada da situação',
      username: crypto.randomUUID(),
      password: 'um segredo que o serviço local não conhece',
      provedor: 'local',
      clienteId: known?.clienteId ?? 0,
      idResponsavel: 1,
    },
  })
})
afterAll(async () => {
  await api.call(connectionsApi.remove, { params: { id: connection.idPowerBI } })
})

describe('the system status', () => {
  test('the system status opens from the menu, shows every item and sends a test e-mail', async () => {
    const visitor = await administrator('/saidibi')
    const { page, main } = visitor
    await press(page, 'Configurações')
    await press(page, 'Sistema')
    await page.getByRole('link', { name: 'Situação do sistema' }).last().click()
    await main.getByRole('heading', { name: 'Situação do sistema', exact: true }).waitFor()
    const card = (name: string) => main.getByRole('region', { name, exact: true })
    await card('Banco de dados').getByText('O banco responde.').waitFor()
    await card('Serviço de relatórios')
      .getByText(/^O serviço de relatórios responde, com \d+ relatórios?\.$/)
      .waitFor()
    for (const name of [
      'Portal',
      'Espaço em disco',
      'E-mail',
      'Conexões de BI',
      'Cópia de segurança',
      'Certificados',
      'Segredos que vencem',
      'Trabalhos em espera',
    ]) {
      await card(name).waitFor()
    }
    await settled(visitor, 'system status')

    await press(card('E-mail'), 'Enviar teste')
    await card('E-mail')
      .getByText(/^Nada foi enviado: sem SMTP_URL, a mensagem ficou no arquivo .+-teste-0\.eml/)
      .waitFor()
    expect((await awaitMail(dataDir, people.admin.email)).subject).toBe('E-mail de teste do BI Manager')
    await settled(visitor, 'system status after a test e-mail')
    await visitor.close()
  })

  test('the system status shows why a connection test failed and when its secret expires', async () => {
    const visitor = await administrator('/situacao')
    const { page, main } = visitor
    const connections = main.getByRole('region', { name: 'Conexões de BI', exact: true })
    // The server caches its answer for three seconds.
    const lookUntil = (shown: Locator) =>
      expect
        .poll(
          async () => {
            await press(main, 'Verificar de novo')
            return shown.count()
          },
          { interval: 1_000, timeout: 20_000 },
        )
        .toBe(1)
    const own = connections.getByRole('listitem').filter({ hasText: connection.nome })
    await own.getByText('Nunca foi testada: use Testar conexão.').waitFor()
    await own.getByRole('link').click()
    await press(main, 'Testar conexão')
    await page.getByRole('button', { name: 'Testar novamente' }).waitFor()
    await page.keyboard.press('Escape')

    const expiry = main.getByLabel('Validade do segredo')
    await expiry.fill('31/02/2027')
    await press(main, 'Gravar')
    await main.getByText('Informe uma data válida.').waitFor()
    await settled(visitor, 'connection form with a wrong date')
    visitor.expectComplaint(/422/)
    const soon = new Date(Date.now() + 5 * 24 * 3_600_000)
    await expiry.fill(soon.toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' }))
    await press(main, 'Gravar')
    await page.getByRole('dialog').getByText('Powerbi editado').first().waitFor()

    await visitor.goto('/situacao')
    await lookUntil(own.getByText('Foi editada depois do último teste: teste de novo.'))
    const secrets = main.getByRole('region', { name: 'Segredos que vencem', exact: true })
    await secrets.getByText(/^Vence em 5 dias \(/).waitFor()
    await main.getByRole('link', { name: 'Segredos que vencem' }).click()
    await api.call(connectionsApi.test, { params: { id: connection.idPowerBI } })
    await lookUntil(own.getByRole('img', { name: 'Falha' }))
    await settled(visitor, 'system status with a failure')
    await visitor.close()
  })

  test('the system status is not shown to a USER', async () => {
    const visitor = await visit()
    await visitor.enter(people.ana, '/situacao')
    await visitor.main.getByRole('heading').first().waitFor()
    expect(await visitor.page.getByText('Banco de dados').count()).toBe(0)
    await visitor.close()
  })
})
