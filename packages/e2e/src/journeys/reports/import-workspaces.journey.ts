import { reportRegistrationsApi, workspacesApi } from '@bi-manager/contract'
import {
  manyWorkspaces,
  refusals,
  type SimulatedTenant,
} from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, press, unfold } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { startWithTenant } from '../../services/microsoft.ts'
import { registerConnection } from '../../services/microsoft-registrations.ts'

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const longName = `Sinistralidade por operadora, ${'região e faixa etária, '.repeat(7)}2026`
const capacityId = crypto.randomUUID()

const report = (name: string, fields = {}) => ({
  id: crypto.randomUUID(),
  name,
  datasetId: crypto.randomUUID(),
  ...fields,
})
const tenant: SimulatedTenant = {
  capacities: [{ id: capacityId, displayName: 'Embedded', sku: 'A1', state: 'Suspended' }],
  workspaces: [
    ...manyWorkspaces(5_001),
    { id: crypto.randomUUID(), name: 'Jurídico', refusal: refusals.notMember },
    { id: crypto.randomUUID(), name: 'Pausado', capacityId, reports: [report('Dorme')] },
    {
      id: crypto.randomUUID(),
      name: 'Saúde',
      reports: [
        report('Sinistralidade', { description: null, newField: { any: null } }),
        report(longName),
        report('Notas fiscais', { reportType: 'PaginatedReport', datasetId: null }),
      ],
      dashboards: [{ id: crypto.randomUUID(), displayName: 'Metas do ano' }],
    },
  ],
}

let started: Awaited<ReturnType<typeof startWithTenant>>
let api: Awaited<ReturnType<typeof signedInClient>>
beforeAll(async () => {
  started = await startWithTenant(tenant, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  api = await signedInClient(started.demo.portal, admin)
  await registerConnection(api)
}, 120_000)
afterEach(async () => {
  for (const { idGrupoRelatorio } of await api.call(workspacesApi.list, { query: {} })) {
    for (const { idRelatorio: id } of await api.call(reportRegistrationsApi.list, {
      query: { idGrupoRelatorio },
    }))
      await api.call(reportRegistrationsApi.remove, { params: { id } })
    await api.call(workspacesApi.remove, { params: { id: idGrupoRelatorio } })
  }
})
afterAll(() => started.stop())

describe('Importar workspaces', () => {
  test.each(looks)(
    'the import lists what cannot be read and imports the rest, on the $size in the $colorScheme',
    { timeout: 120_000 },
    async (look) => {
      const visitor = await visit({ portal: started.demo.portal, ...look })
      await visitor.enter(admin, '/workspace')
      visitor.expectComplaint(/50[23]/)
      const { page, main } = visitor
      await unfold(main, look, 'Mais ações')
      await press(main, 'Importar workspaces')
      const dialog = dialogOf(page, 'Importar workspaces')
      await choose(page, 'Power Bi', 'Matriz')
      await dialog.getByText('Mostrando 50 de 5.004 grupos.').waitFor()
      await settled(visitor, `groups of an import on the ${look.size}`)

      const search = dialog.getByLabel('Buscar grupo por nome ou id')
      for (const name of ['Jurídico', 'Pausado', 'Saúde']) {
        await search.fill(name)
        await dialog.getByRole('checkbox', { name }).check()
      }
      await dialog.getByText('3 grupos marcados').waitFor()
      await press(dialog, 'Ver relatórios')

      const section = (name: string) => dialog.getByRole('region', { name })
      await section('Jurídico')
        .getByText(/não participa deste workspace/)
        .waitFor()
      await section('Pausado')
        .getByText(/capacidade do workspace está pausada/)
        .waitFor()
      const health = section('Saúde')
      const dashboard = health.getByRole('checkbox', { name: 'Metas do ano' })
      expect(await dashboard.isDisabled()).toBe(true)
      await health.getByText(/^É um painel \(dashboard\): o portal só incorpora relatórios/).waitFor()
      await health.getByText('paginado', { exact: true }).waitFor()
      await health.getByText('nome longo', { exact: true }).waitFor()

      await press(dialog, 'Importar')
      await dialog.getByText('Marque ao menos um relatório.').waitFor()
      await health.getByRole('checkbox', { name: 'Marcar todos de Saúde' }).check()
      await health.getByText(/tem \d+ caracteres, e o portal aceita 160/).waitFor()
      await dialog.getByLabel('Operadora para todos').fill(look.size === 'desktop' ? 'CNU' : 'BRADESCO')
      await page.keyboard.press('Escape')
      await settled(visitor, `reports of an import on the ${look.size}`)
      await press(dialog, 'Importar')
      await dialog.getByText('3 relatórios importados!').waitFor()
      await settled(visitor, `imported workspaces on the ${look.size}`)
      await press(dialog, 'Fechar')

      const [workspace, ...rest] = await api.call(workspacesApi.list, { query: {} })
      expect([workspace?.nomeGrupo, rest]).toEqual(['Saúde', []])
      const idGrupoRelatorio = workspace?.idGrupoRelatorio ?? 0
      const reports = await api.call(reportRegistrationsApi.list, { query: { idGrupoRelatorio } })
      expect(reports.map(({ nomeRelatorio, tipoRelatorio }) => [nomeRelatorio, tipoRelatorio])).toEqual([
        ['Notas fiscais', 'PAGINADO'],
        ['Sinistralidade', 'INTERATIVO'],
        [`${longName.slice(0, 159).trimEnd()}…`, 'INTERATIVO'],
      ])
      await visitor.close()
    },
  )
})

test.each(looks)(
  "'Testar conexão' lists what it passed over, on the $size in the $colorScheme",
  { timeout: 90_000 },
  async (look) => {
    // The test reads few groups: the first ones are those with something to tell.
    tenant.workspaces = tenant.workspaces.slice(-3)
    const visitor = await visit({ portal: started.demo.portal, ...look })
    await visitor.enter(admin, '/powerbi')
    const { page } = visitor
    await press(page, 'Testar conexão Matriz')
    const dialog = dialogOf(page, /^Testar conexão/)
    await dialog.getByText('A conexão funciona').waitFor()
    const list = dialog.getByRole('list', { name: 'O que não pôde ser lido ou incorporado' })
    await list.getByText('Jurídico', { exact: true }).waitFor()
    await list.getByText('Pausado', { exact: true }).waitFor()
    await settled(visitor, `test with warnings on the ${look.size}`)
    await visitor.close()
  },
)

test("'Testar conexão' follows a redirect, and explains a quota and a wait until a date", {
  timeout: 90_000,
}, async () => {
  const { provider, demo } = started
  const health = tenant.workspaces.at(-1)
  provider.answer('groups', ({ path }) =>
    path.includes('cluster=2')
      ? { body: { value: [{ id: health?.id, name: health?.name, type: 'Workspace' }] } }
      : { status: 307, headers: { location: `${provider.origin}/v1.0/myorg/groups?cluster=2` } },
  )
  const quota = {
    code: 'Forbidden',
    message:
      'You have exceeded the amount of embed token that can be generated on a shared or ProPlus capacity.',
  }
  provider.answer('generateToken', () => ({ status: 403, body: { error: quota } }))
  const visitor = await visit({ portal: demo.portal, ...looks[0] })
  await visitor.enter(admin, '/powerbi')
  const { page } = visitor
  await press(page, 'Testar conexão Matriz')
  const dialog = dialogOf(page, /^Testar conexão/)
  await dialog
    .getByText(/não está em uma capacidade; esperar não adianta/)
    .first()
    .waitFor()
  expect(provider.seen.some(({ path }) => path.endsWith('/groups?cluster=2'))).toBe(true)
  const [date, until] = [new Date(), new Date(Date.now() + 17_000)].map((at) => at.toUTCString())
  provider.answer('generateToken', () => ({
    status: 429,
    headers: { date: date ?? '', 'retry-after': until ?? '' },
  }))
  await press(dialog, 'Testar novamente')
  await dialog
    .getByText(/aguardar 17 segundos/)
    .first()
    .waitFor()
  await visitor.close()
})
