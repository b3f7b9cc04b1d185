import { beforeEach, describe, expect, test } from 'vitest'
import { codeAt, codeNow, giveSecondFactor, wrongCode } from '../../../test/accounts/second-factor.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/** The default of SIGN_IN_FAILURES. */
const limit = 15
const stepMs = 30_000

const app = useTestApp()
beforeEach(async () => {
  // The middle of a TOTP time step: no step ends during a test.
  const now = Date.now()
  app.clock.offsetMs = Math.ceil(now / stepMs) * stepMs + stepMs / 2 - now
})

const enrolled = async (fields: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(app, fields)
  return { ...user, ...(await giveSecondFactor(app, user.idUsuario)) }
}

const signIn = (username: string, codigo?: string, headers = {}, secret = password) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: secret, codigo }, headers)

const answer = async (attempt: ReturnType<typeof signIn>) => {
  const { status, body } = await attempt
  return status === 200 ? 200 : `${status} ${body.codigo}`
}

const refusals = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'detalhes'])
    .where('acao', '=', 'session.refused')
    .execute()
  return rows.map(({ idUsuario, detalhes }) => [idUsuario, detalhes.motivo])
}

const countOf = async (table: 'sessao' | 'falhaLogin') =>
  (await app.db.selectFrom(table).selectAll().execute()).length

describe('signing in with a second factor', () => {
  test('a sign-in with a second factor asks for the code once the password is right, without counting a failure', async () => {
    const { emailUsuario } = await enrolled()
    for (let i = 0; i < limit * 2; i += 1) {
      expect(await answer(signIn(emailUsuario))).toBe('401 segundo_fator_necessario')
    }
    expect(await answer(signIn(emailUsuario, ' '))).toBe('401 segundo_fator_necessario')
    expect([await countOf('sessao'), await countOf('falhaLogin')]).toEqual([0, 0])
    expect(await refusals()).toEqual([])
  })

  test.each([2, 120])(
    'a sign-in with a second factor accepts new codes at once after the clock was set back by %i steps',
    async (steps) => {
      const { emailUsuario, secret } = await enrolled()
      expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe(200)
      app.clock.offsetMs -= steps * stepMs
      expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe(200)
      expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe('401 codigo_invalido')
    },
  )

  test('a sign-in with a second factor does not reveal the second factor without the right password', async () => {
    const { emailUsuario, secret } = await enrolled()
    for (const codigo of [undefined, '000000', codeNow(app, secret)]) {
      expect(await answer(signIn(emailUsuario, codigo, {}, 'errada'))).toBe('401 credenciais_invalidas')
    }
    // A code sent with a wrong password is not consumed.
    expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe(200)
  })

  test('a sign-in with a second factor opens a session, also with spaces and hyphens in the code', async () => {
    const { emailUsuario, secret, recoveryCodes } = await enrolled()
    const code = codeNow(app, secret)
    const { status, body } = await signIn(emailUsuario, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect([status, body.pendencia, body.token_type]).toEqual([200, null, 'Bearer'])
    const typed = recoveryCodes[0]
      ?.replaceAll('-', ' ')
      .toUpperCase()
      .replaceAll('0', 'O')
      .replaceAll('1', 'l')
    expect(await answer(signIn(emailUsuario, typed))).toBe(200)
  })

  test('a sign-in with a second factor shows the method used in the audit trail, the activity and the session list', async () => {
    const user = await enrolled()
    const plain = await createUser(app)
    await signIn(user.emailUsuario, codeNow(app, user.secret))
    const { body } = await signIn(user.emailUsuario, user.recoveryCodes[0])
    await signIn(plain.emailUsuario)
    const rows = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'session.created')
      .orderBy('idAuditoria')
      .execute()
    expect(rows.map(({ detalhes }) => detalhes.metodo)).toEqual([
      'senha + código',
      'senha + código de recuperação',
      'senha',
    ])
    const session = { authorization: `Bearer ${body.access_token}` }
    const { body: open } = await app.anonymous.get('/conta/sessoes', session)
    expect(open.map((one: { segundoFator: string }) => one.segundoFator).sort()).toEqual([
      'codigo',
      'codigo_recuperacao',
    ])
    const { body: activity } = await app.anonymous.get('/login/usuario-atividade', session)
    const told = JSON.stringify(activity.eventos)
    expect(told).toContain('Entrou com senha e código do segundo fator')
    expect(told).toContain('Entrou com senha e código de recuperação')
  })

  test('a sign-in with a second factor ignores a code that is not needed', async () => {
    const { emailUsuario } = await createUser(app)
    expect(await answer(signIn(emailUsuario, '123456'))).toBe(200)
    expect(await countOf('falhaLogin')).toBe(0)
  })

  test('a sign-in with a second factor asks for no code while the second factor is not activated', async () => {
    const user = await createUser(app)
    await giveSecondFactor(app, user.idUsuario, { isPending: true })
    expect(await answer(signIn(user.emailUsuario))).toBe(200)
  })

  test('a sign-in with a second factor accepts a clock that is one step off, and no more', async () => {
    const time = Date.now() + app.clock.offsetMs
    for (const [steps, expected] of [
      [-2, '401 codigo_invalido'],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, '401 codigo_invalido'],
    ] as const) {
      const { emailUsuario, secret } = await enrolled()
      expect(await answer(signIn(emailUsuario, codeAt(secret, time + steps * stepMs))), `${steps}`).toBe(
        expected,
      )
    }
  })

  test('a sign-in with a second factor accepts each code once, and no older one afterwards', async () => {
    const { emailUsuario, secret } = await enrolled()
    const [before, code] = [-stepMs, 0].map((ms) => codeAt(secret, Date.now() + app.clock.offsetMs + ms))
    expect(await answer(signIn(emailUsuario, code))).toBe(200)
    expect(await answer(signIn(emailUsuario, code))).toBe('401 codigo_invalido')
    expect(await answer(signIn(emailUsuario, before))).toBe('401 codigo_invalido')
    app.clock.offsetMs += stepMs
    expect(await answer(signIn(emailUsuario, code))).toBe('401 codigo_invalido')
    expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe(200)
  })

  test('a sign-in with a second factor opens one session for concurrent requests with one code', async () => {
    const { emailUsuario, secret, recoveryCodes } = await enrolled()
    for (const code of [codeNow(app, secret), recoveryCodes[3]]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => answer(signIn(emailUsuario, code))))
      expect(answers.sort()).toEqual([200, ...Array(4).fill('401 codigo_invalido')])
    }
    expect(await countOf('sessao')).toBe(2)
  })

  test('a sign-in with a second factor accepts a recovery code once, audits it and notifies the user', async () => {
    const { emailUsuario, idUsuario, recoveryCodes } = await enrolled()
    expect(await answer(signIn(emailUsuario, recoveryCodes[0]))).toBe(200)
    const again = await signIn(emailUsuario, recoveryCodes[0])
    expect(again).toMatchObject({
      status: 401,
      body: { codigo: 'codigo_invalido', detail: expect.stringMatching(/Cada um vale uma única vez/) },
    })
    const used = await app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'objeto', 'detalhes'])
      .where('acao', '=', 'second-factor.code-used')
      .execute()
    expect(used).toEqual([{ idUsuario, objeto: `usuario:${idUsuario}`, detalhes: { restantes: 9 } }])
    const told = await app.db
      .selectFrom('notificacao')
      .select(['idUsuario', 'tipo', 'texto', 'rota'])
      .execute()
    expect(told).toEqual([
      {
        idUsuario,
        tipo: 'segundo_fator_alterado',
        texto: 'Um código de recuperação da sua conta foi usado. Restam 9.',
        rota: '/segundo-fator',
      },
    ])
  })

  test("a sign-in with a second factor refuses another user's code", async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    expect(await answer(signIn(one.emailUsuario, codeNow(app, other.secret)))).toBe('401 codigo_invalido')
    expect(await answer(signIn(one.emailUsuario, other.recoveryCodes[0]))).toBe('401 codigo_invalido')
    expect(await answer(signIn(other.emailUsuario, other.recoveryCodes[0]))).toBe(200)
  })

  test('a sign-in with a second factor does not consume a code whose session could not be opened', async () => {
    const { emailUsuario, idUsuario, secret } = await enrolled()
    const [signedIn] = await Promise.all([
      answer(signIn(emailUsuario, codeNow(app, secret))),
      app.db.updateTable('usuario').set({ senhaHash: 'outra' }).where('idUsuario', '=', idUsuario).execute(),
    ])
    const { ultimoPasso } = await app.db
      .selectFrom('segundoFator')
      .select('ultimoPasso')
      .where('idUsuario', '=', idUsuario)
      .executeTakeFirstOrThrow()
    expect(ultimoPasso > 0).toBe(signedIn === 200)
  })
})

describe('guessing codes', () => {
  test('guessing codes is counted per user under any name, audited, and stopped', async () => {
    const { emailUsuario, nomeUsuario, idUsuario, secret } = await enrolled({ nomeUsuario: 'Nome Só Dela' })
    const wrong = wrongCode(app, secret)
    for (let i = 0; i < limit; i += 1) {
      const name = i % 2 ? emailUsuario : nomeUsuario
      expect(await answer(signIn(name, wrong))).toBe('401 codigo_invalido')
    }
    const refused = await signIn(emailUsuario, codeNow(app, secret))
    expect([refused.status, refused.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect(await answer(signIn(nomeUsuario, codeNow(app, secret)))).toBe('429 muitas_tentativas')
    expect(await refusals()).toEqual([
      ...Array(limit).fill([idUsuario, 'código do segundo fator']),
      [idUsuario, 'limite de tentativas'],
    ])
    // Refused attempts do not extend the window.
    app.clock.offsetMs += 15 * 60_000 + 1000
    expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe(200)
  })

  test('guessing codes cannot exceed the limit with concurrent requests', async () => {
    const { emailUsuario, secret } = await enrolled()
    const wrong = wrongCode(app, secret)
    const answers = await Promise.all(Array.from({ length: 25 }, () => answer(signIn(emailUsuario, wrong))))
    expect(answers.sort()).toEqual([
      ...Array(limit).fill('401 codigo_invalido'),
      ...Array(10).fill('429 muitas_tentativas'),
    ])
  })

  test('guessing codes does not lock the owner out on a known device', async () => {
    const { emailUsuario, secret } = await enrolled()
    const device = { 'x-dispositivo': 'mQ9c1vY0b2pXo3nZ4rT5uWvA' }
    expect(await answer(signIn(emailUsuario, codeNow(app, secret), device))).toBe(200)
    for (let i = 0; i <= limit; i += 1) await signIn(emailUsuario, wrongCode(app, secret))
    app.clock.offsetMs += stepMs
    expect(await answer(signIn(emailUsuario, codeNow(app, secret)))).toBe('429 muitas_tentativas')
    expect(await answer(signIn(emailUsuario, codeNow(app, secret), device))).toBe(200)
  })

  test('guessing codes does not make a device known', async () => {
    const { emailUsuario, secret } = await enrolled()
    const device = { 'x-dispositivo': 'zQ9c1vY0b2pXo3nZ4rT5uWvA' }
    await signIn(emailUsuario, undefined, device)
    await signIn(emailUsuario, wrongCode(app, secret), device)
    expect(await app.db.selectFrom('dispositivoConhecido').selectAll().execute()).toEqual([])
  })
})

test('a sign-in during the activation of the second factor leaves no live session', {
  timeout: 60_000,
}, async () => {
  for (let round = 0; round < 10; round += 1) {
    const user = await createUser(app)
    const own = await app.as(user)
    const { body } = await own.post('/conta/segundo-fator')
    const [signedIn, confirmed] = await Promise.all([
      signIn(user.emailUsuario),
      own.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) }),
    ])
    expect(confirmed.status).toBe(200)
    if (signedIn.status !== 200) continue
    const late = app.withHeaders({ authorization: `Bearer ${signedIn.body.access_token}` })
    expect((await late.get('/usuarios/sessao')).status).toBe(401)
  }
})
