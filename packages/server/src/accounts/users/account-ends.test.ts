import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

const draft = { nomeUsuario: 'Ana Prado', emailUsuario: 'ana@exemplo.com.br', senhaUsuario: password }

test('an account ends with its last day in America/Sao_Paulo', async () => {
  const { status, body } = await admin.post('/usuarios', { ...draft, validoAte: '2999-12-31' })
  expect([status, body.validoAte]).toEqual([201, '2999-12-31'])
  const { venceEm } = await app.db
    .selectFrom('usuario')
    .select('venceEm')
    .where('idUsuario', '=', body.idUsuario)
    .executeTakeFirstOrThrow()
  expect(venceEm?.toISOString()).toBe('3000-01-01T03:00:00.000Z')
  const changed = await admin.put(`/usuarios/${body.idUsuario}`, { validoAte: '' })
  expect([changed.status, changed.body.validoAte]).toEqual([200, null])
  // Other fields leave it unchanged.
  await admin.put(`/usuarios/${body.idUsuario}`, { validoAte: '2999-12-31' })
  const renamed = await admin.put(`/usuarios/${body.idUsuario}`, { nomeUsuario: 'Ana Prado Lima' })
  expect(renamed.body.validoAte).toBe('2999-12-31')
  const csv = await admin.get('/usuarios.csv')
  expect(csv.body).toContain('2999')
})

test('a day that has passed is refused, but an unchanged one is not', async () => {
  const refused = await admin.post('/usuarios', { ...draft, validoAte: '2020-01-31' })
  expect([refused.status, refused.body.campos]).toEqual([
    422,
    { validoAte: 'Informe uma data a partir de hoje.' },
  ])
  const ended = await createUser(app, { venceEm: new Date('2020-02-01T03:00:00Z') })
  const url = `/usuarios/${ended.idUsuario}`
  expect((await admin.get(url)).body.validoAte).toBe('2020-01-31')
  expect((await admin.put(url, { validoAte: '2020-01-30' })).status).toBe(422)
  expect((await admin.put(url, { nomeUsuario: 'Outra Pessoa', validoAte: '2020-01-31' })).status).toBe(200)
  expect((await admin.put(url, { validoAte: '31/12/2999' })).status).toBe(422)
})

test('the person of an ended account enters again once an ADMIN moves the end', async () => {
  const ended = await createUser(app, { venceEm: new Date(Date.now() - 1_000) })
  await expect(app.as(ended)).rejects.toThrow('401')
  const audited = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'detalhes'])
    .orderBy('idAuditoria', 'desc')
    .executeTakeFirstOrThrow()
  expect(audited).toMatchObject({ acao: 'session.refused', detalhes: { motivo: 'conta vencida' } })
  expect((await admin.put(`/usuarios/${ended.idUsuario}`, { validoAte: null })).status).toBe(200)
  await app.as(ended)
})

test('a proof is required to bring an ended ADMIN back', async () => {
  const ended = await createUser(app, {
    tipoUsuario: 'ADMIN',
    venceEm: new Date(Date.now() - 48 * 3_600_000),
  })
  app.clock.offsetMs = 11 * 60_000
  const { status, body } = await admin.put(`/usuarios/${ended.idUsuario}`, { validoAte: null })
  expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
})
