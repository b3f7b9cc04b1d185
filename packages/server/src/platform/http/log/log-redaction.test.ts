import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { type Entity, entities } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTargets } from '../../../../test/calls/call-targets.ts'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { goodCalls } from '../../../../test/calls/every-call.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser, password } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

/* Every call at log level trace: what users type and receive appears in no log line. */

let provider: Awaited<ReturnType<typeof startProvider>>
let server: Awaited<ReturnType<typeof buildApp>>
let log = ''
const logTo = new Writable({
  write(chunk, _encoding, done) {
    log += chunk
    done()
  },
})

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    ...provider.settings,
    RATE_LIMIT_PER_MINUTE: '1000000',
  }),
  { resets: false },
)
beforeAll(async () => {
  const config = { ...app.services.config, logLevel: 'trace' as const }
  server = await buildApp({ ...app.services, config }, { logTo })
  await server.ready()
})
afterAll(() => server.close())

/** Fields whose values must not appear in the log, in either direction. */
const secretField =
  /senha|password|token|codigo|segredo|secret|filtro|email|username|loginUsuario|verificador|nonce|retorno|identidadeRls|nome|texto|uri|descricao|prescricao|titulo|dados_afetados|medidas|id_beneficiario/i
/** Fields that the contract describes as personal or health data. */
const described: readonly Entity[] = entities
const privateFields = new Set(
  described.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]?.privacy !== 'none')),
)
/** Public values, or codes for programs. */
const known = new Set(['codigo', 'token_type', 'tipoCredencial'])

const isSecret = (field: string) => secretField.test(field) || privateFields.has(field)

const secretsIn = (value: unknown, field = ''): string[] => {
  if (typeof value === 'string') {
    return value.length >= 8 && isSecret(field) && !known.has(field) ? [value] : []
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, field))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => secretsIn(item, name))
}

/** The same shape with every possibly secret text replaced, so that the value is refused. */
const spike = (value: unknown, mark: string, field = ''): unknown => {
  if (typeof value === 'string') return isSecret(field) ? `${mark}'"${field}` : value
  if (Array.isArray(value)) return value.map((item) => spike(item, mark, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spike(item, mark, name)]))
}

const signInToServer = async (user: { emailUsuario: string }): Promise<string> => {
  const payload = { username: user.emailUsuario, password }
  const answer = await server.inject({ method: 'POST', url: '/api/usuarios/authorizer', payload })
  return answer.json().access_token
}

const enter = async () => {
  const user = await createUser(app, {
    tipoUsuario: 'ADMIN',
    nomeUsuario: `Pessoa ${randomUUID()}`,
    acessoProntuario: true,
    encarregadoDados: true,
  })
  return { user, token: await signInToServer(user) }
}
let signedIn: Awaited<ReturnType<typeof enter>> | undefined

describe.each(
  endpoints
    .filter(({ url }) => url !== '/usuarios/eventos')
    .map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const),
)('%s', (name, { method, url }) => {
  test('the call leaves no secret in the log, whether accepted or refused', async () => {
    // Some calls end sessions.
    if (/usuarios\/sair|senha|sessoes|Recovery|segundo-fator/i.test(url) || !signedIn)
      signedIn = await enter()
    const { user, token } = signedIn
    const device = `aparelho-${randomUUID()}`
    const mark = `SEGREDO-${randomUUID()}`
    const secrets = [token, token.split('.')[2] ?? token, device, mark, password, user.emailUsuario]
    log = ''
    for (const call of (await goodCalls[name]?.(await createTargets(app, user))) ?? []) {
      const { params = {}, query = '', body } = call
      const path = url.replace(/:(\w+)/g, (_, key: string) => String(params[key] ?? 1))
      secrets.push(...secretsIn(body))
      const spiked = typeof body === 'object' ? [JSON.stringify(spike(body, mark))] : []
      const broken = `{"senha":"${mark}`
      for (const payload of [body === undefined ? undefined : JSON.stringify(body), ...spiked, broken]) {
        const answer = await server.inject({
          method,
          url: `/api${path}?${[query, `busca=${mark}`, `token=${mark}`].filter(Boolean).join('&')}`,
          headers: {
            authorization: `Bearer ${token}`,
            'x-dispositivo': device,
            cookie: `c=${mark}`,
            'user-agent': `Navegador ${mark}`,
            referer: `http://x/?token=${mark}`,
            ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(payload === undefined ? {} : { payload }),
        })
        expect(answer.statusCode, answer.body).toBeLessThan(500)
        if (/json/.test(String(answer.headers['content-type']))) secrets.push(...secretsIn(answer.json()))
      }
    }
    expect(log).toContain('"msg":"request"')
    for (const secret of new Set(secrets)) expect(log).not.toContain(JSON.stringify(secret).slice(1, -1))
  })
})

describe('an error of the database', () => {
  const conflict = async (url: string, body: object) => {
    log = ''
    const token = await signInToServer(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const send = () =>
      server.inject({
        method: 'POST',
        url: `/api${url}`,
        headers: { authorization: `Bearer ${token}` },
        payload: body,
      })
    await send()
    const { statusCode } = await send()
    return statusCode
  }

  test('an error of the database does not put the refused value into the log: an e-mail or name in use', async () => {
    const emailUsuario = `${randomUUID()}@exemplo.com.br`
    expect(await conflict('/usuarios', { nomeUsuario: 'N', emailUsuario, senhaUsuario: password })).toBe(409)
    expect(log).not.toContain(emailUsuario)
    const nomeResponsavel = `Responsável ${randomUUID()}`
    expect(await conflict('/responsavel', { nomeResponsavel })).toBe(409)
    expect(log).not.toContain(nomeResponsavel)
    expect(log).toContain('"status":409')
  })

  test('an error of the database does not put values into the log when the error is unexpected', async () => {
    const broken = await buildApp(
      { ...app.services, config: { ...app.services.config, logLevel: 'trace' } },
      { logTo },
    )
    const fields = { code: '23502', constraint: 'c', severity: 'ERROR', parameters: ['segredo-1'] }
    broken.get('/api/quebrada', { config: { permission: 'public' } }, async () => {
      const cause = Object.assign(new Error('invalid input: "segredo-2"'), { code: '22P02' })
      const detail = 'Failing row contains (segredo-3).'
      throw Object.assign(new Error('null value in column "x"', { cause }), {
        ...fields,
        detail,
        where: 'segredo-4',
      })
    })
    log = ''
    expect((await broken.inject('/api/quebrada')).statusCode).toBe(500)
    expect(log).toContain('null value in column')
    expect(log).toContain('23502')
    expect(log).not.toMatch(/segredo-\d/)
    await broken.close()
  })
})
