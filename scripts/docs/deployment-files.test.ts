import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/reports/src/config.ts'
import { loadConfig } from '../../packages/server/src/platform/config/config.ts'
import { migrate } from '../../packages/server/src/platform/db/migrations/migrate.ts'
import { openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { type RunningPostgres, startOwnPostgres } from '../machines/postgres.ts'
import { recipe } from '../nodes/manual-recipe.ts'
import { sectionsOfChapter } from './manual-commands.ts'

/* Files of deploy/ that can be tested without a running portal; packages/e2e tests the others. */

const deploy = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')
const units = ['bi-manager-portal', 'bi-manager-reports']
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasSystemd)('the systemd units (need systemd-analyze)', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bi-manager-units-'))
    mkdirSync(join(folder, 'etc'))
    // The program of ExecStart must exist.
    const program = 'node_modules/node/bin/node'
    for (const unit of units) {
      const text = read(`systemd/${unit}.service`).replaceAll(`/opt/bi-manager/${program}`, process.execPath)
      writeFileSync(join(folder, `${unit}.service`), text)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(units)('the systemd units (need systemd-analyze) pass systemd-analyze verify: %s', (unit) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, `${unit}.service`)], {
      encoding: 'utf8',
    })
    const ours = stderr.split('\n').filter((line) => line.includes(unit))
    expect([status, ours]).toEqual([0, []])
  })

  // Exposure as reported by systemd-analyze, times ten: 0 is none, 100 everything.
  test.each([
    ['bi-manager-portal', 15],
    ['bi-manager-reports', 30],
  ])('the units limit the exposure of %s to %i tenths in systemd-analyze security', (unit, threshold) => {
    const args = ['security', '--offline=true', `--threshold=${threshold}`, join(folder, `${unit}.service`)]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect(status, `${stderr}${stdout.split('\n').at(-2)}`).toBe(0)
  })

  test.each(units)('the units let %s write only to its own folders, and contain no secret', (unit) => {
    const text = read(`systemd/${unit}.service`)
    expect(text).toMatch(/^ProtectSystem=strict$/m)
    expect(text).not.toMatch(/^ReadWritePaths=/m)
    expect(text).not.toMatch(/^(Environment=)?(APP_SECRET|DATABASE_URL|ADMIN_PASSWORD)=/m)
  })
})

test.each(['portal', 'reports'])('the unit of %s never gives up starting', (name) => {
  const unit = readFileSync(join(deploy, `systemd/bi-manager-${name}.service`), 'utf8')
  expect(unit).toMatch(/^\[Unit\][\s\S]*^StartLimitIntervalSec=0$[\s\S]*^\[Service\][\s\S]*^Restart=always$/m)
})

// os.networkInterfaces(), which Fastify calls when it listens on 0.0.0.0, opens a socket of this family.
test.each(units)('%s may list the addresses of the machine, as HOST=0.0.0.0 needs', (unit) => {
  const [, families = ''] = /^RestrictAddressFamilies=(.+)$/m.exec(read(`systemd/${unit}.service`)) ?? []
  expect(families.split(' ')).toContain('AF_NETLINK')
})

describe('a node of the manual', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-node-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const place = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  /** What systemd gives the process: the lines of its unit, then those of the file, which replace them. */
  const environmentOf = (name: 'portal' | 'reports') => {
    const unit = read(`systemd/bi-manager-${name}.service`)
    const own = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, line]) => line).join('\n')
    return { ...parseEnv(own), ...parseEnv(recipe(`/etc/bi-manager/${name}.env`)) }
  }
  const paths = recipe('no1, no2 e no3: usuários e serviços')

  test('a node of the manual starts the portal with the settings of the manual and of its unit', () => {
    const [, address = ''] = /<<'FIM'\n(.+)\nFIM/.exec(recipe('no1, no2 e no3: endereço do banco')) ?? []
    const environment = environmentOf('portal')
    const config = loadConfig({
      ...environment,
      DATABASE_URL_FILE: place('database-url', address.replace('<senha>', 'segredo')),
      NODE_EXTRA_CA_CERTS: place('autoridades.pem', rootCertificates[0] ?? ''),
    })
    expect(config.databaseUrl).toBe(
      'postgres://bi_portal:segredo@proxy.interno:6432/bi_manager?pgbouncer=true',
    )
    expect(environment.NODE_EXTRA_CA_CERTS).toBe('/etc/ssl/bi-manager/autoridades.pem')
    expect(config).toMatchObject({
      mail: { smtpUrl: expect.stringMatching(/^smtps:/), from: 'BI <bi@empresa.com.br>' },
      bi: { defaultProvider: 'local' },
    })
    expect(paths).toContain(`-o bi-manager -g bi-manager ${config.dataDir}\n`)
    expect(paths).toContain(`ReadWritePaths=${config.dataDir}\\n' > /etc/systemd/system/bi-manager-portal.`)
  })

  test('a node of the manual starts the report service with the settings of the manual and of its unit', () => {
    const { dataDir, host } = readConfig(environmentOf('reports'))
    expect(host).toBe('0.0.0.0')
    expect(paths).toContain(`-o bi-manager-reports -g bi-manager-reports ${dataDir}\n`)
    expect(paths).toContain(`ReadWritePaths=${dataDir}\\n' > /etc/systemd/system/bi-manager-reports.`)
  })
})

const caddyfiles = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('Caddyfile'),
)
test.each(caddyfiles)('%s redirects pages only, and answers programs without TLS with 403', (path) => {
  const plain = read(path).match(/^http:\/\/.*\{\n[\s\S]*?^\}/gm) ?? []
  const redirecting = plain.filter((block) => block.includes('redir https://'))
  expect(redirecting).toHaveLength(1)
  for (const programs of ['/api/*', '/mcp'])
    expect(redirecting[0]).toContain(`\thandle ${programs} {\n\t\trespond 403\n\t}\n`)
})

test('proxies wait for a publication as long as the portal does', () => {
  const waits = [
    ['deploy/kubernetes/ingress.yaml', /proxy-read-timeout: "660"/],
    ['deploy/nginx/bi-manager.conf', /proxy_read_timeout 11m;/],
    [
      'docs/manual/varios-nos.md',
      /path_beg \/api\/publicacoes\/[\s\S]*backend portal_publicacoes\n[^#]*timeout server 11m/,
    ],
  ] as const
  for (const [file, wait] of waits) expect(readFileSync(join(deploy, '..', file), 'utf8')).toMatch(wait)
})

describe.skipIf(!findPostgres())('create-database.sql', () => {
  /** As `openssl rand -hex 24` of the manual makes it. */
  const password = randomBytes(24).toString('hex')
  let server: RunningPostgres
  let portal: URL
  beforeAll(async () => {
    server = await startOwnPostgres()
    portal = new URL(server.url)
    const { commands } = sectionsOfChapter('instalacao.md', 'Sem contêineres').find(
      ({ title }) => title === 'Banco de dados',
    ) ?? { commands: '' }
    const [line = ''] = /^\{ .*\| runuser -u postgres -- psql .*$/m.exec(commands) ?? []
    execFileSync('bash', ['-ec', line.replace('runuser -u postgres -- psql', 'psql -q -d "$SERVER"')], {
      cwd: join(deploy, '..'),
      env: { ...process.env, SENHA: password, SERVER: server.url },
      stdio: 'pipe',
    })
    portal.username = 'bi_portal'
    portal.password = password
    portal.pathname = '/bi_manager'
  })
  afterAll(() => server.stop())

  test('the script creates a database that the portal can migrate', async () => {
    const fail = (error: Error) => {
      throw error
    }
    const db = await openDatabase({
      dataDir: tmpdir(),
      databaseUrl: portal.href,
      onError: fail,
      onLost: fail,
    })
    await migrate(db)
    const { count } = await db
      .selectFrom('usuario')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await db.destroy()
    expect(count).toBe(0)
  })

  test('the script gives the role no other privileges, and other roles no access to the database', async () => {
    const ask = async (url: string, text: string) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    }
    expect(
      await ask(
        server.url,
        "select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = 'bi_portal'",
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ])
    await ask(server.url, "create role other login password 'other'")
    const other = new URL(portal)
    other.username = 'other'
    other.password = 'other'
    await expect(ask(other.href, 'select 1')).rejects.toThrow(/permission denied for database/)
  })
})
