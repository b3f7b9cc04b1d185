import { can, type Endpoint, keyGroupsOf } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowKeys, createKey } from '../../../../test/accounts/api-keys.ts'
import { createTargets } from '../../../../test/calls/call-targets.ts'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { goodCalls } from '../../../../test/calls/every-call.ts'
import type { GoodCall } from '../../../../test/calls/good-call.ts'
import { createGuest, openedVisit } from '../../../../test/distribution/guests.ts'
import { connectedScreen, createKiosk } from '../../../../test/distribution/kiosks.ts'
import { formOf } from '../../../../test/multipart.ts'
import { createConnection, createReport, createWorkspace } from '../../../../test/reports.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

/*
 * Generated from contract × roles: the exact status of a good call for roles with the permission,
 * and of any call for the others.
 */

const roles = {
  nobody: undefined,
  USER: { tipo: 'USER', acessoProntuario: false, encarregadoDados: false, situacao: 'ATIVO' },
  'USER with prontuários': {
    tipo: 'USER',
    acessoProntuario: true,
    encarregadoDados: false,
    situacao: 'ATIVO',
  },
  'encarregado with prontuários': {
    tipo: 'USER',
    acessoProntuario: true,
    encarregadoDados: true,
    situacao: 'ATIVO',
  },
  // The officer's pages show medical records, so they need both flags.
  'encarregado without prontuários': {
    tipo: 'USER',
    acessoProntuario: false,
    encarregadoDados: true,
    situacao: 'ATIVO',
  },
  // Both signed in as ADMIN before they were suspended: their sessions must no longer work.
  PENDENTE: { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true, situacao: 'PENDENTE' },
  BLOQUEADO: { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true, situacao: 'BLOQUEADO' },
  ADMIN: { tipo: 'ADMIN', acessoProntuario: false, encarregadoDados: false, situacao: 'ATIVO' },
  // The credential of a connected screen, which is no person's: it opens the routes of screens only.
  'screen of a kiosk': { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true, situacao: 'TELA' },
  // The credential of a guest's visit, of an ADMIN's invitation: it opens the routes of visits only.
  guest: { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true, situacao: 'CONVIDADO' },
  // Keys of every group, of an ADMIN who may read medical records, and of a USER.
  'API key of an ADMIN': { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true, situacao: 'CHAVE' },
  'API key of a USER': { tipo: 'USER', acessoProntuario: true, encarregadoDados: true, situacao: 'CHAVE' },
} as const
type Role = keyof typeof roles

interface Person {
  user: { idUsuario: number; emailUsuario: string }
  token: string | undefined
}

let origin: string
let provider: Awaited<ReturnType<typeof startProvider>>
const people = new Map<Role, Person>()
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
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
})

const enter = async (role: Role): Promise<Person> => {
  const actor = roles[role]
  const user = await createUser(app, {
    tipoUsuario: actor?.tipo ?? 'USER',
    acessoProntuario: actor?.acessoProntuario ?? false,
    encarregadoDados: actor?.encarregadoDados ?? false,
  })
  if (!actor) return { user, token: undefined }
  if (actor.situacao === 'TELA') return { user, token: await connectScreen(user) }
  if (actor.situacao === 'CONVIDADO') return { user, token: await openVisit(user) }
  if (actor.situacao === 'CHAVE') {
    await allowKeys(app)
    return { user, token: (await createKey(app, user)).credencial }
  }
  const { token } = await app.as(user)
  if (actor.situacao !== 'ATIVO') {
    const { situacao } = actor
    await app.db.updateTable('usuario').set({ situacao }).where('idUsuario', '=', user.idUsuario).execute()
  }
  return { user, token }
}

const newReport = async (): Promise<number> => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  return (await createReport(app, { idGrupoRelatorio })).idRelatorio
}

const openVisit = async ({ idUsuario: convidadoPor }: { idUsuario: number }): Promise<string> =>
  openedVisit(app, await createGuest(app, { idRelatorio: await newReport(), convidadoPor }))

const connectScreen = async ({ idUsuario }: { idUsuario: number }): Promise<string> => {
  const idRelatorio = await newReport()
  const { idTelao } = await createKiosk(app, [idRelatorio])
  return connectedScreen(app, { idTelao, conectadaPor: idUsuario })
}

const personOf = async (role: Role): Promise<Person> => {
  const known = people.get(role)
  if (known) return known
  const person = await enter(role)
  people.set(role, person)
  return person
}

const key = ({ method, url }: Endpoint) => `${method} ${url}`

/** Uses a real socket and does not read to the end, because the event stream never ends. */
const send = async (
  { method, url, file: fileField }: Endpoint,
  { params = {}, query = '', body, file, headers = {} }: Omit<GoodCall, 'status'>,
  token: string | undefined,
) => {
  const isForm = fileField !== undefined && typeof body === 'object'
  const path = url.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? 1))
  const leaving = new AbortController()
  const response = await fetch(`${origin}/api${path}${query && `?${query}`}`, {
    method,
    headers: {
      ...headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(isForm
      ? { body: formOf(body as Record<string, string>, file && { bytes: file, name: 'a.png' }) }
      : {}),
    ...(body === undefined || isForm ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: leaving.signal,
  })
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  const { codigo } = isProblem ? ((await response.json()) as { codigo: string }) : { codigo: undefined }
  leaving.abort()
  return { status: response.status, codigo }
}

/** These calls change how the caller signs in, so they need a user of their own. */
const changesCaller = new Set([
  'POST /usuarios/sair',
  'POST /conta/segundo-fator/confirmar',
  'POST /conta/segundo-fator/codigos',
])

const mayKnock = (role: Role, endpoint: Endpoint): boolean => {
  const { permission } = endpoint
  const actor = roles[role]
  if (actor?.situacao === 'CHAVE') return keyGroupsOf(endpoint).length > 0 && can(actor, permission)
  if (actor?.situacao === 'TELA') return permission === 'public' || permission === 'kiosk:show'
  if (actor?.situacao === 'CONVIDADO') return permission === 'public' || permission === 'guest:visit'
  return can(actor && actor.situacao === 'ATIVO' ? actor : undefined, permission)
}

describe.each(endpoints.map((endpoint) => [key(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  test.each(Object.keys(roles) as Role[])('%s gets the status of its permission', async (role) => {
    const actor = roles[role]
    // Calls of the ADMIN revoke every guest.
    const needsOwn = changesCaller.has(name) || endpoint.permission === 'guest:visit'
    const person = needsOwn ? await enter(role) : await personOf(role)
    if (!mayKnock(role, endpoint)) {
      const isKey = actor?.situacao === 'CHAVE'
      const isIn = actor?.situacao === 'ATIVO' || isKey
      const isBeyondKey = isKey && keyGroupsOf(endpoint).length === 0
      const codigo = isBeyondKey
        ? 'chave_sem_permissao'
        : isIn
          ? 'sem_permissao'
          : actor
            ? 'sessao_encerrada'
            : 'sessao_ausente'
      const refused = { status: isIn ? 403 : 401, codigo }
      expect(await send(endpoint, {}, person.token)).toEqual(refused)
      // Without permission, the answer does not show whether the body was well formed.
      if (endpoint.body) expect(await send(endpoint, { body: '{"broken' }, person.token)).toEqual(refused)
      return
    }
    // A public call ignores its sender; the good call of sign-in needs an active account.
    const hasCredential = actor?.situacao === 'TELA' || actor?.situacao === 'CONVIDADO'
    const isAdmitted = hasCredential && endpoint.permission !== 'public'
    const isKey = actor?.situacao === 'CHAVE'
    const asIs =
      actor?.situacao === 'ATIVO' || !actor || isAdmitted || isKey ? person : await personOf('USER')
    const calls = (await goodCalls[name]?.(await createTargets(app, asIs.user))) ?? []
    expect(
      calls.length,
      'a good call in test/calls/every-call.ts, or a sample in test/calls/entity-samples.ts',
    ).toBeGreaterThan(0)
    for (const { when = '', status, ofUser = status, ...call } of calls) {
      const expected = actor?.tipo === 'USER' ? ofUser : status
      expect((await send(endpoint, call, person.token)).status, when).toBe(expected)
    }
  })
})

test('the roles without a live session have only public permissions', () => {
  for (const endpoint of endpoints.filter(({ permission }) => permission !== 'public')) {
    expect(mayKnock('nobody', endpoint), key(endpoint)).toBe(false)
    expect(mayKnock('BLOQUEADO', endpoint), key(endpoint)).toBe(false)
  }
})

test('the contract and the server have the same calls', async () => {
  const { body } = await app.anonymous.get('/openapi.json')
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const said = endpoints.map(({ method, url }) => `${method} /api${url.replace(/:(\w+)/g, '{$1}')}`)
  expect(served.sort(), 'register the routes in routes.ts').toEqual(said.sort())
  const hint = 'test/calls/every-call.ts and test/calls/entity-samples.ts'
  expect(Object.keys(goodCalls).sort(), hint).toEqual(endpoints.map(key).sort())
})
