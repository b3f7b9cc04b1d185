import type { AllServices } from '../src/all-services.ts'
import { buildApp } from '../src/app.ts'
import { type Config, loadConfig } from '../src/platform/config/config.ts'
import { loadSecrets } from '../src/platform/config/secrets.ts'
import { buildServices } from '../src/start-server.ts'
import { openTestDatabase } from './database/test-database.ts'
import { multipartOf } from './multipart.ts'

interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any
}

interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to /api, unless it starts with `!`. */
  url: string
  body?: unknown
  headers?: Record<string, string>
}

/**
 * Starts the real server on a separate migrated database, called without a socket. `clock` shifts
 * the server's time, `environment` has settings as from an operator, `alone` is passed to the
 * database.
 */
export const startTestApp = async (environment: Record<string, string> = {}, { alone = false } = {}) => {
  const database = await openTestDatabase({ alone })
  // Test databases may be in memory with little free space (test-database.ts).
  const defaults = {
    LOG_LEVEL: 'silent',
    MIN_FREE_MB: '0',
    DATA_DIR: database.dataDir,
    ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
  }
  const config: Config = loadConfig({ ...defaults, ...environment })
  const clock = { offsetMs: 0 }
  const now = () => new Date(Date.now() + clock.offsetMs)
  const secrets = loadSecrets(config.appSecret, config.dataDir)
  const services = buildServices(config, database.db, secrets, now)
  const app = await buildApp(services)
  await app.ready()

  const call = async ({ method, url, body, headers = {} }: Request): Promise<Answer> => {
    const response = await app.inject({
      method,
      url: url.startsWith('!') ? url.slice(1) : `/api${url}`,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: isRaw(body) ? body : JSON.stringify(body) }),
    })
    const json = /json/.test(String(response.headers['content-type'] ?? ''))
    return {
      status: response.statusCode,
      headers: response.headers,
      body: json && response.body ? response.json() : response.body,
    }
  }
  const withHeaders = (headers: Record<string, string>) => ({
    get: (url: string, more = {}) => call({ method: 'GET', url, headers: { ...headers, ...more } }),
    post: (url: string, body: unknown = {}, more = {}) =>
      call({ method: 'POST', url, body, headers: { ...headers, ...more } }),
    put: (url: string, body: unknown = {}, more = {}) =>
      call({ method: 'PUT', url, body, headers: { ...headers, ...more } }),
    del: (url: string, more = {}) => call({ method: 'DELETE', url, headers: { ...headers, ...more } }),
    /** Sends a form of text fields and files, as a browser does. */
    upload: async (url: string, form: FormData, more = {}) => {
      const { type, bytes } = await multipartOf(form)
      return call({
        method: 'POST',
        url,
        body: bytes,
        headers: { ...headers, 'content-type': type, ...more },
      })
    },
    /** Returns the raw bytes of an answer that is not JSON. */
    download: async (url: string, more = {}) => {
      const answer = await app.inject({ method: 'GET', url: `/api${url}`, headers: { ...headers, ...more } })
      return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
    },
  })
  const anonymous = withHeaders({})
  return {
    ...database,
    app,
    services,
    clock,
    anonymous,
    /** Signs in through the API and calls with the session's token. */
    as: async ({ emailUsuario, password }: { emailUsuario: string; password: string }) => {
      const { status, body } = await anonymous.post('/usuarios/authorizer', {
        username: emailUsuario,
        password,
      })
      if (status !== 200) throw new Error(`sign-in answered ${status}: ${JSON.stringify(body)}`)
      const token: string = body.access_token
      return { token, signedIn: body, ...withHeaders({ authorization: `Bearer ${token}` }) }
    },
    withHeaders,
    /** Builds another server on the same database, like a second process; the caller closes it. */
    anotherServer: (changes: Partial<AllServices> = {}) => buildApp({ ...services, ...changes }),
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}

const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body)

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
