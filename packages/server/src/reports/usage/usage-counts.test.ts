import { expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish, viewer } = embeddingSuite()

const events = () =>
  suite.app.db
    .selectFrom('usoEvento')
    .select(['tipo', 'nome', 'total'])
    .where('mensal', '=', false)
    .orderBy('tipo')
    .execute()

test('an opening that the provider refuses counts as one error of the report and the person', async () => {
  const { report, address } = await publish()
  const { post, user } = await viewer(report.idRelatorio)
  suite.provider.answer('generateToken', () => ({ status: 403, body: '' }))
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(502)
  }
  expect(await events()).toMatchObject([{ tipo: 'erro', total: 1 }])
  const sums = await suite.app.db
    .selectFrom('usoPessoa')
    .select(['idUsuario', 'visualizacoes', 'erros'])
    .where('mensal', '=', true)
    .execute()
  expect(sums).toEqual([{ idUsuario: user.idUsuario, visualizacoes: 0, erros: 1 }])
})

test('an opening in the background does not count as an error', async () => {
  const { report, address } = await publish()
  const { post } = await viewer(report.idRelatorio)
  suite.provider.answer('generateToken', () => ({ status: 403, body: '' }))
  expect((await post('/usuarios/relatorio/embed', address, { 'x-segundo-plano': '1' })).status).toBe(502)
  expect(await events()).toEqual([])
})

test('a requested export counts by its format', async () => {
  const { report } = await publish()
  const { post } = await viewer(report.idRelatorio)
  const url = `/usuarios/relatorio/${report.idRelatorio}/exportacao`
  expect((await post(url, { formato: 'PDF' })).status).toBe(201)
  expect(await events()).toEqual([{ tipo: 'exportacao', nome: 'PDF', total: 1 }])
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  const { body } = await admin.get('/uso/detalhes?tipo=exportacao&dias=7')
  expect(body).toMatchObject([{ nome: 'PDF', vezes: 1 }])
})
