import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* Runs `npm run reports -- publish` while the portal runs and holds its database. */

const RUN = fileURLToPath(new URL('../../../../../scripts/run.js', import.meta.url))

let port: number
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as AddressInfo).port
})

const [dataset, workspace, report] = [randomUUID(), randomUUID(), randomUUID()]
const definition = (more: object = {}) => ({
  id: dataset,
  name: 'Vendas',
  tables: { V: { file: 'v.csv' } },
  ...more,
})
const visual = { name: 'v', type: 'card', title: 'V', query: 'SELECT sum(valor) AS v FROM V' }
const layout = { x: 0, y: 0, width: 100, height: 100 }
const pages = [{ name: 'p', displayName: 'P', visuals: [{ ...visual, layout }] }]
const published = {
  'dados/service.json': '{}',
  'dados/datasets/v/dataset.json': definition(),
  'dados/datasets/v/v.csv': 'loja,valor\na,1\n',
  'dados/workspaces/w/workspace.json': { id: workspace, name: 'Vendas' },
  'dados/workspaces/w/r.json': { id: report, name: 'Vendas por loja', dataset, pages },
}
const roles = [{ name: 'Loja', rows: { V: 'loja = $customdata' } }]

/** Returns the command's output for a new version of a dataset that has no roles yet. */
const run = async (command: 'publish' | 'check', more: object, env: Record<string, string> = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'perda-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const files = {
    ...published,
    'novo/dataset.json': definition(more),
    'novo/v.csv': 'loja,valor\na,2\n',
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const settings = {
    PATH: process.env.PATH ?? '',
    REPORTS_DATA_DIR: join(home, 'dados'),
    DATA_DIR: app.services.config.dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...env,
  }
  const ran = await promisify(execFile)(process.execPath, [RUN, 'reports', command, join(home, 'novo')], {
    env: settings,
  })
  return ran.stdout
}

test('publish and check list the reports and users that lose access when roles become required', async () => {
  const { idPowerBi } = await createConnection(app, { provedor: 'local' })
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Vendas' })
  const fields = { idGrupoRelatorio, reportId: report }
  const open = await createReport(app, { ...fields, nomeRelatorio: 'Loja a loja' })
  await createReport(app, { ...fields, nomeRelatorio: 'Com papéis', papeisRls: ['Loja'] })
  const people = [await createUser(app), await createUser(app), await createUser(app)]
  for (const { idUsuario } of people) await grantReport(app, idUsuario, open.idRelatorio)

  for (const command of ['check', 'publish'] as const) {
    const said = await run(command, { roles })
    expect(said).toContain(
      'aviso  Só abrem com papéis de segurança, a partir desta publicação: "Vendas por loja" (workspaces/w/r.json).\n',
    )
    expect(said).toContain(
      'aviso  No portal, sem papéis: "Loja a loja" (Vendas), que 3 pessoas podem abrir.\n',
    )
    expect(said).toContain('aviso  Ao todo, 3 pessoas perdem o acesso.')
    expect(said).not.toContain('Com papéis')
  }
  expect(await run('publish', { roles, requiresIdentity: false })).not.toContain('Só abrem')
  expect(await run('publish', {})).not.toContain('Só abrem')
}, 120_000)

test('publish works and says why users are not counted when the portal does not answer', async () => {
  const said = await run('publish', { roles }, { PORT: '9' })
  expect(said).toContain('aviso  Só abrem com papéis de segurança')
  expect(said).toContain('o portal não respondeu em http://127.0.0.1:9. Rode o comando na máquina do portal')
  expect(said).toContain('Publicado em ')
  const elsewhere = await run('publish', { roles }, { DATA_DIR: tmpdir() })
  expect(elsewhere).toContain(
    `Não se sabe quantas pessoas perdem o acesso: não há chave do portal em ${tmpdir()}.`,
  )
}, 120_000)
