import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { type SimulatedDataset, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'

const { suite, publish, viewer } = embeddingSuite()

const [own, chained, shared] = [randomUUID(), randomUUID(), randomUUID()]
/** A workspace besides the report's. */
const elsewhere = randomUUID()

/** Publishes a report on the dataset `own`, and opens it as a person with an identity. */
const open = async (
  datasets: Record<string, SimulatedDataset>,
  fields: Parameters<typeof publish>[0],
  described: object = {},
) => {
  const { report, address } = await publish(fields)
  const shown = { id: report.reportId, name: 'Vendas', datasetId: own, ...described }
  const page = simulateTenant(suite.provider, {
    workspaces: [
      { id: address.groupId, name: 'Gestão', reports: [shown] },
      { id: elsewhere, name: 'Dados' },
    ],
    datasets,
  })
  const { post, user } = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
  const ask = () => post('/usuarios/relatorio/embed', address)
  const { status, body } = await ask()
  return { status, body, ask, username: user.emailUsuario, page }
}
const asked = () => {
  const sent = suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).at(-1)
  return sent && JSON.parse(sent.body)
}
const required = { isEffectiveIdentityRequired: true }
const requiredRoles = { ...required, isEffectiveIdentityRolesRequired: true }

test('a composite model gets a token for each registered dataset, in any workspace', async () => {
  const datasets = {
    [own]: { upstream: [chained] },
    [chained]: { upstream: [shared], workspaceId: elsewhere },
  }
  const datasetsAdicionais = [`${elsewhere}/${chained}`, shared, own]
  const { status, body, ask, page } = await open(datasets, { datasetsAdicionais })
  expect(status).toBe(200)
  expect(asked().datasets).toEqual([
    { id: own, xmlaPermissions: 'ReadOnly' },
    { id: chained, xmlaPermissions: 'ReadOnly' },
    { id: shared, xmlaPermissions: 'ReadOnly' },
  ])
  expect(page.missingDatasets(body.embedToken)).toEqual([])

  const calls = suite.provider.seen.length
  expect((await ask()).body.embedToken).toBe(body.embedToken)
  expect(suite.provider.seen).toHaveLength(calls)
})

test('the token of a composite model whose datasets are not registered opens only its own', async () => {
  const { body, page } = await open({ [own]: { upstream: [chained] } }, {})
  expect(asked().datasets).toEqual([{ id: own }])
  expect(page.missingDatasets(body.embedToken)).toEqual([own, chained])
})

test('a dataset in another workspace needs no target workspace, where the holder could create reports', async () => {
  const described = { datasetWorkspaceId: elsewhere }
  const { status } = await open({ [own]: { workspaceId: elsewhere } }, {}, described)
  expect(status).toBe(200)
  expect(Object.keys(asked())).toEqual(['reports', 'datasets'])
})

test('each dataset that requires an identity gets it, with the roles if it requires roles', async () => {
  const unrestricted = randomUUID()
  const datasets = { [own]: requiredRoles, [chained]: required, [shared]: requiredRoles, [unrestricted]: {} }
  const datasetsAdicionais = [chained, shared, unrestricted]
  const { status, username } = await open(datasets, { papeisRls: ['Vendedor'], datasetsAdicionais })
  expect(status).toBe(200)
  expect(asked().identities).toEqual([
    { username, customData: 'CNU', roles: ['Vendedor'], datasets: [own, shared] },
    { username, customData: 'CNU', datasets: [chained] },
  ])
})

test('an identity without roles is sent for each dataset that requires one', async () => {
  const datasets = { [own]: required, [chained]: required, [shared]: {} }
  const { status, username } = await open(datasets, {
    enviaIdentidade: true,
    datasetsAdicionais: [chained, shared],
  })
  expect(status).toBe(200)
  expect(asked().identities).toEqual([{ username, customData: 'CNU', datasets: [own, chained] }])
})

test.each([
  ['an identity', required, {}],
  ['roles', requiredRoles, { enviaIdentidade: true }],
])('the token is refused when an additional dataset requires %s that the report lacks', async (...row) => {
  const [, flags, fields] = row
  const datasets = { [own]: required, [chained]: flags }
  const { status, body } = await open(datasets, { ...fields, datasetsAdicionais: [chained] })
  expect([status, body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
  expect(asked()).toBeUndefined()
})

test('the report does not open without an additional dataset that does not exist', async () => {
  const datasets = { [chained]: { workspaceId: elsewhere } }
  const { status, body } = await open(datasets, { datasetsAdicionais: [chained] })
  expect([status, body.codigo]).toEqual([502, 'bi_relatorio_inexistente'])
  expect(asked()).toBeUndefined()
})

test('Azure Analysis Services gets the user that the report names, and the person in customData', async () => {
  const onlyUser = randomUUID()
  const datasets = { [own]: { ...required, onlyUser } }
  const refused = await open(datasets, { enviaIdentidade: true })
  expect([refused.status, refused.body.codigo]).toEqual([502, 'bi_sem_acesso'])
  const { status } = await open(datasets, { enviaIdentidade: true, usuarioIdentidade: onlyUser })
  expect(status).toBe(200)
  expect(asked().identities).toEqual([{ username: onlyUser, customData: 'CNU', datasets: [own] }])
})
