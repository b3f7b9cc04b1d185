import { type ChildProcess, execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '../machines/find-tools.ts'
import { createCluster, queryOnce, unprivileged } from '../machines/postgres.ts'
import { endProcess, isRunning, spawnBound, until } from './bound-process.ts'
import { recipe } from './manual-recipe.ts'
import { stablePort } from './ports.ts'

type MachineName = 'db1' | 'db2'

interface Machine {
  name: MachineName
  port: number
  data: string
  server?: ChildProcess
}

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>

/** Starts a primary and a synchronous standby with the manual's commands. `stop` cleans up. */
export const startPostgresPair = async () => {
  const binaries = findPostgres()
  if (!binaries) throw new Error('PostgreSQL 15 or later was not found.')
  // The folder may contain links to only some of the programs.
  const bin = dirname(realpathSync(join(binaries.bin, 'initdb')))
  const owner = unprivileged()
  const folder = mkdtempSync('/tmp/bi-manager-pair-')
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const secret = () => randomBytes(12).toString('hex')
  const passwords = { postgres: secret(), portal: secret(), replication: secret() }
  const machine = async (name: MachineName): Promise<Machine> => {
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    if (owner) chownSync(data, owner.uid, owner.gid)
    return { name, data, port: await stablePort() }
  }
  const machines = { db1: await machine('db1'), db2: await machine('db2') }
  const ports = Object.values(machines).map(({ name, port }): [string, string] => [
    `host=${name}.interno port=5432`,
    `host=127.0.0.1 port=${port}`,
  ])
  let primary: MachineName = 'db1'

  const surroundings = ({ port }: Machine) => ({
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'postgres',
      PGPASSWORD: passwords.postgres,
    },
    ...owner,
  })

  /** Runs a block of the manual as PostgreSQL's account on that machine. */
  const run = async (on: Machine, block: string): Promise<void> => {
    const script = [
      ['runuser -u postgres -- ', ''] as const,
      ['/var/lib/postgresql/15/main', on.data] as const,
      ['<senha-replicador>', passwords.replication] as const,
      ['<senha>', passwords.portal] as const,
      ...ports,
    ].reduce((text, [from, to]) => text.replaceAll(from, to), recipe(block))
    await promisify(execFile)('/bin/sh', ['-ec', script], surroundings(on))
  }

  const isReady = ({ port }: Machine) => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], {
        stdio: 'ignore',
      })
      return true
    } catch {
      return false
    }
  }

  const start = async (on: Machine): Promise<void> => {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: on.port,
      unix_socket_directories: '',
      timezone: 'UTC',
      // The manual's values assume a machine for the database alone.
      shared_buffers: '64MB',
      max_wal_size: '256MB',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    on.server = spawnBound(join(bin, 'postgres'), ['-D', on.data, ...args], {
      ...surroundings(on),
      owner,
    })
    let log = ''
    on.server.stderr?.on('data', (chunk) => {
      log = (log + chunk).slice(-4_000)
    })
    await until(`${on.name} takes connections`, () => {
      if (on.server && !isRunning(on.server)) throw new Error(`${on.name} ended:\n${log}`)
      return isReady(on)
    })
  }

  const query = async <R extends object>(on: MachineName, text: string): Promise<R[]> => {
    const address = `127.0.0.1:${machines[on].port}/bi_manager`
    return queryOnce<R>(`postgres://postgres:${passwords.postgres}@${address}`, text)
  }

  const untilReplicating = () =>
    until('the standby is synchronous', async () => {
      const rows = await query(primary, "select 1 from pg_stat_replication where sync_state = 'sync'")
      return rows.length === 1
    })

  const initialise = async () => {
    const { data } = machines.db1
    createCluster({ bin, folder, data, user: 'postgres', password: passwords.postgres })
    const entries = recipe('/etc/postgresql/15/main/pg_hba.conf', { '10.0.0.0/24': '127.0.0.1/32' })
    appendFileSync(join(machines.db1.data, 'pg_hba.conf'), entries)
    await start(machines.db1)
    await run(machines.db1, 'db1: papéis e banco')
    await run(machines.db2, 'db2: cópia do primário')
    await start(machines.db2)
    await run(machines.db1, 'db1: réplica síncrona')
    await untilReplicating()
  }

  const stopServer = async ({ server }: Machine, signal: NodeJS.Signals) => {
    if (server) await endProcess(server, signal)
  }
  const stop = async () => {
    for (const on of Object.values(machines)) await stopServer(on, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  await initialise().catch(async (error: unknown) => {
    await stop()
    throw error
  })

  return {
    portalPassword: passwords.portal,
    replicationPassword: passwords.replication,
    ports: { db1: machines.db1.port, db2: machines.db2.port },
    primary: () => primary,
    query: <R extends object>(text: string) => query<R>(primary, text),
    queryOn: query,
    /** Returns a direct URL of the current primary, with the role of the portal. */
    url: () => `postgres://bi_portal:${passwords.portal}@127.0.0.1:${machines[primary].port}/bi_manager`,
    /** Restarts the primary, `fast` or `immediate` as in `pg_ctl restart`. */
    restart: async (mode: 'fast' | 'immediate') => {
      await stopServer(machines[primary], mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await start(machines[primary])
    },
    /** Kills every process of the primary at once with kill -9, like a power loss. */
    killPrimary: async () => {
      const { server } = machines[primary]
      if (!server?.pid) throw new Error('The primary does not run.')
      const children = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
      const ended = endProcess(server, 'SIGKILL')
      for (const pid of children.trim().split('\n')) {
        try {
          process.kill(Number(pid), 'SIGKILL')
        } catch {
          // It ended with its parent.
        }
      }
      await ended
    },
    /** Promotes the standby db2 with the commands of the manual. */
    promote: async () => {
      await run(machines.db2, 'db2: promoção')
      primary = 'db2'
    },
    /** Makes the former primary db1 the synchronous standby of db2. */
    rebuild: async () => {
      await run(machines.db1, 'db1: cópia do novo primário')
      await start(machines.db1)
      await query('db2', "alter system set synchronous_standby_names = 'db1'")
      await query('db2', 'select pg_reload_conf()')
      await untilReplicating()
    },
    stop,
  }
}
