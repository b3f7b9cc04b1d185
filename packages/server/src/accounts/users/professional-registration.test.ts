import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
})

const ana = { nomeUsuario: 'Ana Lima', emailUsuario: 'ana@exemplo.com.br', senhaUsuario: 'Primeira senha 1' }
const registration = { conselhoProfissional: 'crm', numeroRegistro: ' 12345-f ', ufRegistro: 'pr' }
const kept = { conselhoProfissional: 'CRM', numeroRegistro: '12345-F', ufRegistro: 'PR' }
const none = { conselhoProfissional: null, numeroRegistro: null, ufRegistro: null }

test('an ADMIN can set, change and clear a registration, and each change is audited', async () => {
  const { status, body } = await admin.post('/usuarios', { ...ana, ...registration })
  expect([status, body]).toEqual([201, expect.objectContaining(kept)])
  const url = `/usuarios/${body.idUsuario}`
  expect((await admin.put(url, { tipoUsuario: 'USER' })).body).toMatchObject(kept)
  const moved = { ...kept, ufRegistro: 'SC' }
  expect((await admin.put(url, moved)).body).toMatchObject(moved)
  expect((await admin.get(url)).body).toMatchObject(moved)
  const emptied = { conselhoProfissional: '', numeroRegistro: '', ufRegistro: '' }
  expect((await admin.put(url, emptied)).body).toMatchObject(none)
  const trail = await app.db
    .selectFrom('auditoria')
    .select('detalhes')
    .where('acao', '=', 'user.updated')
    .orderBy('idAuditoria')
    .execute()
  expect(trail.at(-1)?.detalhes).toMatchObject({ antes: moved, depois: none })
})

test.each([
  [{ conselhoProfissional: 'CRM' }, ['numeroRegistro', 'ufRegistro']],
  [{ ...kept, ufRegistro: '' }, ['ufRegistro']],
  [{ ...kept, conselhoProfissional: 'CRX' }, ['conselhoProfissional']],
  [{ ...kept, numeroRegistro: 'número' }, ['numeroRegistro']],
  [{ ...kept, numeroRegistro: '1'.repeat(21) }, ['numeroRegistro']],
  [{ ...kept, ufRegistro: 'XX' }, ['ufRegistro']],
])(
  'the portal refuses %j: a registration must be complete, with a known council and state',
  async (fields, at) => {
    const { idUsuario } = await createUser(app, kept)
    for (const answer of [
      await admin.put(`/usuarios/${idUsuario}`, fields),
      await admin.post('/usuarios', { ...ana, ...fields }),
    ]) {
      expect([answer.status, Object.keys(answer.body.campos).sort()]).toEqual([422, at])
    }
    expect((await admin.get(`/usuarios/${idUsuario}`)).body).toMatchObject(kept)
  },
)

test('the portal refuses to clear only one part of a registration', async () => {
  const { idUsuario } = await createUser(app, kept)
  const { status, body } = await admin.put(`/usuarios/${idUsuario}`, { numeroRegistro: null })
  expect([status, Object.keys(body.campos)]).toEqual([422, Object.keys(kept)])
})

test('a user sees their own registration and cannot change it', async () => {
  const person = await createUser(app, kept)
  const own = await app.as(person)
  const url = `/usuarios/${person.idUsuario}`
  expect(
    (await own.put('/conta', { nomeUsuario: 'Ana Lima', ...registration, ufRegistro: 'SC' })).status,
  ).toBe(200)
  expect((await own.put(url, { ...kept, ufRegistro: 'SC' })).status).toBe(403)
  expect((await own.get(url)).body).toMatchObject({ nomeUsuario: 'Ana Lima', ...kept })
})

test('the portal imports and exports registrations', async () => {
  const linhas = [
    { linha: 2, ...ana, ...registration },
    { linha: 3, ...ana, nomeUsuario: 'Beto Reis', emailUsuario: 'beto@exemplo.com.br', ufRegistro: '' },
  ]
  const preview = await admin.post('/usuarios/importacao/previa', { linhas })
  expect(preview.body.linhas[1].erros).toEqual({})
  const faulty = [{ ...linhas[0], ufRegistro: 'XX' }]
  expect((await admin.post('/usuarios/importacao', { linhas: faulty })).body.campos).toEqual({
    'linhas.2.ufRegistro': 'Escolha a UF.',
  })
  expect((await admin.post('/usuarios/importacao', { linhas })).status).toBe(201)
  const lines = String((await admin.get('/usuarios.csv?ordem=nomeUsuario')).body).split('\r\n')
  const [heading = [], ...rows] = lines.map((line) => line.split(';'))
  const from = heading.indexOf('Conselho profissional')
  expect(heading.slice(from, from + 3)).toEqual([
    'Conselho profissional',
    'Número do registro',
    'UF do registro',
  ])
  expect(rows.slice(0, 2).map((row) => [row[0], ...row.slice(from, from + 3)])).toEqual([
    ['Ana Lima', 'CRM', '12345-F', 'PR'],
    ['Beto Reis', '', '', ''],
  ])
})
