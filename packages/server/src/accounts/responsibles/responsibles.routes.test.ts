import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

const create = (nomeResponsavel: string) => admin.post('/responsavel', { nomeResponsavel })
const namesOf = (body: { nomeResponsavel: string }[]) => body.map(({ nomeResponsavel }) => nomeResponsavel)

test("GET /responsavel lists 'Administração' and others in Brazilian order, in pages, and searches them", async () => {
  expect((await admin.get('/responsavel')).body).toEqual([
    { idResponsavel: 1, nomeResponsavel: 'Administração' },
  ])
  for (const name of ['Zélia', 'Água', 'banco']) expect((await create(name)).status).toBe(201)
  const { body, headers } = await admin.get('/responsavel?pagina=1&tamanho=2')
  expect(namesOf(body)).toEqual(['Administração', 'Água'])
  expect(headers['x-total-count']).toBe('4')
  expect(namesOf((await admin.get('/responsavel?ordem=-nomeResponsavel')).body)).toEqual([
    'Zélia',
    'banco',
    'Água',
    'Administração',
  ])
  expect(namesOf((await admin.get('/responsavel?busca=AGUA')).body)).toEqual(['Água'])
  expect((await create('Água e Esgoto do Norte')).status).toBe(201)
  expect(namesOf((await admin.get('/responsavel?busca=norte%20AGUA')).body)).toEqual([
    'Água e Esgoto do Norte',
  ])
})

test('POST /responsavel answers 201 and is audited', async () => {
  const { status, body } = await create('  Comercial ')
  expect([status, body]).toEqual([201, { idResponsavel: expect.any(Number), nomeResponsavel: 'Comercial' }])
  const audit = await app.db
    .selectFrom('auditoria')
    .selectAll()
    .where('acao', '=', 'responsible.created')
    .execute()
  expect(audit).toMatchObject([{ objeto: `responsible:${body.idResponsavel}`, detalhes: { depois: body } }])
})

test.each(['', '  ', 'a\nb', 'a'.repeat(121)])('POST /responsavel refuses %j at its field', async (name) => {
  const { status, body } = await create(name)
  expect([status, Object.keys(body.campos)]).toEqual([422, ['nomeResponsavel']])
})

test('POST /responsavel answers 409 for the same name in other case or accents', async () => {
  const { status, body } = await create('ADMINISTRACAO')
  expect([status, body.codigo]).toEqual([409, 'responsavel_ja_cadastrado'])
})
