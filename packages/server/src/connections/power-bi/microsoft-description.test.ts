import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SeenRequest } from '../../../test/stand-ins/provider-requests.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { loadConfig } from '../../platform/config/config.ts'
import type { Connection } from './connection.ts'
import { createEmbedIssuer } from './embed-issuer.ts'
import { createEntraTokens } from './entra-tokens.ts'
import { createPowerBiApi } from './power-bi-api.ts'

/* Checks the portal's calls against Microsoft's description, a file outside the checkout. */

const file = join(process.env.SHARED_FOLDER ?? '', 'powerbi/microsoft-rest-api.swagger.json')
const absent = !existsSync(file)
if (absent) console.warn(`SKIPPED: Microsoft's REST description is not at ${file}`)

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const connection = (credential: Connection['credential']): Connection => ({
  id: 1,
  version: 1,
  provider: 'microsoft',
  tenantId: crypto.randomUUID(),
  applicationId: crypto.randomUUID(),
  credential,
  secret: () => 'segredo & com = sinais',
})

const issueThrough = async (credential: Connection['credential']): Promise<SeenRequest[]> => {
  provider.restore()
  const { origin } = provider
  const { addresses } = loadConfig({
    POWERBI_API_URL: origin,
    POWERBI_AUTHORITY_URL: origin,
    POWERBI_EMBED_URL: origin,
  }).bi
  const now = () => new Date()
  const api = createPowerBiApi({
    addresses,
    timeoutMs: 1000,
    tokens: createEntraTokens({ addresses, timeoutMs: 1000, now }),
  })
  const issuer = createEmbedIssuer({ api, addresses, now })
  const report = {
    connection: connection(credential),
    groupId: crypto.randomUUID(),
    reportId: crypto.randomUUID(),
    datasetsAdicionais: [],
  }
  const bearer = { reader: 'a-mark' }
  await api.listGroups(report.connection)
  await api.listReports(report.connection, report.groupId)
  await api.listPages(report.connection, report)
  await issuer.issue(report, undefined, bearer)
  await issuer.issue(
    report,
    { username: 'helena@exemplo.com.br', roles: ['Operadora'], customData: 'CNU' },
    bearer,
  )
  await issuer.issue(
    { ...report, datasetsAdicionais: [`${crypto.randomUUID()}/${crypto.randomUUID()}`] },
    { username: 'helena@exemplo.com.br' },
    bearer,
  )
  provider.answer('report', ({ path }) => {
    const id = path.split('/').at(-1)
    return { body: { id, reportType: 'PaginatedReport', embedUrl: `${origin}/rdlEmbed?reportId=${id}` } }
  })
  const paginated = { ...report, reportId: crypto.randomUUID(), datasetsAdicionais: [crypto.randomUUID()] }
  await issuer.issue(paginated, { username: 'helena@exemplo.com.br' }, bearer)
  await api.startExport(report.connection, paginated, {
    format: 'XLSX',
    type: 'PAGINADO',
    requestedFor: 'x',
    brand: { name: 'Rede Horizonte', color: '#7a1f5c', logo: null },
    parameters: [{ name: 'Ano', value: '2026' }],
    identity: { username: 'helena@exemplo.com.br', roles: ['Operadora'] },
  })
  return [...provider.seen]
}

test('the portal requests Entra tokens as documented, for both kinds of credential', async () => {
  const [principal] = await issueThrough({ kind: 'service_principal' })
  expect(principal?.contentType).toMatch('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(principal?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: expect.any(String),
    client_secret: 'segredo & com = sinais',
    scope: 'https://analysis.windows.net/powerbi/api/.default',
  })
  const [master] = await issueThrough({ kind: 'master_user', username: 'bi@exemplo.com.br' })
  expect(Object.fromEntries(new URLSearchParams(master?.body))).toMatchObject({
    grant_type: 'password',
    username: 'bi@exemplo.com.br',
    password: 'segredo & com = sinais',
  })
})

test.skipIf(absent)('the portal sends only calls and bodies in the description', async () => {
  const description = JSON.parse(readFileSync(file, 'utf8'))
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...description, $id: 'microsoft' })
  const sent = (await issueThrough({ kind: 'service_principal' })).filter(({ path }) =>
    path.startsWith('/v1.0/'),
  )
  expect(sent).toHaveLength(15)
  for (const { method, path: address, body } of sent) {
    const [path = '', query] = address.split('?')
    const known = Object.keys(description.paths).find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[0-9a-f-]{36}')}$`).test(path),
    )
    const operation = known && description.paths[known][method.toLowerCase()]
    expect(operation, `${method} ${path}`).toBeDefined()
    const allowedInQuery = operation.parameters
      ?.filter((parameter: { in: string }) => parameter.in === 'query')
      .map(({ name }: { name: string }) => name)
    for (const name of new URLSearchParams(query).keys()) expect(allowedInQuery).toContain(name)
    if (method !== 'POST') continue
    const { schema } = operation.parameters.find((parameter: { in: string }) => parameter.in === 'body')
    const validate = ajv.compile({ $ref: `microsoft${schema.$ref}` })
    validate(JSON.parse(body))
    expect(validate.errors).toBeNull()
    const [, definition] = /#\/definitions\/(.+)/.exec(schema.$ref) ?? []
    const allowed = Object.keys(description.definitions[definition ?? ''].properties)
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(JSON.parse(body))))
  }
})

test.skipIf(absent)('the portal parses the lists in the description’s examples', async () => {
  const { paths } = JSON.parse(readFileSync(file, 'utf8'))
  const exampleOf = (path: string) => {
    const [example] = Object.values<{ responses: { 200: { body: { value: object[] } } } }>(
      paths[`/v1.0/myorg${path}`].get['x-ms-examples'],
    )
    return example?.responses[200].body ?? { value: [] }
  }
  const groups = exampleOf('/groups')
  const reports = exampleOf('/groups/{groupId}/reports')
  provider.restore()
  provider.answer('groups', () => ({ body: groups }))
  provider.answer('groupReports', () => ({ body: reports }))
  const { origin } = provider
  const { addresses } = loadConfig({ POWERBI_API_URL: origin, POWERBI_AUTHORITY_URL: origin }).bi
  const limits = { addresses, timeoutMs: 1000 }
  const api = createPowerBiApi({
    ...limits,
    tokens: createEntraTokens({ ...limits, now: () => new Date() }),
  })
  const principal = connection({ kind: 'service_principal' })
  expect(await api.listGroups(principal)).toMatchObject(
    groups.value.map((group) => pick(group, ['id', 'name'])),
  )
  expect(await api.listReports(principal, crypto.randomUUID())).toMatchObject(
    reports.value.map((report) => pick(report, ['id', 'name', 'datasetId'])),
  )
})

const pick = (item: object, fields: string[]) =>
  Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field)))
