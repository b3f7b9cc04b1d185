import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  capacitiesApi,
  connectionsApi,
  grantsApi,
  reportRegistrationsApi,
  responsiblesApi,
  workspacesApi,
} from '@bi-manager/contract'
import type { SimulatedAzureCapacity } from '@bi-manager/server/test/stand-ins/azure-capacities'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePorts } from '../../../../../scripts/machines/ports.ts'
import { waitForRendered } from '../../browser/report-frame.ts'
import { expectReadable, looks, settled, visit } from '../../browser/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { people } from '../../people/people.ts'
import { startSimulatedAzure } from '../../services/azure-front.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/* Readers of a report whose capacity is paused. The report service plays Power BI. */

const azure: SimulatedAzureCapacity = {
  id: '/subscriptions/548b7fb7-3b2a-4f46-bb02-66473f1fc22c/resourceGroups/bi/providers/Microsoft.Fabric/capacities/producao',
  sku: 'F2',
  state: 'Paused',
  changeMs: 15_000,
}

let front: Awaited<ReturnType<typeof startSimulatedAzure>>
let demo: Demo
let admin: Awaited<ReturnType<typeof signedInClient>>
let reader: Awaited<ReturnType<typeof createPerson>>
let id: number
let path: string
beforeAll(async () => {
  const [port, reportsPort] = await freePorts(2)
  const reports = `http://localhost:${reportsPort}`
  front = await startSimulatedAzure(reports, [azure])
  const ports = { PORT: String(port), REPORTS_PORT: String(reportsPort), REPORTS_URL: reports }
  demo = await startDemo({ ...ports, ...front.settings }, inject('demoData'))
  demo.portal = `http://localhost:${port}`
  admin = await signedInClient(demo.portal, people.admin)
  const { call } = admin
  const [shown] = reportsOf(await admin.menu())
  if (!shown) throw new Error('the demo has no report')
  const { applications } = JSON.parse(await readFile(join(demo.dataDir, 'reports/service.json'), 'utf8'))
  const [responsible] = await call(responsiblesApi.list, { query: {} })
  const { idPowerBI } = await call(connectionsApi.create, {
    body: {
      nome: 'Matriz',
      provedor: 'microsoft',
      username: applications[0].clientId,
      password: applications[0].clientSecret,
      clienteId: 1,
      idResponsavel: responsible?.idResponsavel ?? 1,
    },
  })
  const { idGrupoRelatorio } = await call(workspacesApi.create, {
    body: { nomeGrupo: 'Saúde', idGrupo: shown.groupId, idPowerBi: idPowerBI },
  })
  const { papeisRls } = await call(reportRegistrationsApi.get, { params: { id: shown.idRelatorio } })
  const { idRelatorio } = await call(reportRegistrationsApi.create, {
    body: {
      idGrupoRelatorio,
      nomeRelatorio: 'Custos',
      operadoraRelatorio: 'CNU',
      reportId: shown.reportId,
      papeisRls,
    },
  })
  reader = await createPerson(demo.portal, 'Ana Prado', 'ana.prado@exemplo.com.br')
  await call(grantsApi.create, { body: { idUsuario: reader.idUsuario, idRelatorio } })
  const capacity = await call(capacitiesApi.create, {
    body: {
      nome: 'Produção',
      idPowerBi: idPowerBI,
      recurso: azure.id,
      diasAgenda: ['segunda', 'terca', 'quarta', 'quinta', 'sexta'],
      iniciaAs: '08:00',
    },
  })
  id = capacity.idCapacidade
  path = shown.path
}, 240_000)
afterAll(async () => {
  await demo?.stop()
  await front?.stop()
})

/** How long the portal remembers the states of capacities between two openings, and a moment. */
const rememberedMs = 5_500

const readState = () => admin.call(capacitiesApi.status, { params: { id } })

test('a person who may not start it reads when it starts and whom to ask', {
  timeout: 120_000,
}, async () => {
  await readState()
  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  visitor.expectComplaint(/503/)
  await visitor.enter(reader, path)
  const { page } = visitor
  await page.getByRole('heading', { name: 'Serviço de BI pausado' }).waitFor()
  await page
    .getByText(/Ela inicia (hoje|em \d\d\/\d\d\/\d{4}) às 08:00.* peça a um administrador\./)
    .waitFor()
  await settled(visitor, 'a paused report')
  expect(azure.state).toBe('Paused')

  azure.state = 'Suspended'
  await expect.poll(async () => (await readState()).estado, { timeout: 20_000 }).toBe('SUSPENSA')
  await new Promise((resolve) => setTimeout(resolve, rememberedMs))
  await visitor.goto(path)
  await page.getByText(/foi parada pelo Azure e não pode ser iniciada pelo portal/).waitFor()
  expect(azure.state).toBe('Suspended')
  await visitor.close()
})

test.each(looks)(
  'a person whom the ADMIN allows starts it by opening the report, which waits and opens, on the $size',
  { timeout: 180_000 },
  async (look) => {
    azure.state = 'Paused'
    await admin.call(capacitiesApi.allowPerson, { params: { id, idUsuario: reader.idUsuario } })
    await expect.poll(async () => (await readState()).estado, { timeout: 20_000 }).toBe('PAUSADA')
    await new Promise((resolve) => setTimeout(resolve, rememberedMs))
    const visitor = await visit({ portal: demo.portal, ...look })
    visitor.expectComplaint(/503/)
    await visitor.enter(reader, path)
    const { page } = visitor
    await page.getByRole('heading', { name: 'A capacidade está sendo iniciada' }).waitFor()
    await page.getByRole('progressbar', { name: 'Início da capacidade' }).waitFor()
    await expectReadable(page, `a starting capacity on the ${look.size}`)
    await waitForRendered(page)
    expect(azure.state).toBe('Active')
    await visitor.close()
  },
)
