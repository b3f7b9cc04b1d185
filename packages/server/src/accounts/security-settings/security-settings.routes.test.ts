import { isImpersonal } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
beforeEach(async () => {
  await app.db
    .updateTable('configuracao')
    .set({ segundoFator: 'opcional', segundoFatorDecidido: true, versao: 1 })
    .execute()
})

const path = '/configuracao/seguranca'
const admin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
const blocked = { status: 403, body: { codigo: 'segundo_fator_obrigatorio' } }

describe('PUT /configuracao/seguranca', () => {
  test('PUT /configuracao/seguranca saves the rule by version, and audits the change', async () => {
    const boss = await admin()
    await createUser(app)
    await createUser(app, { acessoProntuario: true })
    await createUser(app, { acessoProntuario: true, encarregadoDados: true })
    await createUser(app, { situacao: 'BLOQUEADO' })
    await createUser(app, { senhaHash: null })
    await giveSecondFactor(app, (await createUser(app)).idUsuario)
    const { body, headers } = await boss.get(path)
    expect(body).toEqual({
      segundoFator: 'opcional',
      segundoFatorDecidido: true,
      semSegundoFator: { administradores: 1, prontuarios: 2, administradores_e_prontuarios: 3, todos: 4 },
      buscaSemAcesso: false,
      redesAdmin: [],
      redesUsuario: [],
      redesValem: true,
      enderecoAtual: '127.0.0.1',
      versao: 1,
    })
    expect(headers.etag).toBe('"1"')
    const saved = await boss.put(path, { segundoFator: 'opcional' }, { 'if-match': '"1"' })
    expect([saved.status, saved.body.versao, saved.headers.etag]).toEqual([200, 2, '"2"'])
    expect((await boss.put(path, { segundoFator: 'administradores' })).body).toMatchObject({
      segundoFator: 'administradores',
      versao: 3,
    })
    const trail = await app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', 'settings.updated')
      .orderBy('idAuditoria')
      .execute()
    expect(trail).toEqual([
      { objeto: 'configuracao:seguranca', detalhes: { versao: 2, antes: {}, depois: {} } },
      {
        objeto: 'configuracao:seguranca',
        detalhes: {
          versao: 3,
          antes: { segundoFator: 'opcional' },
          depois: { segundoFator: 'administradores' },
        },
      },
    ])
  })

  test('PUT /configuracao/seguranca answers 412 with the other change when the version is older', async () => {
    const [first, second] = [await admin(), await admin()]
    expect((await first.put(path, { segundoFator: 'todos' }, { 'if-match': '"1"' })).status).toBe(200)
    await app.db.updateTable('configuracao').set({ segundoFator: 'opcional' }).execute()
    const late = await second.put(path, { segundoFator: 'administradores' }, { 'if-match': '"1"' })
    expect([late.status, late.body.codigo]).toEqual([412, 'versao_antiga'])
    expect(late.body.detail).toMatch(/^Marina Alves alterou Segundo fator em /)
    expect((await second.get(path)).body).toMatchObject({ segundoFator: 'opcional', versao: 2 })
  })

  test("PUT /configuracao/seguranca marks the rule as decided once an ADMIN saves any, also 'opcional'", async () => {
    await app.db.updateTable('configuracao').set({ segundoFatorDecidido: false }).execute()
    const boss = await admin()
    expect((await boss.get(path)).body.segundoFatorDecidido).toBe(false)
    const chosen = await boss.put(path, { segundoFator: 'opcional' }, { 'if-match': '"1"' })
    expect([chosen.status, chosen.body.segundoFatorDecidido]).toEqual([200, true])
    const { detalhes } = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'settings.updated')
      .executeTakeFirstOrThrow()
    expect(detalhes).toEqual({
      versao: 2,
      antes: { segundoFatorDecidido: false },
      depois: { segundoFatorDecidido: true },
    })
  })

  test('PUT /configuracao/seguranca accepts only the five rules', async () => {
    const boss = await admin()
    for (const segundoFator of ['nenhum', '', null, 1, undefined]) {
      expect((await boss.put(path, { segundoFator })).status).toBe(422)
    }
    expect((await boss.put(path, { segundoFator: 'todos' }, { 'if-match': 'x' })).status).toBe(400)
  })
})

describe('a required second factor', () => {
  test('a required second factor blocks sessions without one from the next call on, and until the rule changes', async () => {
    const boss = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const person = await createUser(app)
    const own = await app.as(person)
    expect((await own.get('/usuarios/menus')).status).toBe(200)
    expect((await boss.put(path, { segundoFator: 'todos' })).status).toBe(200)

    expect(await own.get('/usuarios/menus')).toMatchObject(blocked)
    // The ADMIN who set the rule is blocked too.
    expect(await boss.put(path, { segundoFator: 'opcional' })).toMatchObject(blocked)
    expect(await boss.get('/usuarios')).toMatchObject(blocked)
    // The block is checked before the body.
    expect(await boss.post('/usuarios', '{"broken')).toMatchObject(blocked)
    expect((await own.get('/usuarios/sessao')).body.pendencia).toBe('segundo_fator')
    expect((await app.as(person)).signedIn.pendencia).toBe('segundo_fator')

    const { body } = await boss.post('/conta/segundo-fator')
    await boss.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) })
    expect((await boss.get('/usuarios/sessao')).body.pendencia).toBe(null)
    expect((await boss.put(path, { segundoFator: 'administradores' })).status).toBe(200)
    expect((await own.get('/usuarios/menus')).status).toBe(200)
  })

  test('a required second factor leaves only the setup, the own session and the sign-out', async () => {
    const own = await app.as(await createUser(app))
    await app.db.updateTable('configuracao').set({ segundoFator: 'todos' }).execute()
    expect((await own.get('/usuarios/sessao')).status).toBe(200)
    expect((await own.get('/conta/segundo-fator')).body.exigido).toBe(true)
    const { body } = await own.post('/conta/segundo-fator')
    const confirmed = await own.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) })
    expect(confirmed.status).toBe(200)
    expect((await own.get('/usuarios/menus')).status).toBe(200)
    expect((await own.post('/usuarios/sair')).status).toBe(204)
  })

  test('a required second factor blocks every other call of the API', async () => {
    // A user with every permission.
    const own = await admin()
    await app.db.updateTable('usuario').set({ acessoProntuario: true, encarregadoDados: true }).execute()
    await app.db.updateTable('configuracao').set({ segundoFator: 'administradores' }).execute()
    const others = endpoints.filter(
      ({ permission }) => !['public', 'session:own'].includes(permission) && !isImpersonal(permission),
    )
    expect(others.length).toBeGreaterThan(50)
    for (const { method, url } of others) {
      const target = url.replace(/:\w+/g, '1')
      const send = { GET: own.get, POST: own.post, PUT: own.put, DELETE: own.del }[method]
      expect(await send(target), `${method} ${url}`).toMatchObject(blocked)
    }
  })

  test('a required second factor for administrators blocks them only, also a user who becomes one', async () => {
    const person = await createUser(app)
    const own = await app.as(person)
    await app.db.updateTable('configuracao').set({ segundoFator: 'administradores' }).execute()
    expect((await own.get('/usuarios/menus')).status).toBe(200)
    await app.db
      .updateTable('usuario')
      .set({ tipoUsuario: 'ADMIN' })
      .where('idUsuario', '=', person.idUsuario)
      .execute()
    expect(await own.get('/usuarios/menus')).toMatchObject(blocked)
  })

  test.each([
    ['administradores', { admin: 403, clinician: 200, other: 200 }],
    ['prontuarios', { admin: 200, clinician: 403, other: 200 }],
    ['administradores_e_prontuarios', { admin: 403, clinician: 403, other: 200 }],
  ] as const)(
    'a required second factor by the rule %s blocks the sessions that it names, and no other',
    async (segundoFator, expected) => {
      const people = {
        admin: await createUser(app, { tipoUsuario: 'ADMIN' }),
        clinician: await createUser(app, { acessoProntuario: true }),
        other: await createUser(app),
      }
      const sessions = {
        admin: await app.as(people.admin),
        clinician: await app.as(people.clinician),
        other: await app.as(people.other),
      }
      await app.db.updateTable('configuracao').set({ segundoFator }).execute()
      for (const who of ['admin', 'clinician', 'other'] as const) {
        const isAsked = expected[who] === 403
        expect((await sessions[who].get('/usuarios/menus')).status, who).toBe(expected[who])
        expect((await sessions[who].get('/conta/segundo-fator')).body.exigido, who).toBe(isAsked)
        expect((await app.as(people[who])).signedIn.pendencia, who).toBe(isAsked ? 'segundo_fator' : null)
      }
    },
  )

  test('a required second factor for access to records blocks a session once its user gets that access', async () => {
    const person = await createUser(app)
    const own = await app.as(person)
    await app.db.updateTable('configuracao').set({ segundoFator: 'prontuarios' }).execute()
    expect((await own.get('/usuarios/menus')).status).toBe(200)
    await app.db
      .updateTable('usuario')
      .set({ acessoProntuario: true })
      .where('idUsuario', '=', person.idUsuario)
      .execute()
    expect(await own.get('/usuarios/menus')).toMatchObject(blocked)
    expect(await own.get('/prontuarios')).toMatchObject(blocked)
  })

  test('a required second factor is required again at the next sign-in after a reset', async () => {
    const boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    const bossSession = await app.as(boss)
    await giveSecondFactor(app, boss.idUsuario)
    const person = await createUser(app)
    await giveSecondFactor(app, person.idUsuario)
    await app.db.updateTable('configuracao').set({ segundoFator: 'todos' }).execute()
    expect((await bossSession.post(`/usuarios/${person.idUsuario}/segundo-fator/redefinir`)).status).toBe(204)
    expect((await app.as(person)).signedIn.pendencia).toBe('segundo_fator')
  })

  test('a required second factor is not required in a session of the identity provider', async () => {
    const own = await app.as(await createUser(app))
    await app.db.updateTable('sessao').set({ metodo: 'provedor' }).execute()
    await app.db.updateTable('configuracao').set({ segundoFator: 'todos' }).execute()
    expect((await own.get('/usuarios/menus')).status).toBe(200)
  })
})
