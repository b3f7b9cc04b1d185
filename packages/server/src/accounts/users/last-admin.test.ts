import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let marina: Awaited<ReturnType<typeof createUser>>
const app = useTestApp()
beforeEach(async () => {
  marina = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(marina)
})

describe('the last active ADMIN', () => {
  test.each([{ tipoUsuario: 'USER' }, { situacao: 'BLOQUEADO' }, { situacao: 'PENDENTE' }])(
    'the last active ADMIN cannot be demoted, blocked or set to pending (%j)',
    async (change) => {
      // Neither account can take over.
      await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
      await createUser(app)
      const url = `/usuarios/${marina.idUsuario}`
      const { status, body } = await admin.put(url, { nomeUsuario: 'Outra', ...change })
      expect([status, body.codigo]).toEqual([409, 'ultimo_administrador'])
      expect((await admin.get(url)).body).toMatchObject({
        nomeUsuario: 'Marina Alves',
        tipoUsuario: 'ADMIN',
        situacao: 'ATIVO',
        versao: 1,
      })
      const audited = await app.db.selectFrom('auditoria').select('acao').execute()
      expect(audited).toEqual([{ acao: 'session.created' }])
    },
  )

  test('the last active ADMIN cannot get an end, nor be demoted when the only other ADMIN has one', async () => {
    const other = await createUser(app, { tipoUsuario: 'ADMIN', venceEm: new Date(Date.now() + 86_400_000) })
    const url = `/usuarios/${marina.idUsuario}`
    for (const change of [{ validoAte: '2999-12-31' }, { tipoUsuario: 'USER' }]) {
      const { status, body } = await admin.put(url, change)
      expect([status, body.codigo]).toEqual([409, 'ultimo_administrador'])
    }
    expect((await admin.put(`/usuarios/${other.idUsuario}`, { validoAte: null })).status).toBe(200)
    expect((await admin.put(url, { validoAte: '2999-12-31' })).status).toBe(200)
  })

  test('an inactive ADMIN can be demoted', async () => {
    const blocked = await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    expect((await admin.put(`/usuarios/${blocked.idUsuario}`, { tipoUsuario: 'USER' })).status).toBe(200)
  })

  test('the last active ADMIN remains when two ADMINs demote each other at once: 20 rounds', async () => {
    const other = await createUser(app, { tipoUsuario: 'ADMIN' })
    const mine = `/usuarios/${marina.idUsuario}`
    const theirs = `/usuarios/${other.idUsuario}`
    const otherAdmin = await app.as(other)
    const changes = [{ tipoUsuario: 'USER' }, { situacao: 'BLOQUEADO' }, { situacao: 'PENDENTE' }]
    let refusedByRule = 0
    for (let round = 0; round < 20; round += 1) {
      const change = changes[round % changes.length]
      // Either each changes the other, or one ADMIN changes both.
      const caller = round % 2 === 0 ? otherAdmin : admin
      const sends = [() => caller.put(mine, change), () => admin.put(theirs, change)]
      // The caller's own demotion first would end the session; sent second, the rule decides.
      if (round % 4 === 1) sends.reverse()
      const answers = await Promise.all(sends.map((send) => send()))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(200)
      // Refused because the session ended, or by the rule.
      expect([401, 409]).toContain(statuses[1])
      refusedByRule += answers.filter(({ body }) => body.codigo === 'ultimo_administrador').length
      const left = await app.db
        .selectFrom('usuario')
        .select('idUsuario')
        .where('tipoUsuario', '=', 'ADMIN')
        .where('situacao', '=', 'ATIVO')
        .execute()
      expect(left).toHaveLength(1)
      await app.db.updateTable('usuario').set({ tipoUsuario: 'ADMIN', situacao: 'ATIVO' }).execute()
      await app.db.updateTable('sessao').set({ encerradaEm: null }).execute()
    }
    expect(refusedByRule).toBeGreaterThan(0)
  })

  test('the last active ADMIN remains when two ADMINs delete each other at once: 20 rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      await app.reset()
      const [one, two] = [
        await createUser(app, { tipoUsuario: 'ADMIN' }),
        await createUser(app, { tipoUsuario: 'ADMIN' }),
      ]
      const [first, second] = [await app.as(one), await app.as(two)]
      const answers = await Promise.all([
        first.del(`/usuarios/${two.idUsuario}`),
        second.del(`/usuarios/${one.idUsuario}`),
      ])
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(204)
      expect([401, 409]).toContain(statuses[1])
      const left = await app.db.selectFrom('usuario').select('tipoUsuario').execute()
      expect(left).toEqual([{ tipoUsuario: 'ADMIN' }])
    }
  })
})
