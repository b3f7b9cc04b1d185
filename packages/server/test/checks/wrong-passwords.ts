import { expect } from 'vitest'
import { startTestApp } from '../test-app.ts'
import { createUser, password } from '../users.ts'

const limit = 10
const windowMs = 15 * 60_000

/**
 * Guesses the password of one account through all three endpoints that accept one, from new
 * addresses and invented devices, with the right password among the guesses; the owner signs in now
 * and then on a known device.
 * @param guesses their number, spread over `windows` of 15 minutes
 */
export const checkGuessing = async ({ guesses, windows }: { guesses: number; windows: number }) => {
  const app = await startTestApp({
    SIGN_IN_FAILURES: String(limit),
    TRUST_PROXY: 'true',
    RATE_LIMIT_PER_MINUTE: '1000000',
  })
  try {
    const { idUsuario, emailUsuario: username } = await createUser(app, { nomeUsuario: 'Vítima da Silva' })
    const signIn = (secret: string, headers: Record<string, string>) =>
      app.anonymous.post('/usuarios/authorizer', { username, password: secret }, headers)
    const device = { 'x-dispositivo': 'o-aparelho-conhecido-da-dona' }
    const home = { 'x-forwarded-for': '203.0.113.9', ...device }
    const { status, body } = await signIn(password, home)
    expect(status).toBe(200)
    const open = app.withHeaders({ authorization: `Bearer ${body.access_token}` })

    const names = [username, username.toUpperCase(), 'vitima da silva', 'VÍTIMA DA SILVA']
    const counts = { letIn: 0, wrong: 0, stopped: 0, other: 0 }
    const perWindow = Math.ceil(guesses / windows)
    for (let n = 0; n < guesses; n += 1) {
      if (n > 0 && n % perWindow === 0) app.clock.offsetMs += windowMs
      const isRight = n % perWindow === perWindow - 1
      const secret = isRight ? password : `palpite número ${n}`
      const login = names[n % names.length]
      const headers = {
        'x-forwarded-for': `198.51.${n % 250}.${n % 240}`,
        'x-dispositivo': `um-aparelho-inventado-${n}-para-o-palpite`,
      }
      const answer =
        n % 5 === 4
          ? await app.anonymous.post(
              '/login/RecoveryPassword',
              { loginUsuario: login, senhaAtual: secret, novaSenha: 'A senha de quem adivinhou 7' },
              headers,
            )
          : await app.anonymous.post('/usuarios/authorizer', { username: login, password: secret }, headers)
      if (answer.status === 401) counts.wrong += 1
      else if (answer.status === 429) counts.stopped += 1
      else if (answer.status < 300) counts.letIn += 1
      else counts.other += 1
      if (n % 50 === 25) {
        const { status, body } = await signIn(password, home)
        expect(status, `the owner, after ${n}`).toBe(200)
        // The portal keeps a limited number of open sessions.
        await app.withHeaders({ authorization: `Bearer ${body.access_token}` }).post('/usuarios/sair')
      }
    }
    expect(counts).toMatchObject({ letIn: 0, other: 0 })
    // By e-mail and by user name: twice the limit per window, whatever the address.
    expect(counts.wrong).toBeLessThanOrEqual(windows * 2 * limit)
    expect(counts.wrong).toBeGreaterThanOrEqual(limit)
    expect((await signIn(password, home)).status).toBe(200)
    if (windows === 1) expect((await open.get('/usuarios/sessao')).status).toBe(200)
    const sessions = await app.db
      .selectFrom('dispositivoConhecido')
      .select('marca')
      .where('idUsuario', '=', idUsuario)
      .execute()
    // No guess made its device a known one.
    expect(sessions).toHaveLength(1)
    return counts
  } finally {
    await app.close()
  }
}
