import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { certificateTargets } from './certificates.ts'

let key: Buffer
let cert: Buffer
let closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const read = (name: string) =>
    readFile(new URL(`../../../../e2e/fixtures/loopback-${name}.pem`, import.meta.url))
  key = await read('key')
  cert = await read('cert')
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const expiry = new Date('2126-10-28T09:15:00Z')
/** The portal itself calls the mail server, and does not trust it. */
const selfSigned = { expiresAt: expiry, fault: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
const read = (environment: Record<string, string>) => {
  const [target, ...more] = certificateTargets(loadConfig(environment))
  expect(more).toEqual([])
  return target?.read(AbortSignal.timeout(5_000))
}

test.each([
  ['nothing in a plain installation', {}, []],
  ['the portal', { PUBLIC_URL: 'https://bi.exemplo.com.br' }, [['PUBLIC_URL', 'bi.exemplo.com.br']]],
  [
    'the report service, with its port',
    { REPORTS_URL: 'https://relatorios.exemplo.com.br:8443' },
    [['REPORTS_URL', 'relatorios.exemplo.com.br:8443']],
  ],
  [
    'the identity provider',
    { OIDC_ISSUER: 'https://login.exemplo.com.br/x', OIDC_CLIENT_ID: 'portal' },
    [['OIDC_ISSUER', 'login.exemplo.com.br']],
  ],
  [
    'a mail server, without user and password',
    { SMTP_URL: 'smtps://bi:segredo@correio.exemplo.com.br' },
    [['SMTP_URL', 'correio.exemplo.com.br']],
  ],
  [
    'a mail server that must offer STARTTLS',
    { SMTP_URL: 'smtp://correio.exemplo.com.br:587' },
    [['SMTP_URL', 'correio.exemplo.com.br:587']],
  ],
  ['no mail server on this machine', { SMTP_URL: 'smtp://localhost:1025' }, []],
  ['no mail server without TLS', { SMTP_URL: 'smtp://10.0.0.7?requireTLS=false' }, []],
  [
    'a database with TLS',
    { DATABASE_URL: 'postgres://bi:segredo@banco:5433/bi?sslmode=verify-full' },
    [['DATABASE_URL', 'banco:5433']],
  ],
  ['no database without TLS', { DATABASE_URL: 'postgres://bi@banco/bi' }, []],
  ['no database with TLS turned off', { DATABASE_URL: 'postgres://bi@banco/bi?sslmode=disable' }, []],
])('the portal names %s', (_, environment, expected) => {
  const found = certificateTargets(loadConfig(environment))
  expect(found.map(({ setting, address }) => [setting, address])).toEqual(expected)
})

test('the portal reads the certificate of an https server that no authority has signed', async () => {
  const server = createServer({ key, cert }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  expect(await read({ PUBLIC_URL: `https://127.0.0.1:${port}` })).toEqual({ expiresAt: expiry, fault: null })
})

test('the portal reads the certificate of a mail server with implicit TLS, and sends no password', async () => {
  let attempts = 0
  const smtp = await startSmtp({
    secure: true,
    key,
    cert,
    disabledCommands: [],
    onAuth: (_auth, _session, done) => {
      attempts += 1
      done(null, { user: 'bi' })
    },
  })
  closing.push(smtp.close)
  expect(await read({ SMTP_URL: `smtps://bi:segredo@127.0.0.1:${smtp.port}` })).toEqual(selfSigned)
  expect(attempts).toBe(0)
})

test('the portal reads the certificate of a mail server after STARTTLS', async () => {
  const smtp = await startSmtp({ key, cert, disabledCommands: ['AUTH'] })
  closing.push(smtp.close)
  expect(await read({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?requireTLS=true` })).toEqual(selfSigned)
})

test('the certificate of a mail server whose address accepts any is not evaluated', async () => {
  const smtp = await startSmtp({ key, cert, disabledCommands: ['AUTH'] })
  closing.push(smtp.close)
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}?requireTLS=true&tls.rejectUnauthorized=false`
  expect(await read({ SMTP_URL })).toEqual({ expiresAt: expiry, fault: null })
})

test('the portal fails for a mail server without STARTTLS', async () => {
  const smtp = await startSmtp()
  closing.push(smtp.close)
  await expect(read({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?requireTLS=true` })).rejects.toThrow()
})

test('the portal fails for an unreachable address', async () => {
  await expect(read({ PUBLIC_URL: 'https://127.0.0.1:9' })).rejects.toThrow()
})

const url = process.env.TEST_DATABASE === 'postgres' ? process.env.TEST_DATABASE_URL : undefined
test.runIf(url)(
  'the portal reads the certificate of a PostgreSQL server, and fails when it has none',
  async () => {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const asked = { DATABASE_URL: `${url}?sslmode=require` }
    await expect(read(asked)).rejects.toThrow('no TLS')
    // The server's own user must own the files, so the server writes them.
    const write = (name: string, text: Buffer) =>
      admin.query(
        `copy (select unnest(string_to_array('${String(text).trim()}', E'\\n'))) to program 'umask 077; cat > ${name}'`,
      )
    await write('bi-manager-test.key', key)
    await write('bi-manager-test.crt', cert)
    await admin.query("alter system set ssl_key_file = 'bi-manager-test.key'")
    await admin.query("alter system set ssl_cert_file = 'bi-manager-test.crt'")
    await admin.query('alter system set ssl = on')
    closing.push(async () => {
      for (const name of ['ssl', 'ssl_key_file', 'ssl_cert_file']) {
        await admin.query(`alter system reset ${name}`)
      }
      await admin.query('select pg_reload_conf()')
      await admin.end()
    })
    await admin.query('select pg_reload_conf()')
    await expect.poll(() => read(asked), { timeout: 10_000 }).toEqual({ expiresAt: expiry, fault: null })
  },
)
