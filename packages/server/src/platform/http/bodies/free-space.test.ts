import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import type { buildApp } from '../../../app.ts'

/* More megabytes than any disk has, so that less than the reserve is free. */
const everything = 1_000_000_000

let full: Awaited<ReturnType<typeof buildApp>>
let token: string
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  ;({ token } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', acessoProntuario: true })))
  const { databaseUrl } = app
  full = await app.anotherServer({
    config: { ...app.services.config, databaseUrl, minFreeMegabytes: everything },
  })
})
afterAll(() => full.close())

const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${token}` }
  const { statusCode, body } = await full.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: statusCode, body: JSON.parse(body) }
}

const isPostgres = process.env.TEST_DATABASE === 'postgres'

test.skipIf(isPostgres)(
  'a nearly full disk refuses writes with the reason and still answers reads',
  async () => {
    const refused = await call('POST', '/api/responsavel', { nomeResponsavel: 'Sem espaço' })
    expect([refused.status, refused.body.codigo]).toEqual([507, 'sem_espaco'])
    expect(refused.body.detail).toMatch(/disco do servidor está cheio/)
    const { emailUsuario, password } = await createUser(app)
    expect(
      (await call('POST', '/api/usuarios/authorizer', { username: emailUsuario, password })).status,
    ).toBe(200)
    expect((await call('GET', '/api/responsavel')).status).toBe(200)
    const address = { groupId: crypto.randomUUID(), reportId: crypto.randomUUID() }
    expect((await call('POST', '/api/usuarios/relatorio/embed', address)).status).toBe(404)
    expect((await call('DELETE', '/api/conta/sessoes')).status).toBe(200)
  },
)

test.runIf(isPostgres)('a nearly full disk refuses only uploads', async () => {
  expect((await call('POST', '/api/responsavel', { nomeResponsavel: 'No banco' })).status).toBe(201)
  const refused = await call('POST', '/api/anexos', {})
  expect([refused.status, refused.body.codigo]).toEqual([507, 'sem_espaco'])
})

test('GET /readyz reports a nearly full disk and stays 200, because reads still work', async () => {
  expect(await call('GET', '/readyz')).toEqual({
    status: 200,
    body: {
      situacao: isPostgres ? 'sem espaço para arquivos' : 'somente leitura: disco cheio',
      banco: true,
      espaco: false,
    },
  })
})
