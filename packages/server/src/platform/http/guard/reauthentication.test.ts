import { randomUUID } from 'node:crypto'
import { type Endpoint, keyGroupsOf } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ageSessions, expectReauthenticationDemanded } from '../../../../test/accounts/old-session.ts'
import { createTargets, type Targets } from '../../../../test/calls/call-targets.ts'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { goodCalls } from '../../../../test/calls/every-call.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser, password } from '../../../../test/users.ts'

/* The calls that the contract declares with `reauthentication`, and the server that enforces it. */

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({ ...provider.settings, RATE_LIMIT_PER_MINUTE: '1000000' }))

const nameOf = ({ method, url }: Endpoint) => `${method} ${url}`
const declared = endpoints.filter(({ reauthentication }) => reauthentication !== undefined)
const always = declared.filter(({ reauthentication }) => reauthentication === 'always')

interface Request {
  params?: Record<string, string | number> | undefined
  body?: unknown
}

const start = async () => {
  const user = await createUser(app, { tipoUsuario: 'ADMIN' })
  const admin = await app.as(user)
  ageSessions(app)
  const targets = await createTargets(app, user)
  const send = async ({ method, url }: Endpoint, { params = {}, body }: Request) => {
    const path = url.replace(/:(\w+)/g, (_, key: string) => String(params[key]))
    if (method === 'DELETE') return admin.del(path)
    return method === 'PUT' ? admin.put(path, body) : admin.post(path, body)
  }
  const confirm = async () =>
    expect((await admin.post('/conta/confirmacao', { senha: password })).status).toBe(204)
  return { targets, send, confirm }
}

describe.each(always.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  test('the call is refused in an old session, and succeeds after a confirmation', async () => {
    const { targets, send, confirm } = await start()
    const calls = (await goodCalls[name]?.(targets)) ?? []
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls) expectReauthenticationDemanded(await send(endpoint, call))
    await confirm()
    for (const { status, ...call } of calls) expect((await send(endpoint, call)).status).toBe(status)
  })
})

const identity = { papeisRls: ['Operadora'] }
const webhook = 'https://exemplo.com.br/avisos'
const schedule = { diasAgenda: ['segunda'], pausaAs: '19:00' }
const strict = async ({ app }: Targets, table: 'assinaturaRegras' | 'convidadoRegras') => {
  await app.db
    .updateTable(table)
    .set({ dominios: ['exemplo.com.br'] })
    .execute()
}
const withIdentity = async ({ app, report: { idRelatorio } }: Targets) => {
  await app.db.updateTable('relatorio').set(identity).where('idRelatorio', '=', idRelatorio).execute()
  return { id: idRelatorio }
}
const goodCallOf = async (name: string, targets: Targets) => {
  const [call] = (await goodCalls[name]?.(targets)) ?? []
  return { params: call?.params, body: call?.body as object }
}

/** A call with the effect that needs a proof, for each call where the effect decides. */
const effects: Record<string, (targets: Targets) => Request | Promise<Request>> = {
  'POST /usuarios/relatorio/:id/alertas': async (targets) => {
    const { params, body } = await goodCallOf('POST /usuarios/relatorio/:id/alertas', targets)
    return { params, body: { ...body, webhook } }
  },
  'PUT /alertas/:id': async (targets) => {
    const { params, body } = await goodCallOf('PUT /alertas/:id', targets)
    return { params, body: { ...body, webhook } }
  },
  'PUT /configuracao/assinaturas': async (targets) => {
    await strict(targets, 'assinaturaRegras')
    return { body: { dominios: [], anexosRestritos: false, anexoMb: 8 } }
  },
  'PUT /configuracao/convidados': async (targets) => {
    await strict(targets, 'convidadoRegras')
    return { body: { ligado: false, diasMaximos: 1, dominios: [], redes: [] } }
  },
  'PUT /configuracao/chaves': () => ({ body: { pessoas: false, mcp: true } }),
  'PUT /configuracao/seguranca': () => ({ body: { buscaSemAcesso: true } }),
  'POST /usuarios/capacidade': async (targets) => {
    const { body } = await goodCallOf('POST /usuarios/capacidade', targets)
    return { body: { ...body, ...schedule } }
  },
  'PUT /usuarios/capacidade/:id': async (targets) => {
    const { params, body } = await goodCallOf('PUT /usuarios/capacidade/:id', targets)
    return { params, body: { ...body, ...schedule } }
  },
  'DELETE /usuarios/capacidade/:id': async ({ app, capacity: { idCapacidade: id } }) => {
    await app.db.updateTable('capacidade').set({ ociosaMinutos: 60 }).where('idCapacidade', '=', id).execute()
    return { params: { id } }
  },
  'PUT /usuarios/powerbi/:id': async (targets) => goodCallOf('PUT /usuarios/powerbi/:id', targets),
  'PUT /usuarios/workspace/:id': async (targets) => goodCallOf('PUT /usuarios/workspace/:id', targets),
  'POST /usuarios/relatorio': async (targets) => {
    const { body } = await goodCallOf('POST /usuarios/relatorio', targets)
    return { body: { ...body, ...identity } }
  },
  'POST /usuarios/workspace/:id/relatorios': ({ workspace: { idGrupoRelatorio: id } }) => {
    const report = { reportId: randomUUID(), nomeRelatorio: 'Outro', operadoraRelatorio: 'CNU' }
    const relatorios = [{ ...report, ...identity }]
    return { params: { id }, body: { relatorios } }
  },
  'PUT /usuarios/relatorio/:id': async (targets) => goodCallOf('PUT /usuarios/relatorio/:id', targets),
  'DELETE /usuarios/relatorio/:id': async (targets) => ({ params: await withIdentity(targets) }),
  'POST /usuarios/telao': async (targets) => {
    const { body } = await goodCallOf('POST /usuarios/telao', targets)
    return { body: { ...body, identidadeRls: 'CNU' } }
  },
  'PUT /usuarios/telao/:id': async (targets) => {
    const { params, body } = await goodCallOf('PUT /usuarios/telao/:id', targets)
    return { params, body: { ...body, identidadeRls: 'CNU' } }
  },
  'PUT /usuarios/:id': ({ person }) => ({
    params: { id: person.idUsuario },
    body: { emailUsuario: 'outro@exemplo.com.br' },
  }),
  'POST /usuarios/importacao': async (targets) => goodCallOf('POST /usuarios/importacao', targets),
  'POST /usuarios/:id/aprovar': ({ pending }) => ({
    params: { id: pending.idUsuario },
    body: { tipoUsuario: 'ADMIN' },
  }),
  'POST /usuarios/:id/convidar': ({ unconfirmed }) => ({
    params: { id: unconfirmed.idUsuario },
    body: { tipoUsuario: 'ADMIN' },
  }),
}

const conditional = declared.filter(({ reauthentication }) => typeof reauthentication === 'object')

describe.each(conditional.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  (name, endpoint) => {
    test('the call with the effect is refused in an old session, and succeeds after a confirmation', async () => {
      const { targets, send, confirm } = await start()
      const request = await effects[name]?.(targets)
      if (!request) throw new Error(`Add a call to effects: ${name}`)
      expectReauthenticationDemanded(await send(endpoint, request))
      await confirm()
      expect((await send(endpoint, request)).status).toBeLessThan(300)
    })
  },
)

test('API keys reach only the calls of publication among those that need a proof', () => {
  const reached = declared.filter((endpoint) => keyGroupsOf(endpoint).length > 0)
  expect(reached.flatMap(keyGroupsOf)).toEqual(reached.map(() => 'PUBLICAR'))
  expect(reached.map(nameOf).toSorted()).toEqual([
    'POST /publicacoes/:rascunho',
    'POST /publicacoes/pastas/:rascunho',
    'POST /publicacoes/relatorios/:reportId/dados',
    'POST /publicacoes/relatorios/:reportId/dados/conferencia',
    'POST /publicacoes/relatorios/:reportId/versoes/:numero/restauracao',
    'PUT /publicacoes/relatorios/:reportId/agenda',
  ])
})

test('no call without a user needs a proof', () => {
  const impersonal = ['public', 'kiosk:show', 'guest:visit']
  expect(declared.filter(({ permission }) => impersonal.includes(permission))).toEqual([])
})
