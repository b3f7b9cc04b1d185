import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/platform/db/migrations/migrate.ts'
import { openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import {
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { startOwnPostgres } from '../machines/postgres.ts'

/*
 * Tests the code before the newest migration, from the git history, on a database migrated by the
 * current code: its own API tests on the new schema, and an old and a new portal on one database.
 */

const root = join(import.meta.dirname, '../..')
const migrations = 'packages/server/migrations'
const newest = readdirSync(join(root, migrations))
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .at(-1)

const git = (...args: string[]): string => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/** Returns the newest tag without the migration, or the commit before it, or ''. */
const previousRevision = (): string => {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*')
  const hasMigration = (revision: string) => git('ls-tree', revision, `${migrations}/${newest}`) !== ''
  if (tag && !hasMigration(tag)) return tag
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${migrations}/${newest}`)
  return added && git('rev-parse', '--verify', '--quiet', `${added}^`)
}

/**
 * The old code's API tests about readers, administrators and clinicians: today's folder or file, then
 * its places in older layouts. Tests of its commands are left out, since they refuse a newer database
 * (ADR 0039).
 */
const apiTests = [
  ['accounts/sign-in', 'features/sign-in', 'features/sessions'],
  ['accounts/identity-provider', 'features/oidc', 'features/sessions'],
  ['accounts/own-account', 'features/own-account', 'features/sessions'],
  ['accounts/users/users', 'features/users/users'],
  ['accounts/users/approvals', 'features/users/approvals'],
  ['accounts/users/invitations', 'features/users/invitations'],
  ['reports/workspaces', 'features/workspaces'],
  ['connections/connections', 'features/connections'],
  ['reports/registrations', 'features/report-records'],
  ['reports/embedding', 'features/embedding'],
  ['clinical/medical-records', 'features/medical-records'],
  ['clinical/attachments', 'features/attachments'],
  // Beside them are tests of commands.
  ['operations/audit/audit', 'features/audit'],
  ['platform/http/api/permission-matrix', 'platform/http/permission-matrix', 'http/permission-matrix'],
]

/** The browser journeys of the previous version that run, in the same way: of all kinds of people. */
const journeys = [
  ['reports/main-job', 'main-job'],
  // The whole name: `sign-in-networks` starts a demo with another key on the same database.
  ['accounts/sign-in', 'sign-in'],
  ['reports/back-office-workspaces', 'back-office-workspaces'],
  ['access/back-office-permissions', 'back-office-permissions'],
  ['clinical/medical-records', 'medical-records'],
].map((places) => places.map((place) => `journeys/${place}.journey`))

/**
 * Returns the place that each subject has in a folder of a revision.
 * @throws Error when it has none of them: a renamed folder would silently be tested no more
 */
const placesIn = (revision: string, folder: string, subjects: string[][]): string[] => {
  const files = git('ls-tree', '-r', '--name-only', revision, folder).split('\n')
  return subjects.map((places) => {
    const found = places.find((place) => files.some((file) => file.startsWith(`${folder}/${place}`)))
    if (!found) throw new Error(`${revision} has none of ${places.join(', ')} in ${folder}`)
    return found
  })
}

/**
 * Tests of old revisions that compare every column of a table, so that a new column fails them. The
 * migration's own commit made them name their columns.
 */
const comparesEveryColumn = [
  // Before 0059_memberships_that_end.
  'approval lets the person sign in with the chosen type and profiles, sends an e-mail and clears the notifications',
]

const revision = previousRevision()
if (!revision)
  console.warn('PULADO: o código anterior não foi testado no esquema novo, porque não há histórico do git.')

test.skipIf(!revision)(`the code before ${newest} works on the schema after it`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-old-'))
  const old = join(folder, 'old')
  const database = await startOwnPostgres()
  const running: Server[] = []
  try {
    git('worktree', 'add', '--detach', old, revision)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: old, stdio: 'ignore' })
    const start = async (home: string, name: string, port?: string): Promise<Server> => {
      const settings = {
        DATABASE_URL: database.url,
        APP_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
        ...(port ? { PORT: port } : {}),
      }
      const program = join(home, 'packages/server/src/main.ts')
      const server = await spawnServer(join(folder, name), settings, program)
      running.push(server)
      expect(await untilReady(server), server.output()).toBe(true)
      return server
    }
    const stop = async ({ child }: Server) => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    }

    const before = await start(old, 'old-node')
    const token = await signIn(before)
    const migrated = await start(root, 'new-node')
    expect(await appliedIn(database.url)).toContain(newest?.replace('.sql', ''))
    const steps = await workThrough(before, migrated, token)

    await stop(before)
    const restarted = await start(old, 'old-node', new URL(before.url).port)
    const more = await workThrough(migrated, restarted, token)
    await Promise.all([stop(restarted), stop(migrated)])
    const tests = await runApiTests(old, database.url, revision)
    const visits = await runJourneys(old, database.url, revision)
    console.log(
      `${git('describe', '--tags', '--always', revision)} on the schema of ${newest}: ${steps + more} calls through both nodes, ${tests} tests of its own API and ${visits} of its browser journeys passed`,
    )
  } finally {
    for (const { child } of running) child.kill('SIGKILL')
    await database.stop()
    git('worktree', 'remove', '--force', old)
    rmSync(folder, { recursive: true, force: true })
  }
})

const signIn = async ({ url }: Server): Promise<string> => {
  const answer = await fetch(`${url}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: nameOf(0), password }),
  })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

let people = 0

/**
 * Creates on one node and reads on the other, in both directions.
 * @returns the number of calls
 */
const workThrough = async (one: Server, other: Server, token: string): Promise<number> => {
  let calls = 0
  const call = async ({ url }: Server, method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    calls += 1
    const text = await answer.text()
    expect(answer.ok, `${method} ${path} at ${url}: ${answer.status} ${text}`).toBe(true)
    return text ? (JSON.parse(text) as Record<string, unknown>) : {}
  }
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    await call(first, 'GET', '/usuarios/sessao')
    const name = `Responsável ${Math.random()}`
    const { idResponsavel } = await call(first, 'POST', '/responsavel', { nomeResponsavel: name })
    expect(JSON.stringify(await call(second, 'GET', '/responsavel'))).toContain(name)
    expect(idResponsavel).toBeGreaterThan(0)
    const emailUsuario = `pessoa-${Math.random()}@exemplo.com.br`
    const nomeUsuario = `Pessoa ${['Souza', 'Lima', 'Rocha', 'Alves'][people++]}`
    await call(second, 'POST', '/usuarios/convites', { nomeUsuario, emailUsuario, tipoUsuario: 'USER' })
    expect(JSON.stringify(await call(first, 'GET', '/usuarios'))).toContain(emailUsuario)
    await call(first, 'GET', '/usuarios/menus')
    await call(second, 'GET', '/auditoria')
  }
  return calls
}

const appliedIn = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration')
  await client.end()
  return rows.map(({ name }) => name)
}

interface Report {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    /** Of a file that fails outside its tests. */
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/**
 * Runs the old code's API tests. They copy a template database named after their own migrations,
 * which is created here with the new schema.
 * @returns the number of passed tests
 */
const runApiTests = async (old: string, url: string, revision: string): Promise<number> => {
  const file = ['database/embedded-template.ts', 'embedded-template.ts']
    .map((place) => join(old, 'packages/server/test', place))
    .find(existsSync)
  if (!file) throw new Error(`${revision} has no embedded-template.ts`)
  const template = pathToFileURL(file).href
  const digest = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `console.log(await (await import('${template}')).schemaDigest())`],
    { encoding: 'utf8' },
  ).trim()
  await createMigrated(url, `modelo_${digest}`)
  const passed = runTests(old, {
    project: 'server-postgres',
    tests: placesIn(revision, 'packages/server/src', apiTests),
    env: { TEST_DATABASE_URL: url },
  })
  expect(passed).toBeGreaterThan(100)
  return passed
}

/**
 * Runs browser journeys of the old code on its own demo, in a database of the new schema.
 * @returns how many passed
 */
const runJourneys = async (old: string, url: string, revision: string): Promise<number> => {
  const E2E_DATABASE_URL = await createMigrated(url, 'jornadas')
  const demo = ['services/demo.ts', 'demo.ts']
    .map((file) => join(old, 'packages/e2e/src', file))
    .find(existsSync)
  if (!demo) throw new Error('the old code has no demo for its journeys')
  const text = readFileSync(demo, 'utf8')
  // Revisions before this test had browser journeys give their demo no database.
  if (!text.includes('E2E_DATABASE_URL')) {
    const path = 'PATH: process.env.PATH,'
    expect(text).toContain(path)
    writeFileSync(demo, text.replace(path, `${path} DATABASE_URL: process.env.E2E_DATABASE_URL,`))
  }
  const passed = runTests(old, {
    project: 'e2e',
    tests: placesIn(revision, 'packages/e2e/src', journeys),
    env: { E2E_DATABASE_URL },
  })
  expect(passed).toBeGreaterThan(journeys.length)
  return passed
}

/** Creates a database that the new code has migrated. @returns its address */
const createMigrated = async (url: string, name: string): Promise<string> => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const address = new URL(url)
  address.pathname = `/${name}`
  const db = await openDatabase({ dataDir: '', databaseUrl: address.href, onError: console.error })
  await migrate(db)
  await db.destroy()
  return address.href
}

interface TestRun {
  project: string
  tests: string[]
  env: Record<string, string>
}

/** Runs tests of the old code, and fails with what failed. @returns how many passed */
const runTests = (old: string, { project, tests, env }: TestRun): number => {
  const report = join(old, `${project}.json`)
  const run = spawnSync(
    process.execPath,
    [
      join(old, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--configLoader=native',
      `--project=${project}`,
      '--reporter=json',
      `--outputFile=${report}`,
      `--testNamePattern=^(?!${comparesEveryColumn.join('|')})`,
      ...tests,
    ],
    { cwd: old, encoding: 'utf8', env: { ...process.env, ...env, VITEST: '' }, maxBuffer: 2 ** 28 },
  )
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => [
    ...(status === 'failed' && message ? [`${name}: ${message.slice(0, 500)}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join().slice(0, 500)}`),
  ])
  expect(failed).toEqual([])
  expect(run.status, run.stdout + run.stderr).toBe(0)
  return numPassedTests
}
