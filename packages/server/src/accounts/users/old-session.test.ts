import { beforeEach, describe, expect, test } from 'vitest'
import { ageSessions, expectReauthenticationDemanded } from '../../../test/accounts/old-session.ts'
import { importRow } from '../../../test/accounts/user-import.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/*
 * The kind of fault: a change of a person asked for a proof, and the same effect by other calls (a
 * deletion and a new account, an import, two changes of the status) did not.
 */

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

const confirm = async () =>
  expect((await admin.post('/conta/confirmacao', { senha: password })).status).toBe(204)
const countUsers = async () => (await admin.get('/usuarios')).body.length
const person = { nomeUsuario: 'Ana Prado', emailUsuario: 'ana@exemplo.com.br' }
const yesterday = new Date(Date.now() - 48 * 3_600_000)

describe('an old session of an ADMIN', () => {
  test('an old session of an ADMIN cannot replace a person by an account with the same e-mail and a typed password', async () => {
    const { idUsuario, emailUsuario } = await createUser(app)
    ageSessions(app)
    expectReauthenticationDemanded(await admin.del(`/usuarios/${idUsuario}`))
    expect((await admin.get(`/usuarios/${idUsuario}`)).status).toBe(200)
    await confirm()
    expect((await admin.del(`/usuarios/${idUsuario}`)).status).toBe(204)
    app.clock.offsetMs *= 2
    const account = { ...person, emailUsuario, senhaUsuario: password }
    expectReauthenticationDemanded(await admin.post('/usuarios', account))
    expectReauthenticationDemanded(
      await admin.post('/usuarios/importacao', { linhas: [importRow(2, account)] }),
    )
    expect(await countUsers()).toBe(1)
    await confirm()
    expect((await admin.post('/usuarios', account)).status).toBe(201)
    expect((await admin.post('/usuarios/importacao', { linhas: [importRow(2)] })).status).toBe(201)
  })

  test('the session invites: who owns the mailbox chooses the password', async () => {
    ageSessions(app)
    expect((await admin.post('/usuarios/convites', person)).status).toBe(202)
    const linhas = [importRow(2, { senhaUsuario: '' })]
    expect((await admin.post('/usuarios/importacao', { linhas, convidar: true })).status).toBe(201)
  })

  test('an old session of an ADMIN cannot give or take away the identity of a person, nor of oneself', async () => {
    const ana = await createUser(app, { identidadeRls: 'CNU' })
    const own = admin.signedIn.usuario_id
    await app.db.updateTable('usuario').set({ identidadeRls: 'CNU' }).where('idUsuario', '=', own).execute()
    ageSessions(app)
    for (const id of [ana.idUsuario, own])
      for (const identidadeRls of [null, '', 'BRADESCO'])
        expectReauthenticationDemanded(await admin.put(`/usuarios/${id}`, { identidadeRls }))
    expect((await admin.get(`/usuarios/${ana.idUsuario}`)).body.identidadeRls).toBe('CNU')
    await confirm()
    expect((await admin.put(`/usuarios/${ana.idUsuario}`, { identidadeRls: null })).status).toBe(200)
  })

  test.each<[string, object, object]>([
    ['a blocked account', { situacao: 'BLOQUEADO' }, { situacao: 'ATIVO' }],
    ['a blocked account by way of the approval', { situacao: 'BLOQUEADO' }, { situacao: 'PENDENTE' }],
    ['an account that has ended', { venceEm: yesterday }, { validoAte: null }],
  ])('an old session of an ADMIN cannot bring back %s', async (_, fields, change) => {
    const { idUsuario } = await createUser(app, fields)
    ageSessions(app)
    expectReauthenticationDemanded(await admin.put(`/usuarios/${idUsuario}`, change))
    await confirm()
    expect((await admin.put(`/usuarios/${idUsuario}`, change)).status).toBe(200)
  })

  test('an old session of an ADMIN cannot delete a person by way of the refusal of a pending account', async () => {
    const { idUsuario } = await createUser(app)
    ageSessions(app)
    expectReauthenticationDemanded(await admin.put(`/usuarios/${idUsuario}`, { situacao: 'PENDENTE' }))
    expect((await admin.post(`/usuarios/${idUsuario}/recusar`)).status).toBe(409)
  })

  test('an old session of an ADMIN cannot bring back a blocked account by an invitation', async () => {
    const { idUsuario } = await createUser(app, { situacao: 'BLOQUEADO', emailPorProvar: true })
    ageSessions(app)
    expectReauthenticationDemanded(await admin.post(`/usuarios/${idUsuario}/convidar`))
    expect((await admin.get(`/usuarios/${idUsuario}`)).body.situacao).toBe('BLOQUEADO')
  })

  test('the session approves, refuses and blocks', async () => {
    const asker = await createUser(app, { situacao: 'PENDENTE' })
    const refused = await createUser(app, { situacao: 'PENDENTE' })
    const blocked = await createUser(app)
    ageSessions(app)
    expect((await admin.post(`/usuarios/${asker.idUsuario}/aprovar`)).status).toBe(204)
    expect((await admin.post(`/usuarios/${refused.idUsuario}/recusar`)).status).toBe(204)
    expect((await admin.put(`/usuarios/${blocked.idUsuario}`, { situacao: 'BLOQUEADO' })).status).toBe(200)
  })
})
