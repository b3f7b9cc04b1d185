import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorityFile, companyTls } from '../test/outbound/company-network.ts'
import { companySuite, proxySecrets, trustIt } from '../test/outbound/company-suite.ts'
import { type OidcProvider, startOidcProvider } from '../test/stand-ins/oidc-provider.ts'
import { maria, publicUrl, redirectUri, signInAt } from '../test/stand-ins/oidc-sign-in.ts'
import { startS3 } from '../test/stand-ins/s3-server.ts'
import { startSmtp } from '../test/stand-ins/smtp.ts'
import { startTestApp } from '../test/test-app.ts'
import { useTestApp } from '../test/use-test-app.ts'
import { createUser } from '../test/users.ts'
import { writeBackupKey } from './operations/backup/archive/backup-key.ts'
import { lastBackup } from './operations/backup/runs/backup-runs.ts'
import { startScheduledBackups } from './operations/backup/runs/scheduled-backups.job.ts'
import { loadConfig } from './platform/config/config.ts'
import { createS3Store } from './platform/files/s3-store.ts'
import { routeThroughProxy } from './platform/lib/outbound.ts'
import { Problem } from './platform/lib/problem.ts'
import { buildServices } from './start-server.ts'

/* The other kinds of outbound calls: mail, identity provider, S3, backups, local service. */

const { suite, portalWith, expectNoSecret } = companySuite()
const { atEnd, trust, wrongProxy } = suite

describe('the mail server', () => {
  const servers = {
    'smtps://': { secure: true, ...companyTls },
    'smtp:// with STARTTLS': { ...companyTls, disabledCommands: ['AUTH'] },
  }
  const startMail = async (options: (typeof servers)[keyof typeof servers]) => {
    const smtp = await startSmtp({ authOptional: true, ...options })
    atEnd(smtp.close)
    const scheme = 'secure' in options ? 'smtps' : 'smtp'
    const place = `correio.empresa.example:${smtp.port}`
    return { smtp, place, settings: { SMTP_URL: `${scheme}://${place}` } }
  }

  test.each(Object.entries(servers))(
    'the mail server is called through the proxy by %s',
    async (_, options) => {
      const { smtp, place, settings } = await startMail(options)
      trust()
      const portal = await portalWith(settings)
      const { body } = await portal.post('/sistema/teste-email')
      expect(body).toMatchObject({ entregue: true })
      expect(smtp.received).toHaveLength(1)
      const { certificados } = await portal.status()
      expect(certificados.lista).toMatchObject([{ origem: 'SMTP_URL', estado: 'ok' }])
      expect(new Set(suite.network.tunnels)).toEqual(new Set([place]))
      await expectNoSecret(portal, body, certificados)
    },
  )

  test.each(Object.entries(servers))(
    'the mail server with an untrusted certificate is named by %s',
    async (_, options) => {
      const { smtp, settings, place } = await startMail(options)
      const portal = await portalWith(settings)
      const { body } = await portal.post('/sistema/teste-email')
      expect(body).toMatchObject({ entregue: false })
      expect(body.frase).toContain(`O certificado do servidor de e-mail ${trustIt}`)
      expect(smtp.received).toEqual([])
      const { email, certificados } = await portal.status()
      expect(email.frase).toBe(body.frase)
      expect(certificados).toMatchObject({
        estado: 'falha',
        lista: [{ origem: 'SMTP_URL', estado: 'falha' }],
      })
      expect(certificados.lista[0]?.frase).toContain(`O certificado de ${place} ${trustIt}`)
      await expectNoSecret(portal, body, email)
    },
  )

  test('the mail server is called through a proxy that itself uses TLS', async () => {
    const { smtp, settings } = await startMail(servers['smtps://'])
    trust()
    const proxyPort = await suite.network.withTls(suite.network.proxyUrl)
    const proxyUrl = suite.network.proxyUrl.replace(/^http:(.*)@.*$/, `https:$1@localhost:${proxyPort}`)
    const portal = await portalWith(settings, proxyUrl)
    expect((await portal.post('/sistema/teste-email')).body).toMatchObject({ entregue: true })
    expect(smtp.received).toHaveLength(1)
  })

  test('the mail server is not reached when the proxy refuses the credentials', async () => {
    const { settings } = await startMail(servers['smtps://'])
    const portal = await portalWith(settings, wrongProxy())
    const { body } = await portal.post('/sistema/teste-email')
    expect(body.frase).toMatch(/^O proxy de saída recusou o usuário ou a senha \(407\)/)
    await expectNoSecret(portal, body, await portal.status())
  })

  test('the mail server on the exceptions list is called directly', async () => {
    const { settings } = await startMail(servers['smtps://'])
    trust()
    const SMTP_URL = settings.SMTP_URL.replace('correio.empresa.example', '127.0.0.1')
    const portal = await portalWith({ SMTP_URL })
    expect((await portal.post('/sistema/teste-email')).body).toMatchObject({ entregue: true })
    expect(suite.network.tunnels).toEqual([])
  })
})

describe('the identity provider', () => {
  let provider: OidcProvider
  beforeAll(async () => {
    const secure = { name: 'login.empresa.example', ...companyTls }
    provider = await startOidcProvider({ redirectUris: [redirectUri], secure })
  })
  afterAll(() => provider.close())

  test('the identity provider is called through the proxy for a whole sign-in', async () => {
    trust()
    const environment = { PUBLIC_URL: publicUrl, HTTPS_PROXY: suite.network.proxyUrl, ...provider.settings }
    const portal = await startTestApp(environment)
    atEnd(() => portal.close())
    atEnd(routeThroughProxy(portal.services.config.outbound))
    await createUser(portal, { emailUsuario: maria.email ?? '' })
    const at = signInAt(portal, provider)
    const back = await at.comeBack()
    expect((await at.finish(back)).status).toBe(200)
    const { lista } = (await portalWith(provider.settings).then((other) => other.status())).certificados
    expect(lista).toMatchObject([{ origem: 'OIDC_ISSUER', estado: 'ok' }])
    expect(new Set(suite.network.tunnels)).toEqual(new Set([new URL(provider.issuer).host]))
  })

  test('the identity provider with an untrusted certificate is named in the log, the answer and the system status', async () => {
    const portal = await portalWith(provider.settings)
    const { status, body } = await portal.post('/login/oidc/inicio')
    expect([status, body.codigo, body.detail]).toEqual([
      503,
      'provedor_indisponivel',
      'O portal não confia no certificado do provedor de identidade. Avise um administrador.',
    ])
    expect(portal.log()).toContain(`O certificado de ${provider.issuer} ${trustIt}`)
    const { certificados } = await portal.status()
    expect(certificados.lista).toMatchObject([{ origem: 'OIDC_ISSUER', estado: 'falha' }])
    expect(certificados.lista[0]?.frase).toContain(trustIt)
    await expectNoSecret(portal, body, certificados)
  })

  test('the identity provider is not reached when the proxy refuses the credentials', async () => {
    const portal = await portalWith(provider.settings, wrongProxy())
    const { body } = await portal.post('/login/oidc/inicio')
    expect(body.detail).toMatch(/^O proxy de saída não deixa o portal chegar/)
    expect(portal.log()).toContain('(407): confira HTTPS_PROXY')
    await expectNoSecret(portal, body, await portal.status())
  })
})

describe('the S3 storage', () => {
  let s3: Awaited<ReturnType<typeof startS3>>
  let endpoint: string
  beforeAll(async () => {
    s3 = await startS3({ allowMismatchedSignatures: true })
    endpoint = `https://s3.empresa.example:${await suite.network.withTls(s3.settings.S3_ENDPOINT)}`
  })
  afterAll(() => s3.close())

  const storeWith = async () => {
    const portal = await portalWith({ ...s3.settings, S3_ENDPOINT: endpoint })
    const { config } = portal.services
    if (!config.s3) throw new Error('no settings')
    return { portal, store: createS3Store(config.s3) }
  }

  test('the S3 storage keeps attachments through the proxy', async () => {
    trust()
    const { store } = await storeWith()
    await store.check()
    await store.put('a', Buffer.from('anexo'))
    expect(String(await store.get('a'))).toBe('anexo')
    await store.delete('a')
    expect(new Set(suite.network.tunnels)).toEqual(new Set([new URL(endpoint).host]))
  })

  test('the S3 storage with an untrusted certificate is named in the cause of each failure', async () => {
    const { portal, store } = await storeWith()
    const failure = await store.put('a', Buffer.from('anexo')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(String((failure as Problem).cause)).toContain(`O certificado de ${endpoint} ${trustIt}`)
    await expectNoSecret(portal, String(failure), String((failure as Problem).cause))
  })
})

describe('a scheduled backup in S3', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-outbound-'))
  const source = useTestApp({}, { alone: true })
  let s3: Awaited<ReturnType<typeof startS3>>
  let environment: Record<string, string>
  let endpoint: string
  beforeAll(async () => {
    s3 = await startS3({ allowMismatchedSignatures: true })
    endpoint = `https://copias.empresa.example:${await suite.network.withTls(s3.settings.S3_ENDPOINT)}`
    environment = {
      DATA_DIR: source.dataDir,
      DATABASE_URL: source.databaseUrl ?? '',
      MIN_FREE_MB: '0',
      BACKUP_TARGET: `s3://${s3.settings.S3_BUCKET}/copias`,
      BACKUP_VERIFY: 'false',
      BACKUP_KEY: await writeBackupKey(join(folder, 'chave.txt')),
      BACKUP_SCHEDULE: '* * * * *',
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_REGION: 'us-east-1',
      BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
      BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
      HTTPS_PROXY: suite.network.proxyUrl,
    }
  })
  afterAll(async () => {
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const backUp = async () => {
    const config = loadConfig(environment)
    atEnd(routeThroughProxy(config.outbound))
    const services = buildServices(config, source.db, source.services.secrets)
    const lines: string[] = []
    const keep = (fields: { err?: Error }, message: string) =>
      void lines.push(JSON.stringify({ ...fields, stack: fields.err?.stack, message }))
    const { makeDue, stop } = await startScheduledBackups(services, { info: keep, error: keep } as never)
    await makeDue()
    await stop()
    return { ...(await lastBackup(source.db)), lines: lines.join('\n') }
  }

  test('a scheduled backup in S3 goes through the proxy, also from the process that makes it', async () => {
    // A new process reads the authority from the setting.
    trust()
    process.env.NODE_EXTRA_CA_CERTS = authorityFile
    atEnd(() => delete process.env.NODE_EXTRA_CA_CERTS)
    const { good, lines } = await backUp()
    expect(good, lines).toBeDefined()
    expect(new Set(suite.network.tunnels)).toEqual(new Set([new URL(endpoint).host]))
    expect(lines).not.toMatch(proxySecrets)
  })

  test('a scheduled backup in S3 names an untrusted certificate', async () => {
    const { last, lines } = await backUp()
    expect(last?.resultado).toBe('falhou')
    expect(last?.erro).toContain(`O certificado de ${endpoint} ${trustIt}`)
    expect(`${last?.erro} ${lines}`).not.toMatch(proxySecrets)
  })
})

describe('the local report service', () => {
  test('the local report service is called directly on this machine, and an untrusted certificate is named', async () => {
    const server = createServer(companyTls, (_request, response) =>
      response.end(JSON.stringify({ relatorios: 3, avisos: 0 })),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    atEnd(() => new Promise((resolve) => server.close(resolve)))
    const REPORTS_URL = `https://127.0.0.1:${(server.address() as AddressInfo).port}`

    const { servicoRelatorios, certificados } = await (await portalWith({ REPORTS_URL })).status()
    expect(servicoRelatorios).toMatchObject({ estado: 'falha', endereco: REPORTS_URL })
    expect(servicoRelatorios?.frase).toContain(`O certificado de ${REPORTS_URL} ${trustIt}`)
    expect(certificados.lista[0]?.frase).toContain(trustIt)

    trust()
    const trusted = await (await portalWith({ REPORTS_URL })).status()
    expect(trusted.servicoRelatorios).toMatchObject({ estado: 'ok', relatorios: 3 })
    expect(trusted.certificados.lista).toMatchObject([{ origem: 'REPORTS_URL', estado: 'ok' }])
    expect(suite.network.tunnels).toEqual([])
    server.closeAllConnections()
  })
})
