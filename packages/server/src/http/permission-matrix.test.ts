import { can, type Endpoint, menusApi, portalApi, reportsApi, sessionsApi } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'

/* Generated from contract × roles: who may knock at each call, and who may not. */

const endpoints: Endpoint[] = [sessionsApi, menusApi, reportsApi, portalApi].flatMap((api) =>
  Object.values(api),
)
const roles = {
  nobody: undefined,
  USER: { tipo: 'USER', acessoProntuario: false },
  'USER with prontuários': { tipo: 'USER', acessoProntuario: true },
  ADMIN: { tipo: 'ADMIN', acessoProntuario: false },
} as const
type Role = keyof typeof roles

let app: TestApp
const tokens: Partial<Record<Role, string>> = {}
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const tokenOf = async (role: Role): Promise<string | undefined> => {
  const actor = roles[role]
  if (!actor) return undefined
  const user = await createUser(app, { tipoUsuario: actor.tipo, acessoProntuario: actor.acessoProntuario })
  tokens[role] = (await app.as(user)).token
  return tokens[role]
}

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    test.each(Object.keys(roles) as Role[])('%s', async (role) => {
      const token = await tokenOf(role)
      const response = await app.app.inject({
        method: endpoint.method,
        url: `/api${endpoint.url.replace(/:\w+/g, '1')}`,
        headers: token ? { authorization: `Bearer ${token}` } : {},
      })
      const refused = token ? 403 : 401
      const codes = ['sem_permissao', 'sessao_ausente', 'sessao_encerrada']
      if (can(roles[role], endpoint.permission)) {
        const { codigo } = response.body ? response.json() : { codigo: undefined }
        expect(codes).not.toContain(codigo)
        expect(response.statusCode).toBeLessThan(500)
      } else {
        expect(response.statusCode).toBe(refused)
        expect(codes).toContain(response.json().codigo)
      }
    })

    test.each(['PENDENTE', 'BLOQUEADO'] as const)('a live session of a person now %s', async (situacao) => {
      const user = await createUser(app, { tipoUsuario: 'ADMIN' })
      const { token } = await app.as(user)
      await app.db.updateTable('usuario').set({ situacao }).where('idUsuario', '=', user.idUsuario).execute()
      const response = await app.app.inject({
        method: endpoint.method,
        url: `/api${endpoint.url.replace(/:\w+/g, '1')}`,
        headers: { authorization: `Bearer ${token}` },
      })
      if (endpoint.permission === 'public') expect(response.statusCode).not.toBe(401)
      else expect(response.statusCode).toBe(401)
    })
  },
)

test('the contract and the server have the same calls', async () => {
  const { body } = await app.anonymous.get('/openapi.json')
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const said = endpoints.map(({ method, url }) => `${method} /api${url.replace(/:(\w+)/g, '{$1}')}`)
  expect(served.sort()).toEqual(said.sort())
})
