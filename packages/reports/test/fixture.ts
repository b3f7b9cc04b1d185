import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildApp } from '../src/app.ts'
import { check } from '../src/authoring/publish/publish.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { ProcessEnd } from '../src/engine/data/database/database-process.ts'
import type { Identity } from '../src/http/tokens.ts'
import { ensureServiceFile } from '../src/protocol/rest/service-file.ts'
import type { PageData } from '../src/wire/embed-contract.ts'
import { microsoft } from './microsoft.ts'

export const GROUP = 'a0000000-0000-4000-8000-000000000001'
export const OTHER_GROUP = 'a0000000-0000-4000-8000-000000000002'
export const CLAIMS = 'd0000000-0000-4000-8000-000000000001'
export const PLAIN = 'd0000000-0000-4000-8000-000000000002'
/** Over CLAIMS, which requires an identity. */
export const REPORT = 'e0000000-0000-4000-8000-000000000001'
/** Over PLAIN, which has no roles. */
export const PLAIN_REPORT = 'e0000000-0000-4000-8000-000000000002'
export const UNKNOWN = 'f0000000-0000-4000-8000-000000000009'
export const API_SCOPE = 'https://analysis.windows.net/powerbi/api/.default'

const layout = { x: 0, y: 0, width: 400, height: 300 }
export const visual = (name: string, query: string, more: object = {}) => ({
  name,
  type: 'table',
  title: name,
  layout,
  query,
  ...more,
})

const CLAIMS_CSV = `id,operadora,sexo,valor,dia,pago,hora
1,BRADESCO,masculino,100.50,2024-01-05,true,2024-01-05 10:00:00
2,BRADESCO,feminino,200,2024-02-10,false,2024-02-10 11:30:00
3,CNU,masculino,300,2024-03-15,true,2024-03-15 12:00:00
4,CNU,,50,2024-03-20,true,2024-03-20 08:00:00
5,SANTA_CASA,Feminino,75.25,,false,
`
const ACCESS_CSV = `email,operadora
ana@x.br,CNU
ana@x.br,SANTA_CASA
bia@x.br,BRADESCO
`
const claimsDataset = {
  id: CLAIMS,
  name: 'Sinistros',
  requiresIdentity: true,
  tables: { Claims: { file: 'claims.csv' }, Access: { file: 'access.csv', hidden: true } },
  roles: [
    { name: 'todos', rows: {} },
    { name: 'bradesco', rows: { Claims: "operadora = 'BRADESCO'" } },
    { name: 'cnu', rows: { Claims: "operadora = 'CNU'" } },
    {
      name: 'por-usuario',
      rows: { Claims: ['operadora IN (', 'SELECT operadora FROM Access', 'WHERE email = $username)'] },
    },
    { name: 'por-dado', rows: { Claims: 'operadora = $customdata' } },
  ],
}
const claimsReport = {
  id: REPORT,
  name: 'Sinistralidade',
  dataset: CLAIMS,
  filterPane: [{ target: { table: 'Claims', column: 'operadora' }, label: 'Operadora' }],
  pages: [
    {
      name: 'Main',
      displayName: 'Principal',
      visuals: [
        visual('ids', 'SELECT id FROM Claims ORDER BY id'),
        visual('total', 'SELECT sum(valor) AS total, count(*) AS n FROM claims'),
        visual(
          'types',
          'SELECT dia, hora, pago, valor::DECIMAL(10,2) AS valor, id::HUGEINT AS id FROM Claims WHERE id = 1',
        ),
      ],
    },
    {
      name: 'Second',
      displayName: 'Segunda',
      visuals: [visual('many', 'SELECT a.id FROM Claims a, range(4000)')],
    },
  ],
}
const plainReport = {
  id: PLAIN_REPORT,
  name: 'Simples',
  dataset: PLAIN,
  pages: [
    { name: 'Main', displayName: 'Principal', visuals: [visual('n', 'SELECT count(*) AS n FROM Claims')] },
  ],
}

/** Path in the data folder → content; objects that are no bytes become JSON. */
export type Files = Record<string, string | object>

/** Returns the dataset with roles, with `requiresIdentity` only as given. */
export const openRoles = (more: object): Files => {
  const { requiresIdentity: _said, ...dataset } = claimsDataset
  return { 'datasets/claims/dataset.json': { ...dataset, ...more } }
}

export const fixtureFiles: Files = {
  'datasets/claims/dataset.json': claimsDataset,
  'datasets/claims/claims.csv': CLAIMS_CSV,
  'datasets/claims/access.csv': ACCESS_CSV,
  'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
  'datasets/plain/c.csv': 'x\n1\n2\n',
  'workspaces/one/workspace.json': { id: GROUP, name: "Diretoria D'Oeste" },
  'workspaces/one/claims.json': claimsReport,
  'workspaces/two/workspace.json': { id: OTHER_GROUP, name: 'Outro' },
  'workspaces/two/plain.json': plainReport,
}
export { claimsDataset, claimsReport, plainReport }

export const writeFiles = async (dir: string, files: Files) => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name)
    await mkdir(join(path, '..'), { recursive: true })
    const isText = typeof content === 'string' || content instanceof Uint8Array
    await writeFile(path, isText ? content : JSON.stringify(content))
  }
}

type Settings = {
  files?: Files
  env?: Record<string, string>
  options?: Parameters<typeof buildApp>[1]
  /** The name of a data folder inside the temporary folder. */
  folderName?: string
}
export type Service = Awaited<ReturnType<typeof startService>>

/** Starts a service on a temporary folder, with a fake clock. The caller stops it. */
export const startService = async ({
  files = {},
  env = {},
  options = {},
  folderName = '',
}: Settings = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'reports-'))
  const dataDir = join(home, folderName)
  await writeFiles(dataDir, { ...fixtureFiles, ...files })
  const config: Config = readConfig({ REPORTS_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env })
  const ends: ProcessEnd[] = []
  const clock = { now: Date.parse('2026-03-01T12:00:00Z') }
  const { app, loaded, versions, databaseProcess, measured } = await buildApp(config, {
    now: () => clock.now,
    onDatabaseEnded: (end) => ends.push(end),
    ...options,
  })
  const credentials = await ensureServiceFile(dataDir)
  await app.ready()

  const [application] = credentials.applications
  const oauth = (form: Record<string, string>, tenant = credentials.tenantId) =>
    app.inject({
      method: 'POST',
      url: `/${tenant}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  const clientForm = {
    grant_type: 'client_credentials',
    client_id: application?.clientId ?? '',
    client_secret: application?.clientSecret ?? '',
    scope: API_SCOPE,
  }
  const entraToken = async (): Promise<string> => (await oauth(clientForm)).json().access_token
  /** Makes a REST call; successful answers are validated against Microsoft's description. */
  const rest = async (token: string | undefined, method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/v1.0/myorg${path}`
    const answer = await app.inject({
      method,
      url,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    if (answer.statusCode < 300) {
      const call = { method, url, ...(payload && { sent: payload }) }
      const faults = microsoft?.faultsOf({
        ...call,
        status: answer.statusCode,
        received: answer.body ? answer.json() : undefined,
      })
      if (faults?.length) throw new Error(faults.join('\n'))
    }
    return answer
  }
  /** Requests an embed token for REPORT through the REST API. */
  const embedToken = async (
    roles: string[],
    more: Partial<Identity> = {},
    grant: { lifetimeInMinutes?: number; '@biManager.reader'?: string } = {},
  ) => {
    const identity = { username: 'ana@x.br', datasets: [CLAIMS], roles, ...more }
    const path = `/groups/${GROUP}/reports/${REPORT}/GenerateToken`
    const answer = await rest(await entraToken(), 'POST', path, { identities: [identity], ...grant })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json().token as string
  }
  const embed = (token: string | undefined, method: 'GET' | 'POST', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/embed-api${path}`,
      headers: token === undefined ? {} : { authorization: `EmbedToken ${token}` },
      ...(payload && { payload }),
    })
  const data = (token: string, filters: object[] = [], page = 'Main', report = REPORT) =>
    embed(token, 'POST', `/reports/${report}/data`, { page, filters })
  /** Returns the ids of the claims that a token shows with these filters. */
  const ids = async (token: string, filters: object[] = []) => {
    const answer = await data(token, filters)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return (answer.json() as PageData).visuals.ids?.rows.map(([id]) => id)
  }
  const stop = async () => {
    await app.close()
    await rm(home, { recursive: true })
  }
  return {
    app,
    loaded,
    versions,
    databaseProcess,
    ends,
    measured,
    config,
    clock,
    credentials,
    clientForm,
    dataDir,
    oauth,
    entraToken,
    rest,
    embedToken,
    embed,
    data,
    ids,
    stop,
  }
}

/** Starts a service, waits until it is ready, and stops it when the test ends. */
export const serviceWith = async (settings: Settings = {}) => {
  const service = await startService(settings)
  onTestFinished(service.stop)
  await service.loaded
  return service
}

/** Returns the warnings about files that were left out. */
export const warningsOf = async (files: Files): Promise<string[]> => {
  const { loaded } = await serviceWith({ files })
  return (await loaded).warnings
}

/** Returns the faults of a check of these files, of which nothing is published. */
export const faultsOf = async (files: Files): Promise<string[]> => {
  const home = await mkdtemp(join(tmpdir(), 'autor-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const folder = join(home, 'autor')
  await writeFiles(folder, { ...fixtureFiles, ...files })
  const { faults } = await check({ dataDir: join(home, 'dados'), memoryMegabytes: 256 }, folder)
  return faults.map((fault) => fault.replaceAll(`${folder}/`, ''))
}
