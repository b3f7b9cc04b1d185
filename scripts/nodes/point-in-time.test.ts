import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tinyPng } from '../../packages/server/test/clinical/attachments.ts'
import {
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { unprivileged } from '../machines/postgres.ts'
import { recipe } from './manual-recipe.ts'
import { stablePort } from './ports.ts'

/*
 * Runs the recipe of the manual's chapter 'Cópias de segurança' on a real PostgreSQL. Fake `runuser`
 * and `systemctl` programs and test folders replace those of Debian.
 */

const binaries = findPostgres()

describe.skipIf(!binaries)('the point-in-time recovery of the manual (skipped without PostgreSQL)', () => {
  // The folder may contain links to only some of the programs.
  const bin = binaries ? dirname(realpathSync(join(binaries.bin, 'initdb'))) : ''
  const owner = unprivileged()
  const folder = mkdtempSync('/tmp/bi-manager-pitr-')
  const main = join(folder, 'main')
  const copies = join(folder, 'copias')
  const dataDir = join(folder, 'portal')
  const safe = join(folder, 'cofre')
  const secret = randomBytes(12).toString('hex')
  let port: number
  let server: Server | undefined

  const env = () => ({
    PATH: `${join(folder, 'programs')}:${bin}:${process.env.PATH}`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGDATABASE: 'postgres',
    PGPASSWORD: secret,
  })
  const url = () => `postgres://postgres:${secret}@127.0.0.1:${port}/postgres`

  /** Runs a block of the manual as an operator does. */
  const run = async (block: string, replaced: Record<string, string> = {}): Promise<string> => {
    const places = Object.entries({
      '/var/lib/postgresql/15/main': main,
      '/srv/copias': copies,
      '/srv/bi-manager': dataDir,
      '/cofre': safe,
    })
    const script = places.reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      recipe(block, replaced, 'backup'),
    )
    const { stdout } = await promisify(execFile)('/bin/bash', ['-ec', script], { cwd: folder, env: env() })
    return stdout
  }

  const program = (name: string, script: string) => {
    const file = join(folder, 'programs', name)
    writeFileSync(file, `#!/bin/bash\nset -e\n${script}`)
    chmodSync(file, 0o755)
  }
  const asPostgres = owner ? `setpriv --reuid=${owner.uid} --regid=${owner.gid} --clear-groups --` : ''

  beforeAll(async () => {
    port = await stablePort()
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'programs'))
    mkdirSync(main, { mode: 0o700 })
    mkdirSync(dataDir, { mode: 0o700 })
    mkdirSync(copies)
    if (owner) chownSync(main, owner.uid, owner.gid)
    program('runuser', `[ "$1 $2 $3" = '-u postgres --' ]\nshift 3\nexec ${asPostgres} "$@"`)
    // PostgreSQL is the only service in the recipe.
    program(
      'systemctl',
      `[ "$2" = postgresql@15-main ]
      exec ${asPostgres} pg_ctl -D ${main} -m fast -w -t 60 -l ${main}/log \\
        -o "-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c timezone=UTC" "$1" >/dev/null`,
    )
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, secret)
    execFileSync(
      join(bin, 'initdb'),
      [
        '-D',
        main,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
      ],
      { cwd: folder, env: env(), ...owner, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    execFileSync(join(folder, 'programs', 'systemctl'), ['start', 'postgresql@15-main'], { env: env() })
  })
  afterAll(async () => {
    server?.child.kill('SIGKILL')
    if (existsSync(join(main, 'postmaster.pid'))) {
      execFileSync(join(folder, 'programs', 'systemctl'), ['stop', 'postgresql@15-main'], { env: env() })
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const query = async <R extends object>(text: string): Promise<R[]> => {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      return (await client.query<R>(text)).rows
    } finally {
      await client.end()
    }
  }
  const start = async (): Promise<Server> => {
    server = await spawnServer(dataDir, { DATABASE_URL: url() })
    expect(await untilReady(server), server.output()).toBe(true)
    return server
  }
  const stop = async ({ child }: Server) => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const signIn = async ({ url: address }: Server) => {
    const answer = await fetch(`${address}/api/usuarios/authorizer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: nameOf(0), password }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    return { authorization: `Bearer ${access_token}` }
  }

  test('the recovery restores the rows before the instant, none after it, the files and the portal', async () => {
    const portal = await start()
    // The flag for medical records lets the ADMIN send an attachment.
    await query('update usuario set acesso_prontuario = true')
    const headers = await signIn(portal)
    const add = async (nomeResponsavel: string) => {
      const answer = await fetch(`${portal.url}/api/responsavel`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ nomeResponsavel }),
      })
      expect(answer.status).toBe(201)
    }
    await run('pitr: arquivar')
    await run('pitr: cópia base')
    await add('Antes do instante')
    const form = new FormData()
    form.set('titulo_anexo', 'Exame')
    form.set('tipo_anexo', 'IMG')
    form.set('descricao_anexo', 'Sangue')
    const png = await tinyPng
    form.set('arquivo', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'exame.png')
    const sent = await fetch(`${portal.url}/api/anexos`, { method: 'POST', headers, body: form })
    expect(sent.status, await sent.clone().text()).toBe(201)
    const { imagem_anexo: file } = (await sent.json()) as { imagem_anexo: string }
    await run('pitr: arquivos do portal')

    // Commits within the second of the instant could be on either side of it.
    await sleep(1_100)
    const [{ instant } = { instant: '' }] = await query<{ instant: string }>('select now()::text as instant')
    await sleep(1_100)
    await add('Depois do instante')
    expect(await run('pitr: conferir o arquivamento')).toMatch(/failed_count[\s\S]* 0\s*\n\(1 row\)/)
    await stop(portal)

    await run('pitr: parar')
    // The portal's disk is lost as well.
    rmSync(join(dataDir, 'attachments'), { recursive: true })
    rmSync(join(dataDir, 'app-secret.key'))
    await run('pitr: extrair', { '2026-11-15': new Date().toISOString().slice(0, 10) })
    await run('pitr: recuperar', { '2026-11-21 14:30:00-03': instant })
    await run('pitr: concluir')
    await run('pitr: devolver os arquivos')

    const recovered = await start()
    const names = (await query<{ nome: string }>('select nome_responsavel as nome from responsavel')).map(
      ({ nome }) => nome,
    )
    expect(names).toContain('Antes do instante')
    expect(names).not.toContain('Depois do instante')
    const answer = await fetch(`${recovered.url}${file}`, { headers: await signIn(recovered) })
    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50)
    // Writes and archiving continue.
    const added = await fetch(`${recovered.url}/api/responsavel`, {
      method: 'POST',
      headers: { ...(await signIn(recovered)), 'content-type': 'application/json' },
      body: JSON.stringify({ nomeResponsavel: 'Depois da volta' }),
    })
    expect(added.status).toBe(201)
    await query('select pg_switch_wal()')
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(200)) {
      const [row] = await query<{ wal: string | null }>(
        'select last_archived_wal as wal from pg_stat_archiver',
      )
      if (row?.wal?.startsWith('00000002')) return stop(recovered)
    }
    expect.fail('the archive does not go on after the recovery')
  })
})
