import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres, type PostgresBinaries } from './find-tools.ts'
import { freePort } from './ports.ts'

/** A server started here, which tests may restart. */
export type RestartablePostgres = Awaited<ReturnType<typeof startOwnPostgres>>
export type RunningPostgres = Omit<RestartablePostgres, 'restart'>

/**
 * Starts a temporary PostgreSQL on loopback, or uses the server of TEST_DATABASE_URL, which stays
 * running. It ends with this process, even after kill -9.
 * @throws Error when there is no PostgreSQL 15 or later, or it does not start
 */
export async function startPostgres(givenUrl = process.env.TEST_DATABASE_URL): Promise<RunningPostgres> {
  if (givenUrl) return { url: givenUrl, version: await versionOf(givenUrl), stop: async () => {} }
  return startOwnPostgres()
}

/** @param isDurable flushes to disk at each commit: an acknowledged write survives `immediate` */
export async function startOwnPostgres({ isDurable = false } = {}) {
  const binaries = findPostgres()
  if (!binaries) throw new Error('PostgreSQL 15 or later was not found: run `npm run tools`.')
  const owner = unprivileged()
  // As root, the server runs as another user, who cannot enter a private TMPDIR.
  const folder = mkdtempSync(join(owner ? '/tmp' : tmpdir(), 'bi-manager-postgres-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  try {
    const password = randomBytes(16).toString('hex')
    createCluster({ ...binaries, folder, data: join(folder, 'data'), user, password })
    return await start(binaries, folder, { password, isDurable })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

export type Owner = { uid: number; gid: number }

const user = 'bi_manager'

/** Returns the user who runs PostgreSQL, which refuses root: `postgres`, else `nobody`. */
export function unprivileged(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string, name: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const name = ['postgres', 'nobody'].find((candidate) => id('-u', candidate).status === 0)
  if (!name) throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody.')
  return { uid: Number(id('-u', name).stdout), gid: Number(id('-g', name).stdout) }
}

const surroundings = (folder: string) => ({
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C', TZ: 'UTC' },
})

type NewCluster = Record<'bin' | 'folder' | 'data' | 'user' | 'password', string>

/** Runs initdb for a superuser with this password. */
export function createCluster({ bin, folder, data, user, password }: NewCluster): void {
  const owner = unprivileged()
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner) chownSync(passwordFile, owner.uid, owner.gid)
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      user,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { ...surroundings(folder), ...owner, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  rmSync(passwordFile)
}

async function start(
  binaries: PostgresBinaries,
  folder: string,
  { password, isDurable }: { password: string; isDurable: boolean },
) {
  // Another program may take the free port before PostgreSQL does.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const guardian = runGuarded(binaries, folder, settingsOf(port, isDurable))
    if (await isReady(folder)) {
      const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`
      return {
        /** URL of a superuser and the database `postgres`; tests create their own databases. */
        url,
        version: binaries.version,
        stop: async () => {
          if (guardian.exitCode === null && guardian.signalCode === null) await ended(guardian)
          rmSync(folder, { recursive: true, force: true })
        },
        /**
         * Restarts it like `pg_ctl restart -m MODE`.
         * @param pauseMs milliseconds between stop and start
         * @returns when it accepts connections again
         */
        restart: async (mode: 'fast' | 'immediate', pauseMs = 0) => {
          const before = await startTimeOf(url)
          guardian.stdin?.write(`${mode === 'fast' ? 'INT' : 'QUIT'} ${pauseMs / 1000}\n`)
          while ((await startTimeOf(url).catch(() => before)) === before) await sleep(20)
        },
      }
    }
    const log = readFileSync(join(folder, 'log'), 'utf8')
    await ended(guardian, 'keep\n')
    if (attempt === 3) throw new Error(`PostgreSQL does not start:\n${log}`)
  }
}

const settingsOf = (port: number, isDurable: boolean): string[] =>
  [
    ['listen_addresses', '127.0.0.1'],
    ['port', port],
    ['unix_socket_directories', ''],
    ['max_connections', 200],
    ['timezone', 'UTC'],
    // The data is disposable after the run.
    ...(isDurable ? [] : ['fsync', 'synchronous_commit', 'full_page_writes'].map((name) => [name, 'off'])),
  ].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * A shell runs PostgreSQL and reads from this process: a signal and a pause restart it. When this
 * process stops it or ends, even by kill -9, the shell stops PostgreSQL and removes the folder. It
 * has a separate session, so that a terminal's Ctrl+C does not reach it.
 */
function runGuarded({ bin }: PostgresBinaries, folder: string, settings: string[]): ChildProcess {
  const script = `
    bin=$1; folder=$2; shift 2
    run() { "$bin/postgres" -D "$folder/data" "$@" >>"$folder/log" 2>&1 </dev/null & server=$!; }
    : >"$folder/log"; run "$@"
    while read -r word pause && [ "$word" != keep ]; do
      kill -$word $server; wait $server; sleep "$pause"; run "$@"
    done
    kill -INT $server 2>/dev/null; wait $server
    [ "$word" = keep ] || { cd /; rm -rf "$folder"; }`
  const guardian = spawn('/bin/sh', ['-c', script, 'sh', bin, folder, ...settings], {
    ...surroundings(folder),
    ...unprivileged(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Allows the process to end without stop() when nothing else keeps it running.
  guardian.unref()
  return guardian
}

/** The postmaster writes its state to the eighth line of this file. */
async function isReady(folder: string): Promise<boolean> {
  const file = join(folder, 'data', 'postmaster.pid')
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''
    if (/FATAL:/.test(log)) return false
    if (existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready') return true
  }
  return false
}

function ended(guardian: ChildProcess, lastWord = ''): Promise<void> {
  return new Promise((resolve) => {
    guardian.ref()
    guardian.once('exit', () => resolve())
    guardian.stdin?.end(lastWord)
  })
}

/** Returns the start time of the postmaster, which changes with a restart. */
const startTimeOf = async (url: string) =>
  (await queryOnce<{ time: string }>(url, 'select pg_postmaster_start_time()::text as time'))[0]?.time

/** Connects for one query. */
export async function queryOnce<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

async function versionOf(url: string): Promise<string> {
  const [row] = await queryOnce<{ version: string; number: string }>(
    url,
    "select current_setting('server_version') as version, current_setting('server_version_num') as number",
  )
  if (!row || Number(row.number) < 150_000) {
    throw new Error(`TEST_DATABASE_URL is PostgreSQL ${row?.version}; 15 or later is needed.`)
  }
  return row.version
}

if (import.meta.main) {
  const server = await startPostgres()
  console.log(`PostgreSQL ${server.version}: ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void server.stop().then(() => process.exit(0)))
  }
  setInterval(() => {}, 1 << 30)
}
