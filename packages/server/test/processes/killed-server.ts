import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameColumns } from '../../src/accounts/names/names-in-use.ts'
import { readKeyFile } from '../../src/platform/config/key-file.ts'
import { type Db, openDatabase } from '../../src/platform/db/open-database.ts'
import { copyEmbedded } from '../database/embedded-template.ts'
import { cheapPasswordHash, password } from '../users.ts'

export { password }

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
export const nameOf = (i: number) => `pessoa${i}@exemplo.com.br`
/** So many that nobody gets more sessions than may be open, which would end the oldest. */
const people = 400

/**
 * For short-lived processes; takes a third of a normal start: PostgreSQL's code is not optimised,
 * and the compiled modules are cached between processes.
 */
export const shortLived = {
  flags: ['--liftoff-only'],
  env: {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: fileURLToPath(
      new URL('../../../../node_modules/.cache/bi-manager/compiled', import.meta.url),
    ),
  },
}

export interface Server {
  url: string
  child: ChildProcess
  output: () => string
}

/** Returns the messages of a log whose lines are JSON. */
export const messagesOf = (log: string): string[] =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg)

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, 'localhost')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

/**
 * Starts the portal as an operator would, on the embedded database of `dataDir`.
 * @param program the portal's entry of another version
 */
export const spawnServer = async (
  dataDir: string,
  settings: Record<string, string> = {},
  program = main,
): Promise<Server> => {
  const port = settings.PORT ?? (await freePort())
  const child = spawn(process.execPath, [...shortLived.flags, program], {
    env: {
      ...shortLived.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_EMAIL: nameOf(0),
      ADMIN_PASSWORD: password,
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  return { url: `http://localhost:${port}`, child, output: () => output }
}

/**
 * Waits as long as the test may take: a busy machine needs minutes for a first start.
 * @returns true once the server is ready; false when it exited first
 */
export const untilReady = async ({ url, child }: Server): Promise<boolean> => {
  while (child.exitCode === null && child.signalCode === null) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** Makes the database and the key file of an installation that is in use, and opens the database. */
export const openUsedInstallation = async (dataDir: string): Promise<Db> => {
  await copyEmbedded(join(dataDir, 'database'))
  readKeyFile(dataDir)
  return openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
}

/** Creates many users: killed attempts count as failed, and must not reach a user's limit either. */
export const createPeople = async (dataDir: string): Promise<void> => {
  const db = await openUsedInstallation(dataDir)
  const senhaHash = await cheapPasswordHash
  const rows = Array.from({ length: people }, (_, i) => ({
    ...nameColumns(`Pessoa ${i}`),
    emailUsuario: nameOf(i),
    senhaHash,
  }))
  await db.insertInto('usuario').values(rows).execute()
  await db.destroy()
}

let attempts = 0
const signIn = async (url: string): Promise<string> => {
  attempts += 1
  const response = await fetch(`${url}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: nameOf(attempts % people), password }),
  })
  if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

const isAlive = async (url: string, token: string): Promise<boolean> =>
  (await fetch(`${url}/api/usuarios/sessao`, { headers: { authorization: `Bearer ${token}` } })).ok

/**
 * Signs in continuously, kills the server with SIGKILL at a random time, restarts it, and checks
 * every acknowledged session.
 * @returns the number of acknowledged and missing sessions, and complaints in the logs
 */
export const killDuringWrites = async (kills: number) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-kill-'))
  const acknowledged: string[] = []
  const missing: string[] = []
  const complaints: string[] = []
  try {
    await createPeople(dataDir)
    for (let round = 0; round <= kills; round += 1) {
      const server = await spawnServer(dataDir)
      if (!(await untilReady(server))) throw new Error(`start ${round} failed: ${server.output()}`)
      if (/error|panic|corrupt/i.test(server.output())) complaints.push(server.output())
      for (const token of acknowledged.slice(-400))
        if (!(await isAlive(server.url, token))) missing.push(token)
      if (round === kills) {
        for (const token of acknowledged) if (!(await isAlive(server.url, token))) missing.push(token)
        server.child.kill('SIGTERM')
        await once(server.child, 'exit')
        break
      }
      const died = once(server.child, 'exit')
      const before = acknowledged.length
      const writers = Array.from({ length: 4 }, async () => {
        // Ends when the server is killed and the connection breaks.
        for (;;) {
          const token = await signIn(server.url).catch((error: unknown) => {
            if (!(error instanceof TypeError)) throw error
          })
          if (!token) return
          acknowledged.push(token)
        }
      })
      // At a random time, but after some writes, also on a busy machine.
      for (let waited = 0; waited < 20_000 && acknowledged.length < before + 8; waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 800))
      server.child.kill('SIGKILL')
      await Promise.all([died, ...writers])
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  return { acknowledged: acknowledged.length, missing: missing.length, complaints }
}
