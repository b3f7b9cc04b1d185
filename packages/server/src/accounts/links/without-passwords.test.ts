import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'
import { createLink } from '../credentials/account-links.ts'

test('all account calls answer 403 when password sign-in is off', async () => {
  const other = await startTestApp({
    PASSWORD_SIGN_IN: 'false',
    OIDC_ISSUER: 'https://entrada.exemplo.com.br',
    OIDC_CLIENT_ID: 'bi',
  })
  const { idUsuario } = await createUser(other)
  const token = await createLink(other.db, other.services, { idUsuario, tipo: 'convite' })
  for (const [url, body] of [
    ['/faleconosco/', { nome: 'Nova', email: 'nova@exemplo.com.br', password: 'Primeira senha 1' }],
    ['/faleconosco/', {}],
    ['/login/recuperar-senha', { email: 'nova@exemplo.com.br' }],
    ['/login/verificar-link', { token }],
    ['/login/redefinir-senha', { token, novaSenha: 'Senha bem nova 2' }],
  ] as const) {
    expect(await other.anonymous.post(url, body)).toMatchObject({
      status: 403,
      body: { codigo: 'senha_desativada' },
    })
  }
  await other.close()
})
