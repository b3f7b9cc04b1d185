import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unprivileged } from '../machines/postgres.ts'
import { spawnBound, supervise } from './bound-process.ts'
import { recipe } from './manual-recipe.ts'
import { stablePort } from './ports.ts'
import type { PostgresPair } from './postgres-pair.ts'

/** Starts PgBouncer with the files of the manual, in front of the primary. */
export const startPooler = async (folder: string, pair: PostgresPair) => {
  const port = await stablePort()
  const owner = unprivileged()
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')]
  const host = (name: 'db1' | 'db2') => `host=127.0.0.1 port=${pair.ports[name]}`
  writeFileSync(
    settings,
    recipe('/etc/pgbouncer/pgbouncer.ini', {
      'host=db1.interno port=5432': host('db1'),
      'listen_addr = *': 'listen_addr = 127.0.0.1',
      'listen_port = 6432': `listen_port = ${port}`,
      '/etc/pgbouncer/': `${folder}/`,
    }),
  )
  writeFileSync(users, recipe('/etc/pgbouncer/userlist.txt', { '<senha>': pair.portalPassword }))
  chmodSync(users, 0o600)
  if (owner) for (const file of [settings, users]) chownSync(file, owner.uid, owner.gid)
  const pooler = supervise(() => spawnBound('pgbouncer', ['-q', settings], { owner, cwd: folder }))
  return Object.assign(pooler, {
    address: `127.0.0.1:${port}`,
    /** Switches it to db2 with the commands of the manual. */
    repoint: () => {
      const script = recipe('proxy: outro primário', {
        '/etc/pgbouncer/': `${folder}/`,
        'host=db1.interno port=5432': host('db1'),
        'host=db2.interno port=5432': host('db2'),
        'systemctl kill --signal=HUP pgbouncer': `kill -HUP ${pooler.child.pid}`,
      })
      execFileSync('/bin/sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'pipe'] })
    },
  })
}

export const reportsHost = '127.0.0.2'

/**
 * Starts HAProxy with the manual's file: without TLS, on two addresses instead of names.
 * @param behind addresses of the nodes and of the report services, `127.0.0.1:port`
 */
export const startBalancer = (
  folder: string,
  port: number,
  { nodes, reports }: Record<'nodes' | 'reports', string[]>,
) => {
  const configuration = join(folder, 'haproxy.cfg')
  const servers = [
    ...nodes.map((address, n) => [`no${n + 1}.interno:3000`, address]),
    ...reports.map((address, n) => [`no${n + 1}.interno:3001`, address]),
  ]
  writeFileSync(
    configuration,
    recipe('/etc/haproxy/haproxy.cfg', {
      // The account of Debian's package, which a machine without root cannot change to.
      '  user haproxy\n  group haproxy\n': '',
      'bind :443 ssl crt /etc/haproxy/certs/': `bind 127.0.0.1:${port},${reportsHost}:${port}`,
      'relatorios.empresa.com.br': reportsHost,
      'X-Forwarded-Proto https': 'X-Forwarded-Proto http',
      ...Object.fromEntries(servers),
    }),
  )
  return supervise(() => spawnBound('haproxy', ['-db', '-f', configuration]))
}
