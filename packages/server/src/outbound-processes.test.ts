import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyEmbedded } from '../test/database/embedded-template.ts'
import {
  authorityFile,
  type CompanyNetwork,
  companyTls,
  startCompanyNetwork,
} from '../test/outbound/company-network.ts'
import { shortLived, spawnServer, untilReady } from '../test/processes/killed-server.ts'
import { type OidcProvider, startOidcProvider } from '../test/stand-ins/oidc-provider.ts'
import { publicUrl, redirectUri } from '../test/stand-ins/oidc-sign-in.ts'
import { startS3 } from '../test/stand-ins/s3-server.ts'
import { writeBackupKey } from './operations/backup/archive/backup-key.ts'

/* The portal and a command as an operator starts them: Node itself reads NODE_EXTRA_CA_CERTS. */

const secret = 'S3nha-do-proxy'
let network: CompanyNetwork
let provider: OidcProvider
let s3: Awaited<ReturnType<typeof startS3>>
let dataDir: string
beforeAll(async () => {
  network = await startCompanyNetwork({ credentials: { user: 'portal', password: secret } })
  const secure = { name: 'login.empresa.example', ...companyTls }
  provider = await startOidcProvider({ redirectUris: [redirectUri], secure })
  s3 = await startS3({ allowMismatchedSignatures: true })
})
afterAll(() => Promise.all([network.close(), provider.close(), s3.close()]))
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-outbound-'))
  await copyEmbedded(join(dataDir, 'database'))
  network.tunnels.length = 0
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Starts the portal and a sign-in at the identity provider. */
const startSignIn = async (settings: Record<string, string>) => {
  const environment = { PUBLIC_URL: publicUrl, LOG_LEVEL: 'trace', HTTPS_PROXY: network.proxyUrl }
  const server = await spawnServer(dataDir, { ...environment, ...provider.settings, ...settings })
  expect(await untilReady(server), server.output()).toBe(true)
  const answer = await fetch(`${server.url}/api/login/oidc/inicio`, { method: 'POST' })
  const ended = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  await ended
  return { status: answer.status, log: server.output() }
}

test('the portal reaches its hosts with HTTPS_PROXY and NODE_EXTRA_CA_CERTS', {
  timeout: 180_000,
}, async () => {
  const { status, log } = await startSignIn({ NODE_EXTRA_CA_CERTS: authorityFile })
  expect(status, log).toBe(200)
  expect(network.tunnels).toContain(new URL(provider.issuer).host)
  expect(log).not.toContain(secret)
  expect(log).not.toMatch(/warning/i)
})

test('the portal names the certificate without NODE_EXTRA_CA_CERTS', { timeout: 180_000 }, async () => {
  const { status, log } = await startSignIn({})
  expect(status).toBe(503)
  expect(log).toContain(`O certificado de ${provider.issuer} foi emitido por uma autoridade`)
  expect(log).not.toContain(secret)
})

test("an operator's command uses both settings too", { timeout: 180_000 }, async () => {
  const keyFile = join(dataDir, 'chave.txt')
  const port = await network.withTls(s3.settings.S3_ENDPOINT)
  const endpoint = `https://copias.empresa.example:${port}`
  const settings = {
    ...shortLived.env,
    DATA_DIR: dataDir,
    HTTPS_PROXY: network.proxyUrl,
    BACKUP_TARGET: `s3://${s3.settings.S3_BUCKET}`,
    BACKUP_KEY: await writeBackupKey(keyFile),
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: 'us-east-1',
    BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const run = async (more: Record<string, string>) => {
    const script = fileURLToPath(new URL('../../../scripts/run.js', import.meta.url))
    const args = [script, 'restore', 'nenhuma-copia', '--identity', keyFile]
    const child = spawn(process.execPath, args, { env: { ...settings, ...more }, stdio: 'pipe' })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(output).not.toContain(secret)
    return output.trim()
  }
  expect(await run({})).toContain(`O certificado de ${endpoint} foi emitido por uma autoridade`)
  expect(await run({ NODE_EXTRA_CA_CERTS: authorityFile })).toMatch(/nenhuma-copia/)
  expect(new Set(network.tunnels)).toEqual(new Set([new URL(endpoint).host]))
})
