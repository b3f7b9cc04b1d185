import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const minutes = 60_000

/** Signs in with the given user agent. */
const enterFrom = async (user: { emailUsuario: string; password: string }, browser: string) => {
  const { body } = await app.anonymous.post(
    '/usuarios/authorizer',
    { username: user.emailUsuario, password: user.password },
    { 'user-agent': browser },
  )
  return app.withHeaders({ authorization: `Bearer ${body.access_token}` })
}

const auditOf = (acao: string) =>
  app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'objeto', 'detalhes'])
    .where('acao', '=', acao)
    .execute()

describe('GET /conta/sessoes', () => {
  test("GET /conta/sessoes lists the caller's live sessions, last used first, and marks the current one", async () => {
    const user = await createUser(app)
    await app.as(await createUser(app))
    const phone = await enterFrom(user, 'Telefone')
    app.clock.offsetMs = 5 * minutes
    const desk = await enterFrom(user, 'Computador')
    const { status, body } = await desk.get('/conta/sessoes')
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        idSessao: expect.any(String),
        dispositivo: 'Computador',
        metodo: 'senha',
        segundoFator: null,
        criadaEm: expect.any(String),
        ultimoUso: expect.any(String),
        expiraEm: expect.any(String),
        atual: true,
      },
      expect.objectContaining({ dispositivo: 'Telefone', atual: false }),
    ])
    app.clock.offsetMs = 20 * minutes
    const seen = await phone.get('/conta/sessoes')
    expect(seen.body.map((one: { dispositivo: string }) => one.dispositivo)).toEqual([
      'Telefone',
      'Computador',
    ])
  })

  test('GET /conta/sessoes omits sessions that were ended, expired or idle for too long', async () => {
    const user = await createUser(app)
    const left = await enterFrom(user, 'Saiu')
    await left.post('/usuarios/sair')
    await enterFrom(user, 'Parado')
    app.clock.offsetMs = 61 * minutes
    const session = await enterFrom(user, 'Aqui')
    const { body } = await session.get('/conta/sessoes')
    expect(body.map((one: { dispositivo: string }) => one.dispositivo)).toEqual(['Aqui'])
    app.clock.offsetMs = 9 * 60 * minutes
    const later = await enterFrom(user, 'Depois')
    expect((await later.get('/conta/sessoes')).body).toHaveLength(1)
  })
})

describe('DELETE /conta/sessoes', () => {
  const idOf = async (session: Awaited<ReturnType<typeof enterFrom>>, browser: string): Promise<string> => {
    const { body } = await session.get('/conta/sessoes')
    return body.find((one: { dispositivo: string }) => one.dispositivo === browser).idSessao
  }

  test("DELETE /conta/sessoes ends one of the caller's own sessions at once, and only that one", async () => {
    const user = await createUser(app)
    const [here, lost] = [await enterFrom(user, 'Aqui'), await enterFrom(user, 'Perdido')]
    const idSessao = await idOf(here, 'Perdido')
    expect((await here.del(`/conta/sessoes/${idSessao}`)).status).toBe(204)
    expect((await lost.get('/usuarios/sessao')).body.codigo).toBe('sessao_encerrada')
    expect((await here.get('/usuarios/sessao')).status).toBe(200)
    expect((await here.del(`/conta/sessoes/${idSessao}`)).status).toBe(404)
    expect(await auditOf('session.revoked')).toEqual([
      {
        idUsuario: user.idUsuario,
        objeto: `usuario:${user.idUsuario}`,
        detalhes: { sessoesEncerradas: 1, dispositivo: 'Perdido', atual: false },
      },
    ])
  })

  test("DELETE /conta/sessoes answers 404 for another user's session, for an ADMIN too", async () => {
    const [user, admin] = [await createUser(app), await createUser(app, { tipoUsuario: 'ADMIN' })]
    const theirs = await enterFrom(user, 'Dela')
    const idSessao = await idOf(theirs, 'Dela')
    expect((await (await app.as(admin)).del(`/conta/sessoes/${idSessao}`)).status).toBe(404)
    expect((await (await app.as(admin)).del('/conta/sessoes/1')).status).toBe(404)
    expect((await theirs.get('/usuarios/sessao')).status).toBe(200)
  })

  test("DELETE /conta/sessoes ends all of the caller's sessions but this one; with `atual=true` this one too", async () => {
    const user = await createUser(app)
    const stranger = await app.as(await createUser(app))
    const here = await enterFrom(user, 'Aqui')
    const others = [await enterFrom(user, 'A'), await enterFrom(user, 'B')]
    expect((await here.del('/conta/sessoes')).body).toEqual({ encerradas: 2 })
    for (const other of others) expect((await other.get('/usuarios/menus')).status).toBe(401)
    expect((await here.get('/usuarios/sessao')).status).toBe(200)
    expect((await here.del('/conta/sessoes?atual=true')).body).toEqual({ encerradas: 1 })
    expect((await here.get('/usuarios/sessao')).status).toBe(401)
    expect((await stranger.get('/usuarios/sessao')).status).toBe(200)
  })
})

describe('PUT /conta', () => {
  test("PUT /conta changes only the caller's own name, raises the version and audits both names", async () => {
    const user = await createUser(app, { nomeUsuario: 'Ana Martins' })
    const session = await app.as(user)
    const { status, body } = await session.put('/conta', {
      nomeUsuario: '  Ana Martins Lopes ',
      tipoUsuario: 'ADMIN',
      emailUsuario: 'outra@exemplo.com.br',
    })
    expect([status, body.nomeUsuario]).toEqual([200, 'Ana Martins Lopes'])
    expect((await session.get('/usuarios/sessao')).body).toEqual(body)
    expect((await session.get(`/usuarios/${user.idUsuario}`)).body).toMatchObject({
      nomeUsuario: 'Ana Martins Lopes',
      emailUsuario: user.emailUsuario,
      tipoUsuario: 'USER',
      versao: 2,
    })
    expect(await auditOf('user.updated')).toEqual([
      {
        idUsuario: user.idUsuario,
        objeto: `usuario:${user.idUsuario}`,
        detalhes: {
          versao: 2,
          antes: { nomeUsuario: 'Ana Martins' },
          depois: { nomeUsuario: 'Ana Martins Lopes' },
        },
      },
    ])
  })

  test.each([[''], ['   '], ['a'.repeat(121)], ['Ana\nMartins'], [null]])(
    'PUT /conta refuses %j',
    async (nomeUsuario) => {
      const session = await app.as(await createUser(app))
      const { status, body } = await session.put('/conta', { nomeUsuario })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['nomeUsuario']])
    },
  )

  test("PUT /conta refuses another user's name, whose owner can still sign in with it", async () => {
    const vera = await createUser(app, { nomeUsuario: 'Vera Sá' })
    const session = await app.as(await createUser(app))
    const { status, body } = await session.put('/conta', { nomeUsuario: 'vera sa' })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['nomeUsuario']])
    const { status: entered } = await app.anonymous.post('/usuarios/authorizer', {
      username: 'Vera Sá',
      password: vera.password,
    })
    expect(entered).toBe(200)
    // A different spelling of the caller's own name is allowed.
    expect((await (await app.as(vera)).put('/conta', { nomeUsuario: 'Vera Sa' })).status).toBe(200)
  })
})
