import { describe, expect, test } from 'vitest'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { mortalDatabase } from '../../../test/stand-ins/mortal-database.ts'
import { encryptWebhook } from './webhook.ts'

const { suite, values, hook, work, senderOf, pass, evaluate, publish, watch, make, change, ...read } =
  alertSuite()
const { outcomes, bellOf, sendings } = read
const withdraw = (idUsuario: number) =>
  suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idUsuario).execute()

describe('a permission that is withdrawn', () => {
  test('nothing is asked when a permission is withdrawn before the evaluation, and the alert says so', async () => {
    values.set('todos', 50)
    const { user, idAlerta, session } = await make(await publish())
    await withdraw(user.idUsuario)
    values.set('todos', 500)
    suite.provider.seen.length = 0
    await evaluate()
    await evaluate()
    expect(suite.provider.seen).toEqual([])
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 50, null],
      ['RECUSADA', null, null],
    ])
    const { body } = await session.get(`/alertas/${idAlerta}`)
    expect(body).toMatchObject({ relatorio: null, valor: null, linha: null, mostraValores: false })
    expect(body.impedimento).toBe('Quem criou o alerta: não pode ver o relatório.')
  })

  test('nothing is sent when a permission is withdrawn during the evaluation', async () => {
    values.set('todos', 50)
    const { user, idAlerta } = await make(await publish())
    values.set('todos', 500)
    const held = suite.provider.hold('readData')
    const done = evaluate()
    const proceed = await held
    await withdraw(user.idUsuario)
    proceed()
    await done
    expect((await outcomes(idAlerta)).at(-1)).toEqual(['RECUSADA', null, null])
    expect(await bellOf(user.idUsuario)).toEqual([])
    expect(suite.smtp.received).toEqual([])
  })

  test('no e-mail, webhook or notification is sent when a permission is withdrawn after the evaluation', async () => {
    const report = await publish()
    const webhook = encryptWebhook(suite.app.services.secrets, {
      endereco: suite.hook,
      segredo: 'whsec_eA==',
    })
    const { user, idAlerta } = await watch(report, { webhook }, { tipoUsuario: 'ADMIN' })
    const session = await suite.app.as(user)
    await change('alerta', { estado: 'NORMAL' }, idAlerta)
    values.set('todos', 500)
    await evaluate()
    suite.smtp.received.length = 0
    hook.calls.length = 0
    // A crossing whose e-mail and call wait.
    values.set('todos', 1)
    await evaluate()
    values.set('todos', 600)
    await suite.app.db.updateTable('alerta').set({ proximaEm: new Date() }).execute()
    const { db, life } = mortalDatabase(suite.app.services.db)
    hook.status = 503
    await work({ db })
    expect([life.isDead, hook.calls.length]).toEqual([false, 1])
    await change('usuario', { tipoUsuario: 'USER' }, user.idUsuario)
    await withdraw(user.idUsuario)
    hook.status = 204
    await pass(60_000)
    await work()
    await senderOf().sendDue()
    expect([suite.smtp.received.length, hook.calls.length]).toEqual([0, 1])
    expect((await sendings()).slice(-2).map(({ estado, motivo }) => [estado, motivo])).toEqual([
      ['NAO_ENVIADO', 'Quem criou o alerta: não pode ver o relatório.'],
      ['NAO_ENVIADO', 'Quem criou o alerta: não pode ver o relatório.'],
    ])
    const { body } = await session.get('/notificacoes')
    expect(body).toEqual([])
  })

  test('a paused account is told nothing', async () => {
    values.set('todos', 50)
    const { user, idAlerta } = await make(await publish())
    await change('usuario', { situacao: 'BLOQUEADO' }, user.idUsuario)
    values.set('todos', 500)
    await evaluate()
    expect((await outcomes(idAlerta)).at(-1)).toEqual(['RECUSADA', null, null])
    expect(await bellOf(user.idUsuario)).toEqual([])
  })
})
