import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import {
  password,
  type Server,
  shortLived,
  spawnServer,
  untilReady,
} from '../../../test/processes/killed-server.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { openDatabase } from '../../platform/db/open-database.ts'
import { verifyAudit } from './verify-audit.ts'

/* Tests the command as an operator runs it, and the sealing of real server processes, killed and
   concurrent. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const run = fileURLToPath(new URL('../../../../../scripts/run.js', import.meta.url))

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase({ alone: true })
  // Only one process can open the embedded database: from here on, the server.
  if (!isPostgres) await database.db.destroy()
})
afterEach(async () => {
  if (isPostgres) await database.close()
  else await rm(database.dataDir, { recursive: true, force: true })
})

const settings = () => ({ ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}) })

const verify = async (args: string[] = []) => {
  const child = spawn(process.execPath, [...shortLived.flags, run, 'audit-verify', ...args], {
    env: { ...shortLived.env, DATA_DIR: database.dataDir, ...settings() },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Returns the command's output without starting a process. */
const verifyFolder = async (dataDir = database.dataDir) => {
  const said: string[] = []
  const isWhole = await verifyAudit(loadConfig({ DATA_DIR: dataDir, ...settings() }), undefined, (text) =>
    said.push(text),
  )
  return { isWhole, output: said.join('\n') }
}

const start = async (): Promise<Server> => {
  const server = await spawnServer(database.dataDir, settings())
  expect(await untilReady(server), server.output()).toBe(true)
  return server
}

const end = async ({ child }: Server, signal: 'SIGTERM' | 'SIGKILL') => {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const signIn = async ({ url }: Server) => {
  const response = await fetch(`${url}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'pessoa0@exemplo.com.br', password }),
  })
  expect(response.status).toBe(200)
}

/** Runs statements with a separate connection, like an attacker. */
const behindItsBack = async <T>(
  work: (run: (statement: string) => Promise<{ rows: unknown[] }>) => Promise<T>,
) => {
  const { dataDir, databaseUrl } = database
  const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
  try {
    return await work((statement) => sql.raw(statement).execute(db))
  } finally {
    await db.destroy()
  }
}

test('rows written before a kill -9 are sealed at the next start, and an altered row is named', {
  timeout: 120_000,
}, async () => {
  const killed = await start()
  let waiting = 0
  for (let attempt = 0; attempt < 5 && waiting === 0; attempt += 1) {
    const server = attempt === 0 ? killed : await start()
    await Promise.all([signIn(server), signIn(server)])
    await end(server, 'SIGKILL')
    const { isWhole, output } = await verifyFolder()
    expect({ isWhole, output }).toMatchObject({
      isWhole: true,
      output: expect.stringContaining('está íntegra'),
    })
    waiting = Number(/; (\d+) à espera/.exec(output)?.[1])
  }
  expect(waiting).toBeGreaterThan(0)

  const server = await start()
  await signIn(server)
  const during = await verify()
  expect(during.output).toContain(isPostgres ? 'está íntegra' : 'Pare o servidor e rode o comando de novo.')
  expect(during.code).toBe(isPostgres ? 0 : 1)
  await end(server, 'SIGTERM')

  const whole = await verifyFolder()
  expect(whole).toMatchObject({
    isWhole: true,
    output: expect.stringMatching(/^\d+ registros na cadeia; 0 à espera/),
  })
  const [, head = ''] = /anotar fora deste servidor: (\S+)/.exec(whole.output) ?? []
  expect(await verify([head])).toMatchObject({
    code: 0,
    output: expect.stringContaining('continua na cadeia.'),
  })
  expect(await verify(['12'])).toMatchObject({ code: 1, output: expect.stringContaining('<ordem>:<elo>') })

  await behindItsBack((statement) =>
    statement(
      `update auditoria set id_usuario = 7, quando = '2026-03-10T12:00:00Z' where acao = 'installation.created'`,
    ),
  )
  const altered = await verify()
  expect(altered.code).toBe(1)
  expect(altered.output).toContain(
    'ACHADO: registro 1, 10/03/2026 09:00:00, Instalação criada (installation.created): registro alterado.',
  )
  expect(altered.output).toContain('NÃO está íntegra: 1 achado.')
})

test('audit:verify refuses a missing database or key, and creates neither', { timeout: 60_000 }, async () => {
  await expect(verifyFolder(join(database.dataDir, 'nada'))).rejects.toThrow(
    isPostgres ? /^Sem a chave não há o que conferir/ : /^Não há banco de dados em .*: confira DATA_DIR/,
  )
  expect(await verify()).toMatchObject({ code: 1, output: expect.stringMatching(/^Sem a chave/) })
})

if (isPostgres) {
  test('two servers on one database leave one unbroken chain', { timeout: 120_000 }, async () => {
    const first = await start()
    const second = await start()
    for (let round = 0; round < 12; round += 1) {
      await Promise.all([first, second, first, second].map(signIn))
    }
    await Promise.all([end(first, 'SIGTERM'), end(second, 'SIGTERM')])
    for (const { output } of [first, second]) expect(output()).not.toMatch(/error|failed/i)
    const { code, output } = await verify()
    // The installation, 48 sign-ins, and the ends of 28 sessions over the limit of 20.
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^(7[7-9]|8\d) registros na cadeia; 0 à espera/),
    })
  })
}
