import { randomUUID } from 'node:crypto'
import { createLink } from '../../src/accounts/credentials/account-links.ts'
import { codeNow, giveSecondFactor } from '../accounts/second-factor.ts'
import { cheapPasswordHash, password } from '../users.ts'
import { openedSession } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

/** Good calls of sign-in, links in e-mails, the own account and second factors. */
export const accountCalls: GoodCalls = {
  'POST /usuarios/authorizer': ({ caller }) => [
    { body: { username: caller.emailUsuario, password }, status: 200 },
  ],
  'POST /usuarios/sair': () => [{ status: 204 }],
  'GET /usuarios/sessao': () => [{ status: 200 }],
  'POST /faleconosco/': () => [
    {
      body: { nome: `Nova Pessoa ${randomUUID()}`, email: `${randomUUID()}@exemplo.com.br`, password },
      status: 202,
    },
  ],
  'POST /login/recuperar-senha': ({ caller }) => [{ body: { email: caller.emailUsuario }, status: 202 }],
  'POST /login/verificar-link': ({ link }) => [{ body: { token: link }, status: 200 }],
  'POST /login/confirmar-email': async ({ app, unconfirmed: { idUsuario } }) => [
    {
      body: {
        token: await createLink(app.db, app.services, { idUsuario, tipo: 'confirmacao' }),
        password,
      },
      status: 200,
    },
  ],
  'POST /login/recusar-cadastro': async ({ app, unconfirmed: { idUsuario } }) => [
    {
      body: { token: await createLink(app.db, app.services, { idUsuario, tipo: 'confirmacao' }) },
      status: 204,
    },
  ],
  'POST /login/redefinir-senha': ({ link }) => [
    { body: { token: link, novaSenha: `Nova ${randomUUID()}` }, status: 204 },
  ],
  'POST /login/RecoveryPassword': ({ person }) => [
    {
      body: {
        senhaAtual: person.password,
        novaSenha: `Outra ${randomUUID()}`,
        loginUsuario: person.emailUsuario,
      },
      status: 204,
    },
  ],
  'PUT /usuario/mudarsenha/:idUsuario': ({ person, caller }) => [
    {
      when: 'oneself',
      params: { idUsuario: caller.idUsuario },
      body: { senha: `Nova ${randomUUID()}` },
      status: 204,
    },
    {
      when: 'another',
      params: { idUsuario: person.idUsuario },
      body: { senha: `Nova ${randomUUID()}` },
      status: 403,
    },
  ],
  'PUT /conta': () => [{ body: { nomeUsuario: `Outro nome ${randomUUID()}` }, status: 200 }],
  'GET /conta/sessoes': () => [{ status: 200 }],
  'DELETE /conta/sessoes': () => [{ status: 200 }],
  'DELETE /conta/sessoes/:idSessao': async ({ app, caller, person }) => [
    { when: 'one’s own', params: { idSessao: await openedSession(app, caller) }, status: 204 },
    { when: 'another’s', params: { idSessao: await openedSession(app, person) }, status: 404 },
  ],
  'GET /conta/confirmacao': () => [{ status: 200 }],
  'POST /conta/confirmacao': async ({ app, caller }) => {
    // Another call may have changed the password.
    const senhaHash = await cheapPasswordHash
    await app.db.updateTable('usuario').set({ senhaHash }).where('idUsuario', '=', caller.idUsuario).execute()
    return [{ body: { senha: password }, status: 204 }]
  },
  'GET /login/usuario-atividade': () => [{ status: 200 }],
  // With a provider they answer 200: oidc.routes.test.ts.
  'POST /login/oidc/inicio': () => [{ when: 'no provider', status: 404 }],
  'POST /login/oidc': () => [
    {
      when: 'no provider',
      body: { retorno: 'code=1', estado: 'e', nonce: 'n', verificador: 'v' },
      status: 404,
    },
  ],

  'GET /conta/segundo-fator': () => [{ status: 200 }],
  'POST /conta/segundo-fator': () => [{ body: {}, status: 200 }],
  'POST /conta/segundo-fator/confirmar': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario, { isPending: true })
    return [{ body: { codigo: codeNow(app, secret) }, status: 200 }]
  },
  'POST /conta/segundo-fator/codigos': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario)
    return [{ body: { codigo: codeNow(app, secret) }, status: 200 }]
  },
  'POST /conta/segundo-fator/desativar': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario)
    return [{ body: { codigo: codeNow(app, secret) }, status: 204 }]
  },
  'POST /login/remover-segundo-fator': async ({ app, person: { idUsuario } }) => {
    await giveSecondFactor(app, idUsuario)
    const token = await createLink(app.db, app.services, { idUsuario, tipo: 'segundo_fator' })
    return [{ body: { token }, status: 204 }]
  },
  'POST /usuarios/:id/segundo-fator/redefinir': async ({ app, person }) => {
    await giveSecondFactor(app, person.idUsuario)
    return [{ params: { id: person.idUsuario }, status: 204 }]
  },
  'POST /usuarios/:id/provedor/desligar': async ({ app, person: { idUsuario } }) => {
    const identity = { emissor: 'https://e', sujeito: String(idUsuario), ligadaEm: new Date() }
    await app.db
      .insertInto('identidadeExterna')
      .values({ ...identity, idUsuario })
      .execute()
    return [{ params: { id: idUsuario }, status: 204 }]
  },
}
