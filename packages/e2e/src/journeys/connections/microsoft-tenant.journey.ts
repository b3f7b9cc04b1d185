import {
  endRefresh,
  refreshInProgress,
  refreshThatEnded,
  type SimulatedRefreshes,
} from '@bi-manager/server/test/stand-ins/microsoft-refreshes'
import {
  manyWorkspaces,
  refusals,
  type SimulatedTenant,
  type SimulatedWorkspace,
} from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Look, looks, settled, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { startWithTenant } from '../../services/microsoft.ts'
import { registerConnection, registerWorkspace } from '../../services/microsoft-registrations.ts'

/* What Microsoft may answer about a tenant. The tests share one portal, in this order. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

const day = 24 * 60
const sales: SimulatedRefreshes = {
  history: [
    refreshThatEnded(2, 'Failed', { code: 'ModelRefreshFailed_CredentialsNotSpecified', took: 1 }),
    refreshThatEnded(8, 'Failed', { code: 'DM_GWPipeline_Client_GatewayUnreachable', took: 2 }),
    refreshThatEnded(40, 'Cancelled', { refreshType: 'ViaEnhancedApi', took: 10 }),
    refreshThatEnded(90, 'Completed', { refreshType: 'OnDemand', took: 75 }),
    refreshThatEnded(300, 'Disabled', { took: 0 }),
    refreshThatEnded(2 * day, 'Failed', { code: 'ModelRefresh_ShortMessage_ProcessingError' }),
  ],
  schedule: { days: ['Monday', 'Friday'], times: ['16:30', '05:00'] },
}
/** Six of eight refreshes that a shared capacity accepts a day. */
const stock: SimulatedRefreshes = {
  history: Array.from({ length: 6 }, (_, index) => refreshThatEnded(60 * (index + 1), 'Completed')),
}
const [salesId = '', stockId = '', liveId = '', sparseId = ''] = Array.from({ length: 4 }, () =>
  crypto.randomUUID(),
)
const report = (name: string, datasetId: string) => ({ id: crypto.randomUUID(), name, datasetId })
const workspace: SimulatedWorkspace = {
  id: crypto.randomUUID(),
  name: 'Comercial',
  reports: [report('Vendas', salesId), report('Estoque', stockId), report('Ao vivo', liveId)],
}
/** On the second page of Microsoft's list, without most of what the documentation promises. */
const sparse: SimulatedWorkspace = {
  id: crypto.randomUUID(),
  name: null,
  row: { isReadOnly: null, isOnDedicatedCapacity: null, type: 'NewKind', newField: { any: [null] } },
  reports: [
    { ...report('', sparseId), name: null, reportType: null, description: null, newField: [{}] },
    { ...report('Sem conjunto', sparseId), datasetId: null },
    { ...report('Sem página', sparseId), embedUrl: null },
  ],
}
const others = manyWorkspaces(4_999)
const tenant: SimulatedTenant = {
  workspaces: [
    workspace,
    ...others,
    sparse,
    { id: crypto.randomUUID(), name: 'Ocupado', refusal: refusals.throttled },
  ],
  datasets: {
    [salesId]: { refreshes: sales },
    [stockId]: { refreshes: stock },
    [liveId]: { refreshes: 'not imported' },
    [sparseId]: { row: { name: null, isEffectiveIdentityRequired: null, newField: {} } },
  },
}

let started: Awaited<ReturnType<typeof startWithTenant>>
let reports: number[]
beforeAll(async () => {
  started = await startWithTenant(tenant, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  const api = await signedInClient(started.demo.portal, admin)
  reports = await registerWorkspace(api, await registerConnection(api), workspace)
}, 120_000)
afterAll(() => started?.stop())

const openReport = async (index: number, look: Look) => {
  const visitor = await visit({ portal: started.demo.portal, ...look })
  await visitor.enter(admin, `/RegisterworkspaceRelatorios/${reports[index]}`)
  return { visitor, section: visitor.page.getByRole('region', { name: 'Atualização dos dados' }) }
}

test('5,002 workspaces can be searched, and one of the second page with null fields is imported', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: started.demo.portal })
  await visitor.enter(admin, '/workspace')
  visitor.expectComplaint(/503/)
  const { page, main } = visitor
  await press(main, 'Importar workspaces')
  const dialog = dialogOf(page, 'Importar workspaces')
  await choose(page, 'Power Bi', 'Matriz')
  await dialog.getByText('Mostrando 50 de 5.002 grupos.').waitFor()
  const longest = await page.evaluateHandle(() => {
    const tasks = { ms: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.ms = Math.max(tasks.ms, duration)
    }).observe({ type: 'longtask' })
    return tasks
  })
  const search = dialog.getByLabel('Buscar grupo por nome ou id')
  await search.pressSequentially('Workspace 04')
  const named = others.filter(({ name }) => name?.includes('04')).length.toLocaleString('pt-BR')
  await dialog.getByText(`Mostrando 50 de ${named} grupos.`).waitFor()
  expect(await dialog.getByRole('checkbox').count()).toBe(50)
  for (const name of [sparse.id, 'Ocupado']) {
    await search.fill(name)
    await dialog.getByRole('checkbox', { name }).check()
  }
  const { ms } = await longest.jsonValue()
  expect(ms, 'milliseconds in which the page did not react').toBeLessThan(2_000)
  const lists = started.provider.seen.filter(({ path }) => /[/]groups[?]/.test(path))
  expect(lists.map(({ path }) => path.split('?')[1])).toEqual(['$top=5000', '$top=5000&$skip=5000'])

  await press(dialog, 'Ver relatórios')
  const busy = dialog.getByRole('region', { name: 'Ocupado' })
  await busy.getByText(/recebeu chamadas demais e pede para aguardar 17 segundos/).waitFor()
  const section = dialog.getByRole('region', { name: sparse.id })
  await section.getByText(/^Não tem conjunto de dados/).waitFor()
  await section.getByText('O serviço de BI não informa o endereço da página dele.').waitFor()
  const nameless = sparse.reports?.[0]?.id ?? ''
  await section.getByRole('checkbox', { name: nameless }).check()
  await dialog.getByLabel('Operadora para todos').fill('CNU')
  await page.keyboard.press('Escape')
  await press(dialog, 'Importar')
  await dialog.getByText('1 relatório importado!').waitFor()
  await press(dialog, 'Fechar')

  await visitor.goto('/powerbi')
  await press(page, 'Testar conexão Matriz')
  const testing = dialogOf(page, /^Testar conexão/)
  await testing.getByText('A conexão funciona').waitFor()
  expect(await testing.getByRole('list', { name: /não pôde ser lido/ }).count()).toBe(0)
  await visitor.close()
})

describe("the report's page", () => {
  test("the report's page lists the refreshes at Microsoft with kind, duration and cause, and the schedule", async () => {
    const { visitor, section } = await openReport(0, looks[0])
    await press(section, 'Ver todas (6)')
    const rows = await section.getByRole('row').allTextContents()
    expect(rows.slice(1).map((text) => text.replace(/^\d\d\/\d\d \d\d:\d\d/, ''))).toEqual([
      '1 minAgendadaFalhou',
      expect.stringMatching(/^Faltam as credenciais.*Código: ModelRefreshFailed_CredentialsNotSpecified$/),
      '2 minAgendadaFalhou',
      expect.stringMatching(/^O gateway.*Código: DM_GWPipeline_Client_GatewayUnreachable$/),
      '10 minPela APICancelada',
      '1 h 15 minManualConcluída',
      '0 sAgendadaDesativada',
      '5 minAgendadaFalhou',
      expect.stringMatching(/^Os dados lidos.*Código: ModelRefresh_ShortMessage_ProcessingError$/),
    ])
    // From Microsoft's description of a failure, which can repeat values of the data.
    expect(rows.join()).not.toContain('Ana Souza')
    await section.getByText('Segunda e sexta, às 05:00 e 16:30 (horário de Brasília).').waitFor()
    await section
      .getByText('Nas últimas 24 horas: 5 atualizações. Em capacidade compartilhada, o Power BI aceita 8.')
      .waitFor()
    await settled(visitor, 'refreshes at Microsoft')
    await visitor.close()
  })

  test("the report's page says why data that are not imported have no refreshes", async () => {
    const { visitor, section } = await openReport(2, looks[1])
    visitor.expectComplaint(/502 .*\/dados\//)
    await section.getByText(/não são importados, como em DirectQuery/).waitFor()
    expect(await section.getByRole('button', { name: 'Atualizar agora' }).count()).toBe(0)
    await settled(visitor, 'no refreshes')
    await visitor.close()
  })

  test("the report's page follows refreshes to their end, and explains a running one and the daily limit", async () => {
    const { visitor, section } = await openReport(1, looks[1])
    await section.getByText(/^Nas últimas 24 horas: 6 atualizações\./).waitFor()
    await press(section, 'Atualizar agora')
    await section.getByText(/^Atualizando os dados\./).waitFor()
    await section.getByRole('cell', { name: 'Em andamento' }).waitFor()
    endRefresh(stock)
    await section.getByText('Os dados foram atualizados.').waitFor()
    await section.getByText(/^Nas últimas 24 horas: 7 atualizações\./).waitFor()

    // Started in the Power BI portal; the open page does not know it.
    stock.history.unshift(refreshInProgress())
    visitor.expectComplaint(/409 .*\/dados\/atualizacoes/)
    await press(section, 'Atualizar agora')
    await section.getByText('Estes dados já estão sendo atualizados. Aguarde o fim.').waitFor()
    await settled(visitor, 'a refresh that runs already')
    endRefresh(stock, 'ModelRefreshFailed_CredentialsNotSpecified')
    await section.getByRole('cell', { name: 'Falhou' }).waitFor()
    await section.getByText(/^Faltam as credenciais de uma fonte de dados/).waitFor()
    await section.getByText(/^A atualização não terminou bem\./).waitFor()

    visitor.expectComplaint(/429 .*\/dados\/atualizacoes/)
    await press(section, 'Atualizar agora')
    await section.getByText(/em capacidade compartilhada, o Power BI aceita 8 em 24 horas/).waitFor()
    await settled(visitor, 'the daily limit')
    await visitor.close()
  })
})

test('the bell has one notification for each failure of the last minutes, with its cause', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: started.demo.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(admin, '/saidibi')
  // The portal reads the histories a minute after its start.
  await page.getByRole('button', { name: /^Notificações, \d+ não lidas$/ }).click({ timeout: 90_000 })
  await page.getByRole('link', { name: 'Ver todas' }).click()
  for (const cause of [/Faltam as credenciais.*CredentialsNotSpecified/, /O gateway de dados.*Unreachable/]) {
    const failure = main.getByRole('listitem').filter({ hasText: '“Vendas”' }).filter({ hasText: cause })
    await failure.waitFor()
    expect(await failure.count()).toBe(1)
  }
  // It ended two days ago.
  expect(await main.getByText(/ModelRefresh_ShortMessage/).count()).toBe(0)
  await visitor.close()
})
