import type { IncidentDraft } from '@bi-manager/contract'
import { beforeEach, expect, test } from 'vitest'
import { incidentDraft } from '../../../test/clinical/incidents.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let officer: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  // A Tuesday, in a year with the weekdays of 2026. In the future, because sessions are not older
  // than now.
  app.clock.offsetMs = Date.parse('2099-06-16T12:00:00Z') - Date.now()
  officer = await app.as(
    await createUser(app, { nomeUsuario: 'Rita Prado', acessoProntuario: true, encarregadoDados: true }),
  )
})

const draftOf = (fields: Partial<IncidentDraft> = {}) =>
  incidentDraft({ conhecido_em: '2099-06-12T12:00:00.000Z', ...fields })

const url = '/protecao-de-dados/incidentes'
const create = async (fields = {}) => (await officer.post(url, draftOf(fields))).body

test('an incident is registered with its term, read and updated, and each is audited', async () => {
  const { status, headers, body } = await officer.post(url, draftOf())
  expect([status, headers.etag]).toEqual([201, '"1"'])
  expect(body).toEqual({
    id: expect.any(Number),
    ...draftOf(),
    ocorrido_em: null,
    titulares_afetados: null,
    medidas: null,
    comunicado_anpd_em: null,
    comunicado_titulares_em: null,
    motivo_sem_comunicacao: null,
    encerrado_em: null,
    // It became known on Friday the 12th.
    prazo: '2099-06-18T02:59:59.999Z',
    fora_do_prazo: false,
    registrado_por: 'Rita Prado',
    idAutor: expect.any(Number),
    registrado_em: expect.any(String),
    versao: 1,
  })
  expect((await officer.get(`${url}/${body.id}`)).body).toEqual(body)
  // The answer of a GET is accepted, and an instant may be written in several ways.
  const told = await officer.put(`${url}/${body.id}`, {
    ...body,
    conhecido_em: '2099-06-12T12:00:00Z',
    comunicado_anpd_em: '2099-06-15T12:00:00.000Z',
    medidas: 'Pedimos que a mensagem fosse apagada.',
  })
  expect([told.status, told.body.versao, told.body.comunicado_anpd_em]).toEqual([
    200,
    2,
    '2099-06-15T12:00:00.000Z',
  ])
  const trail = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'objeto', 'detalhes'])
    .where('objeto', '=', `incidente:${body.id}`)
    .orderBy('idAuditoria')
    .execute()
  // Texts may name people: only their field names are audited. Dates, numbers and choices are
  // audited in full.
  expect(trail.map(({ acao, detalhes }) => [acao, detalhes])).toEqual([
    [
      'incident.created',
      {
        versao: 1,
        depois: {
          conhecido_em: body.conhecido_em,
          ocorrido_em: body.ocorrido_em,
          titulares_afetados: body.titulares_afetados,
          gravidade: body.gravidade,
          exige_comunicacao: body.exige_comunicacao,
          comunicado_anpd_em: null,
          comunicado_titulares_em: null,
          encerrado_em: null,
        },
      },
    ],
    ['incident.read', {}],
    [
      'incident.updated',
      {
        versao: 2,
        campos: ['medidas', 'comunicado_anpd_em'],
        antes: { comunicado_anpd_em: null },
        depois: { comunicado_anpd_em: '2099-06-15T12:00:00.000Z' },
      },
    ],
  ])
})

test('an update without changes creates no version and no audit line', async () => {
  const created = await create({ medidas: 'Uma medida.' })
  const again = await officer.put(`${url}/${created.id}`, created, { 'if-match': '"1"' })
  expect([again.status, again.body.versao, again.headers.etag]).toEqual([200, 1, '"1"'])
  const lines = app.db.selectFrom('auditoria').select('acao').where('acao', '=', 'incident.updated')
  expect(await lines.execute()).toEqual([])
  // The same instant in another notation is not a change.
  const other = { ...created, conhecido_em: created.conhecido_em.replace('.000Z', 'Z') }
  expect((await officer.put(`${url}/${created.id}`, other)).body.versao).toBe(1)
})

test('an update keeps omitted fields, and clears empty ones', async () => {
  const { id } = await create({ medidas: 'Uma medida.', titulares_afetados: 12 })
  const { body } = await officer.put(`${url}/${id}`, draftOf({ titulo: 'Outro título' }))
  expect(body).toMatchObject({ titulo: 'Outro título', medidas: 'Uma medida.', titulares_afetados: 12 })
  const emptied = await officer.put(`${url}/${id}`, draftOf({ medidas: '', titulares_afetados: null }))
  expect(emptied.body).toMatchObject({ medidas: null, titulares_afetados: null })
})

test('an update of an older version gets 412 with the author of the other change', async () => {
  const { id } = await create()
  await officer.put(`${url}/${id}`, draftOf({ gravidade: 'alto' }), { 'if-match': '"1"' })
  const late = await officer.put(`${url}/${id}`, draftOf({ titulo: 'T' }), { 'if-match': '"1"' })
  expect([late.status, late.body.codigo]).toEqual([412, 'versao_antiga'])
  expect(late.body.detail).toMatch(/^Rita Prado alterou Risco para as pessoas em/)
  expect((await officer.get(`${url}/${id}`)).body.titulo).toBe(draftOf().titulo)
})

test('an update checks the version before the draft, and gets 404 for an unknown incident', async () => {
  const { id } = await create()
  await officer.put(`${url}/${id}`, draftOf({ gravidade: 'alto' }))
  const unsound = draftOf({ conhecido_em: '2999-01-01T00:00:00Z' })
  expect((await officer.put(`${url}/${id}`, unsound, { 'if-match': '"1"' })).status).toBe(412)
  expect((await officer.put(`${url}/${id}`, unsound, { 'if-match': '"2"' })).status).toBe(422)
  expect((await officer.put(`${url}/${id + 1}`, unsound, { 'if-match': '"2"' })).status).toBe(404)
})

test.each([
  ['exige_comunicacao', undefined, 'Campo obrigatório'],
  ['titulares_afetados', -1, 'Informe um número inteiro a partir de 0.'],
  ['titulares_afetados', 1.5, 'Informe um número inteiro a partir de 0.'],
  ['titulares_afetados', '3', 'Informe um número inteiro a partir de 0.'],
  ['titulares_afetados', 2e9, 'Use no máximo 1.000.000.000.'],
])('the portal refuses %s: %o in Portuguese', async (field, value, message) => {
  const { status, body } = await officer.post(url, { ...draftOf(), [field]: value })
  expect([status, body.campos]).toEqual([422, { [field]: message }])
})

test('an incident is late when ANPD or the people were not told within the term', async () => {
  const { id } = await create()
  const isLate = async () => (await officer.get(`${url}/${id}`)).body.fora_do_prazo
  const day = 24 * 3_600_000
  expect(await isLate()).toBe(false)
  app.clock.offsetMs += 2 * day
  const again = await app.as(
    await createUser(app, { acessoProntuario: true, encarregadoDados: true, tipoUsuario: 'ADMIN' }),
  )
  expect((await again.get(`${url}/${id}`)).body.fora_do_prazo).toBe(true)
  const told = {
    comunicado_anpd_em: '2099-06-17T12:00:00.000Z',
    comunicado_titulares_em: '2099-06-17T12:00:00.000Z',
  }
  const after = await again.put(`${url}/${id}`, draftOf(told))
  expect([after.status, after.body.fora_do_prazo]).toEqual([200, false])
})

test('each read of the register is audited, also an update without changes', async () => {
  const incident = await create()
  await officer.get(url)
  await officer.get(`${url}/${incident.id}`)
  expect((await officer.put(`${url}/${incident.id}`, incident)).body).toEqual(incident)
  expect((await officer.get(`${url}/999999`)).status).toBe(404)
  const lines = await app.db
    .selectFrom('auditoria')
    .select(['objeto', 'idUsuario', 'detalhes'])
    .where('acao', '=', 'incident.read')
    .orderBy('idAuditoria')
    .execute()
  const own = `incidente:${incident.id}`
  expect(lines.map(({ objeto }) => objeto)).toEqual(['incidentes', own, own])
  expect(new Set(lines.map(({ idUsuario }) => idUsuario))).not.toContain(null)
  expect(JSON.stringify(lines)).not.toContain(incident.titulo)
})

test('the list has pages, latest known first', async () => {
  const days = ['10', '12', '11']
  for (const day of days) await create({ titulo: day, conhecido_em: `2099-06-${day}T12:00:00.000Z` })
  const { headers, body } = await officer.get(`${url}?pagina=1&tamanho=2`)
  expect([headers['x-total-count'], body.map(({ titulo }: { titulo: string }) => titulo)]).toEqual([
    '3',
    ['12', '11'],
  ])
})

test('an inconsistent incident is refused by field and not stored', async () => {
  const { status, body } = await officer.post(
    url,
    draftOf({
      titulo: ' ',
      conhecido_em: 'ontem',
      titulares_afetados: -1,
    }),
  )
  expect([status, Object.keys(body.campos).sort()]).toEqual([
    422,
    ['conhecido_em', 'titulares_afetados', 'titulo'],
  ])
  const future = await officer.post(url, draftOf({ conhecido_em: '2099-06-16T13:00:00.000Z' }))
  expect([future.status, future.body.campos]).toEqual([422, { conhecido_em: 'Esta data ainda não chegou.' }])
  expect((await officer.get(url)).body).toEqual([])
  expect((await officer.get(`${url}/1`)).status).toBe(404)
  expect((await officer.put(`${url}/1`, draftOf())).status).toBe(404)
})

test('the texts are encrypted in the database', async () => {
  await create({ descricao: 'Vazou o nome de Joana Exemplo.' })
  const row = await app.db.selectFrom('incidente').selectAll().executeTakeFirstOrThrow()
  expect(row.conteudo).toMatch(/^v1\./)
  expect(JSON.stringify(row)).not.toMatch(/Joana|Planilha/)
})
