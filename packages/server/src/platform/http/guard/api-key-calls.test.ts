import {
  can,
  type Endpoint,
  type KeyGroup,
  keyGroupCalls,
  keyGroupsOf,
  keyGroupTexts,
} from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { allowKeys, createKey } from '../../../../test/accounts/api-keys.ts'
import { giveSecondFactor } from '../../../../test/accounts/second-factor.ts'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { isKey, newKey } from '../../lib/prefixed-key.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000' })

const withKey = (credencial: string) => app.withHeaders({ authorization: `Bearer ${credencial}` })
const menu = '/usuarios/menus'
const invalid = { status: 401, body: { codigo: 'chave_invalida' } }
const key = ({ method, url }: Endpoint) => `${method} ${url}`

/** A person with every permission, whose key has every group. */
const almighty = { tipoUsuario: 'ADMIN', acessoProntuario: true, encarregadoDados: true } as const

describe('the calls of the groups', () => {
  const reached = Object.values(keyGroupCalls).flat()

  test('the calls of the groups are no calls of sign-in, second factor, password, proof, keys or medical records', () => {
    const refused = [
      'public',
      'session:own',
      'account:own',
      'api-keys:manage',
      'kiosk:show',
      'guest:visit',
      'settings:manage',
    ]
    const permissions = new Set(reached.map(({ permission }) => permission))
    expect(refused.filter((permission) => permissions.has(permission as never))).toEqual([])
    const clinician = { tipo: 'USER', acessoProntuario: true, encarregadoDados: true } as const
    const other = { ...clinician, acessoProntuario: false, encarregadoDados: false }
    const ofRecords = reached.filter(
      ({ permission }) => can(clinician, permission) && !can(other, permission),
    )
    expect(ofRecords.map(key)).toEqual([])
  })

  test.each(Object.keys(keyGroupCalls) as KeyGroup[])(
    'the calls of the groups of %s are for its people',
    (group) => {
      const person = { tipo: 'USER', acessoProntuario: true, encarregadoDados: true } as const
      const isForAll = keyGroupCalls[group].every(({ permission }) => can(person, permission))
      expect(isForAll).toBe(!keyGroupTexts[group].isForAdmins)
    },
  )
})

test('a key with every group is refused by every other call of the API, medical records first', async () => {
  const { credencial } = await createKey(app, await createUser(app, almighty))
  const program = withKey(credencial)
  const others = endpoints.filter((endpoint) => keyGroupsOf(endpoint).length === 0)
  const records = others.filter(({ permission }) => permission === 'records:access')
  expect([others.length > 150, records.length > 10]).toEqual([true, true])
  for (const endpoint of others) {
    const target = endpoint.url.replace(/:\w+/g, '1')
    const send = { GET: program.get, POST: program.post, PUT: program.put, DELETE: program.del }[
      endpoint.method
    ]
    const { status, body } = await send(target)
    expect([status, body.codigo], key(endpoint)).toEqual([403, 'chave_sem_permissao'])
  }
})

test.each(Object.keys(keyGroupCalls) as KeyGroup[])(
  'a key with %s reaches no call of another group',
  async (group) => {
    const { credencial } = await createKey(app, await createUser(app, almighty), { grupos: [group] })
    const program = withKey(credencial)
    for (const endpoint of Object.values(keyGroupCalls).flat()) {
      // A body that no call accepts, so that none has an effect.
      const target = endpoint.url.replace(/:\w+/g, 'x')
      const send = { GET: program.get, POST: program.post, PUT: program.put, DELETE: program.del }[
        endpoint.method
      ]
      const { body } = await send(target, endpoint.method === 'GET' ? {} : '{"broken')
      const isIn = keyGroupsOf(endpoint).includes(group)
      expect(body?.codigo === 'chave_sem_permissao', key(endpoint)).toBe(!isIn)
      for (const wanted of isIn ? [] : keyGroupsOf(endpoint))
        expect(body.detail).toContain(`“${keyGroupTexts[wanted].title}”`)
    }
  },
)

describe('a key', () => {
  test('a key acts as its owner with their permissions of the moment', async () => {
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const program = withKey((await createKey(app, owner)).credencial)
    const change = (values: object) =>
      app.db.updateTable('usuario').set(values).where('idUsuario', '=', owner.idUsuario).execute()
    expect((await program.get('/usuarios')).status).toBe(200)
    await allowKeys(app)
    await change({ tipoUsuario: 'USER' })
    expect((await program.get('/usuarios')).body.codigo).toBe('sem_permissao')
    expect((await program.get(menu)).status).toBe(200)
    await allowKeys(app, false)
    expect(await program.get(menu)).toMatchObject(invalid)
    await change({ tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    expect(await program.get(menu)).toMatchObject(invalid)
    await change({ situacao: 'ATIVO' })
    expect((await program.get(menu)).status).toBe(200)
  })

  test('a key is refused when it has expired, is unknown or is mistyped', async () => {
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const { credencial } = await createKey(app, owner)
    const last = credencial.at(-1) === 'a' ? 'b' : 'a'
    for (const wrong of [newKey('bim_'), `${credencial.slice(0, -1)}${last}`, 'bim_', `${credencial}a`]) {
      expect(await withKey(wrong).get(menu)).toMatchObject(invalid)
    }
    app.clock.offsetMs = 24 * 3_600_000 + 1
    expect(await withKey(credencial).get(menu)).toMatchObject(invalid)
  })

  test('a key waits while the rules require a second factor that its owner has not set up', async () => {
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const program = withKey((await createKey(app, owner)).credencial)
    await app.db.updateTable('configuracao').set({ segundoFator: 'todos' }).execute()
    expect((await program.get(menu)).body.codigo).toBe('segundo_fator_obrigatorio')
    await giveSecondFactor(app, owner.idUsuario)
    expect((await program.get(menu)).status).toBe(200)
    const provided = await createUser(app, { tipoUsuario: 'ADMIN' })
    const other = await createKey(app, provided, { metodo: 'provedor' })
    expect((await withKey(other.credencial).get(menu)).status).toBe(200)
  })

  test('a key notes its last use once a minute, with the address', async () => {
    const { credencial, idChave } = await createKey(app, await createUser(app, { tipoUsuario: 'ADMIN' }))
    const used = async () => {
      await withKey(credencial).get(menu)
      const row = await app.db.selectFrom('chaveApi').selectAll().executeTakeFirstOrThrow()
      return { idChave: row.idChave, usadaDe: row.usadaDe, usadaEm: row.usadaEm?.getTime() ?? 0 }
    }
    const first = await used()
    expect(first).toMatchObject({ idChave, usadaDe: '127.0.0.1' })
    app.clock.offsetMs = 50_000
    expect(await used()).toEqual(first)
    app.clock.offsetMs = 61_000
    expect((await used()).usadaEm).toBeGreaterThan(first.usadaEm + 60_000)
  })

  test('a key works only from its networks', async () => {
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const near = await createKey(app, owner, { redes: ['127.0.0.0/8'] })
    const far = await createKey(app, owner, { redes: ['192.0.2.0/24', '2001:db8::/32'] })
    expect((await withKey(near.credencial).get(menu)).status).toBe(200)
    expect(await withKey(far.credencial).get(menu)).toMatchObject({
      status: 403,
      body: { codigo: 'chave_rede_negada' },
    })
  })

  test('a key is named in the audit, also when it is refused', async () => {
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const { credencial } = await createKey(app, owner, { nome: 'Planilha', grupos: ['USUARIOS'] })
    // Refusals of other tests, whose rows had the same ids, were audited within this minute.
    app.clock.offsetMs = 120_000
    await withKey(credencial).get('/usuarios.csv')
    await withKey(credencial).get('/prontuarios')
    const rows = await app.db
      .selectFrom('auditoria')
      .select(['acao', 'idUsuario', 'detalhes'])
      .orderBy('idAuditoria')
      .execute()
    expect(rows).toMatchObject([
      { acao: 'list.exported', idUsuario: owner.idUsuario, detalhes: { chaveApi: 'Planilha' } },
      { acao: 'access.refused', detalhes: { codigo: 'chave_sem_permissao', chaveApi: 'Planilha' } },
    ])
  })

  test('a key obeys the headers that name the caller', async () => {
    const { credencial } = await createKey(app, await createUser(app, { tipoUsuario: 'ADMIN' }))
    expect((await withKey(credencial).get(menu, { usuario_id: '999' })).body.codigo).toBe(
      'identidade_divergente',
    )
  })
})

describe('the limits of calls', () => {
  const limited = useTestApp({ RATE_LIMIT_PER_MINUTE: '5' })
  const send = async (credencial: string) =>
    (await limited.withHeaders({ authorization: `Bearer ${credencial}` }).get(menu)).status

  test('the limits of calls count each key by itself, and invalid ones by network', async () => {
    const owner = await createUser(limited, { tipoUsuario: 'ADMIN' })
    const [one, two] = [await createKey(limited, owner), await createKey(limited, owner)]
    const first = []
    for (let call = 0; call < 8; call += 1) first.push(await send(one.credencial))
    // The first call counted for the network: the key was not known to be valid yet.
    expect(first).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    expect(await send(two.credencial)).toBe(200)
    const invalidOnes = []
    for (let call = 0; call < 4; call += 1) invalidOnes.push(await send(newKey('bim_')))
    expect(invalidOnes).toEqual([401, 401, 401, 429])
  })

  const behindProxy = useTestApp({ RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: 'true' })

  test('the limits of calls do not count calls that the key may not make: from other networks, or of other groups', async () => {
    const owner = await createUser(behindProxy, { tipoUsuario: 'ADMIN' })
    const ofGroup = { grupos: ['RELATORIOS'] } satisfies { grupos: KeyGroup[] }
    const { credencial } = await createKey(behindProxy, owner, { ...ofGroup, redes: ['203.0.113.0/24'] })
    const free = await createKey(behindProxy, owner, ofGroup)
    const call = async (with_: string, address: string, target = menu) => {
      const program = behindProxy.withHeaders({ authorization: `Bearer ${with_}` })
      return (await program.get(target, { 'x-forwarded-for': address })).status
    }
    const setNetworks = (redesAdmin: string[]) =>
      behindProxy.db.updateTable('configuracao').set({ redesAdmin }).execute()
    expect(await call(credencial, '203.0.113.9')).toBe(200)
    expect(await call(free.credencial, '203.0.113.9')).toBe(200)
    // Each refusal comes from another network, which would have a limit of its own.
    for (let n = 1; n <= 12; n += 1) {
      expect(await call(credencial, `198.51.${n}.7`)).toBe(403)
      expect(await call(credencial, `203.0.113.${n}`, '/usuarios')).toBe(403)
    }
    await setNetworks(['203.0.113.0/24'])
    for (let n = 1; n <= 12; n += 1) expect(await call(free.credencial, `192.0.${n}.7`)).toBe(403)
    const { usadaDe } = await behindProxy.db
      .selectFrom('chaveApi')
      .select('usadaDe')
      .where('idChave', '=', free.idChave)
      .executeTakeFirstOrThrow()
    expect(usadaDe).toBe('203.0.113.9')
    expect([await call(credencial, '203.0.113.9'), await call(free.credencial, '203.0.113.9')]).toEqual([
      200, 200,
    ])
    await setNetworks([])
  })
})

test('new keys differ, and their checksum refuses every change of one character', () => {
  const one = newKey('bim_')
  expect([isKey('bim_', one), one === newKey('bim_')]).toEqual([true, false])
  for (let at = 4; at < one.length; at += 1) {
    const other = one.charAt(at) === 'x' ? 'y' : 'x'
    expect(isKey('bim_', one.slice(0, at) + other + one.slice(at + 1))).toBe(false)
  }
})
