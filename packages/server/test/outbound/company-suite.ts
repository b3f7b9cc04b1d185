import { Writable } from 'node:stream'
import { SystemStatus } from '@bi-manager/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, loadConfig } from '../../src/platform/config/config.ts'
import { routeThroughProxy } from '../../src/platform/lib/outbound.ts'
import { buildServices } from '../../src/start-server.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { type CompanyNetwork, startCompanyNetwork, trustAuthority } from './company-network.ts'

const credentials = { user: 'portal', password: 'S3nha-do-proxy' }

/** The proxy's password, plain and as the header sends it. */
export const proxySecrets = /S3nha-do-proxy|cG9ydGFsOlMzbmhh/

/** The end of the sentence about a certificate of the company's own authority. */
export const trustIt =
  'foi emitido por uma autoridade que o portal não conhece: informe o certificado dela em NODE_EXTRA_CA_CERTS e reinicie o portal'

/**
 * Starts, for a test file, the network of a company: its hosts exist only behind a proxy that
 * requires credentials, and their certificates are from the company's own authority.
 */
export const companySuite = () => {
  let ends: (() => unknown)[] = []
  const suite = {
    app: useTestApp(),
    network: {} as CompanyNetwork,
    /** Runs when the test ends, in reverse order. */
    atEnd: (end: () => unknown) => void ends.push(end),
    trust: () => suite.atEnd(trustAuthority()),
    wrongProxy: () => suite.network.proxyUrl.replace(credentials.password, `${credentials.password}-antiga`),
  }
  let user: Awaited<ReturnType<typeof createUser>>
  beforeAll(async () => {
    suite.network = await startCompanyNetwork({ credentials })
  })
  beforeEach(async () => {
    suite.network.tunnels.length = 0
    user = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
  })
  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    ends = []
  })
  afterAll(() => suite.network.close())

  /**
   * Starts a portal on the test's database with these settings, its process routed through the
   * proxy, called by an ADMIN. `log` has its lines at every level.
   */
  const portalWith = async (environment: Record<string, string>, proxyUrl = suite.network.proxyUrl) => {
    const { app } = suite
    const settings = { LOG_LEVEL: 'trace', MIN_FREE_MB: '0', DATA_DIR: app.dataDir, HTTPS_PROXY: proxyUrl }
    const config: Config = loadConfig({ ...settings, ...environment })
    suite.atEnd(routeThroughProxy(config.outbound))
    let log = ''
    const logTo = new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk
        done()
      },
    })
    const services = buildServices(config, app.db, app.services.secrets)
    const server = await buildApp(services, { logTo })
    suite.atEnd(() => server.close())
    const { token } = await app.as(user)
    const send = async (method: 'GET' | 'POST', url: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const payload = method === 'POST' ? { payload: '{}' } : {}
      const answer = await server.inject({ method, url: `/api${url}`, headers, ...payload })
      return { status: answer.statusCode, body: answer.json() }
    }
    return {
      services,
      get: (url: string) => send('GET', url),
      post: (url: string) => send('POST', url),
      status: async () => SystemStatus.parse((await send('GET', '/sistema/situacao')).body),
      log: () => log,
    }
  }

  /** Checks that no log line, audit line or answer shows the proxy's password. */
  const expectNoSecret = async (portal: { log: () => string }, ...shown: unknown[]) => {
    const audit = await suite.app.db.selectFrom('auditoria').selectAll().execute()
    for (const text of [portal.log(), JSON.stringify(shown), JSON.stringify(audit)])
      expect(text).not.toMatch(proxySecrets)
  }

  return { suite, portalWith, expectNoSecret }
}
