import { beforeEach, describe, expect, test } from 'vitest'
import { azureIdOf } from '../../../test/connections/capacities.ts'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { createConnection } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { registerSimulatedCapacity } from '../../../test/stand-ins/simulated-capacity.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'

const { suite } = embeddingSuite({ BI_TIMEOUT_SECONDS: '10' })

let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
})

const path = '/usuarios/capacidade'
const audited = (action: string) =>
  suite.app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes', 'idUsuario'])
    .where('acao', '=', action)
    .execute()

const draft = (idPowerBi: number, fields = {}) => ({
  nome: 'Produção',
  idPowerBi,
  recurso: azureIdOf(),
  diasAgenda: ['sexta', 'segunda'],
  iniciaAs: '08:00',
  pausaAs: '19:00',
  feriados: ['2026-12-25', '2026-09-07', '2026-12-25'],
  ociosaMinutos: 60,
  ...fields,
})

describe('POST /usuarios/capacidade', () => {
  test('POST /usuarios/capacidade answers 201 with days and holidays in order, and audits it', async () => {
    const { idPowerBi } = await createConnection(suite.app, { nome: 'Matriz' })
    const { status, body } = await admin.post(path, draft(idPowerBi))
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        nome: 'Produção',
        nomePowerBi: 'Matriz',
        tipoCapacidade: 'F',
        diasAgenda: ['segunda', 'sexta'],
        feriados: ['2026-09-07', '2026-12-25'],
        estadoCapacidade: 'DESCONHECIDA',
        sku: null,
        versao: 1,
      }),
    ])
    expect((await admin.get(`${path}/${body.idCapacidade}`)).body).toEqual(body)
    expect(await audited('capacity.created')).toMatchObject([
      { objeto: `capacidade:${body.idCapacidade}`, detalhes: { depois: body } },
    ])
  })

  test.each([
    ['recurso', { recurso: '/subscriptions/x' }],
    ['recurso', { recurso: `${azureIdOf()}/../../outra` }],
    ['recurso', { recurso: azureIdOf().replace('/bi/', '/../') }],
    ['recurso', { recurso: azureIdOf().replace('Microsoft.Fabric', 'Microsoft.Sql') }],
    ['pausaAs', { pausaAs: '08:00' }],
    ['diasAgenda', { diasAgenda: [] }],
    ['tamanhoInicio', { tamanhoInicio: 'grande' }],
    ['tamanhoInicio', { tamanhoInicio: 'A2' }],
    ['tamanhoInicio', { tamanhoInicio: 'F8', iniciaAs: null }],
    ['tamanhoFim', { tamanhoFim: 'F2', pausaAs: null }],
    ['feriados', { feriados: ['2026-02-30'] }],
    ['feriados', { feriados: ['0000-01-01'] }],
    ['ociosaMinutos', { ociosaMinutos: 14 }],
    ['idPowerBi', { idPowerBi: 999_999 }],
  ])('POST /usuarios/capacidade refuses a wrong %s at its field', async (field, fields) => {
    const { idPowerBi } = await createConnection(suite.app)
    const { status, body } = await admin.post(path, draft(idPowerBi, fields))
    expect([status, Object.keys(body.campos)[0]?.split('.')[0]]).toEqual([422, field])
    expect((await admin.get(path)).body).toEqual([])
  })

  test('POST /usuarios/capacidade refuses a connection that has no service principal of Microsoft', async () => {
    const master = await createConnection(suite.app, { tipoCredencial: 'master_user' })
    const local = await createConnection(suite.app, { provedor: 'local' })
    for (const { idPowerBi } of [master, local]) {
      const { status, body } = await admin.post(path, draft(idPowerBi))
      expect([status, Object.keys(body.campos)]).toEqual([422, ['idPowerBi']])
    }
  })

  test('POST /usuarios/capacidade answers 409 for a resource or a connection that has a capacity already', async () => {
    const { idPowerBi } = await createConnection(suite.app)
    const other = await createConnection(suite.app)
    const first = draft(idPowerBi)
    expect((await admin.post(path, first)).status).toBe(201)
    const sameResource = await admin.post(
      path,
      draft(other.idPowerBi, { recurso: first.recurso.toUpperCase() }),
    )
    expect([sameResource.status, sameResource.body.codigo]).toEqual([409, 'capacidade_ja_cadastrada'])
    const sameConnection = await admin.post(path, draft(idPowerBi))
    expect([sameConnection.status, sameConnection.body.codigo]).toEqual([409, 'conexao_com_capacidade'])
  })
})

describe('PUT and DELETE /usuarios/capacidade/:id', () => {
  test('PUT and DELETE /usuarios/capacidade/:id accept the answer of a GET, and audit the change and the removal', async () => {
    const { idPowerBi } = await createConnection(suite.app)
    const { body: record } = await admin.post(path, draft(idPowerBi))
    const url = `${path}/${record.idCapacidade}`
    const { status, body } = await admin.put(
      url,
      { ...record, iniciaAs: '', pausaAs: null, diasAgenda: [], ociosaMinutos: null },
      { 'if-match': '"1"' },
    )
    expect([status, body.iniciaAs, body.ociosaMinutos, body.versao]).toEqual([200, null, null, 2])
    expect(await audited('capacity.updated')).toHaveLength(1)
    const sized = { ...record, tamanhoInicio: 'F8', tamanhoFim: 'F2' }
    expect((await admin.put(url, sized)).body).toMatchObject({ tamanhoInicio: 'F8', tamanhoFim: 'F2' })
    expect((await admin.del(url)).status).toBe(204)
    expect((await admin.get(url)).status).toBe(404)
    expect(await audited('capacity.deleted')).toHaveLength(1)
  })

  test('PUT and DELETE /usuarios/capacidade/:id keep a pause that waits, unless its time changes', async () => {
    const { idPowerBi } = await createConnection(suite.app)
    await moveClockTo(suite.app, Date.parse('2027-03-10T19:30:00-03:00') - Date.now())
    // The other session ended long before.
    admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const { body: record } = await admin.post(path, {
      ...draft(idPowerBi, { diasAgenda: ['quarta'] }),
    })
    const done = new Date('2027-03-10T10:00:00Z')
    await suite.app.db.updateTable('capacidadeEstado').set({ agendaFeita: done }).execute()
    const doneAfter = async (fields: object) => {
      const { status } = await admin.put(`${path}/${record.idCapacidade}`, { ...record, ...fields })
      expect(status).toBe(200)
      return (await suite.app.db.selectFrom('capacidadeEstado').select('agendaFeita').executeTakeFirst())
        ?.agendaFeita
    }
    expect(await doneAfter({ iniciaAs: '07:00', feriados: ['2027-12-25'] })).toEqual(done)
    expect(await doneAfter({ tamanhoInicio: null, tamanhoFim: null })).toEqual(done)
    expect((await doneAfter({ pausaAs: '19:20' }))?.getTime()).toBeGreaterThan(done.getTime())
  })

  test('the connection of a capacity cannot be deleted', async () => {
    const { connection } = await registerSimulatedCapacity(suite, { state: 'Active' })
    const { status, body } = await admin.del(`/usuarios/powerbi/${connection.idPowerBi}`)
    expect([status, body.codigo]).toEqual([409, 'registro_em_uso'])
  })
})

test('GET /usuarios/capacidade.csv has the schedule in words', async () => {
  const { idPowerBi } = await createConnection(suite.app, { nome: 'Matriz' })
  const { body: record } = await admin.post(path, draft(idPowerBi))
  const { body } = await admin.get(`${path}.csv`)
  expect(String(body).split('\r\n').slice(0, 2)).toEqual([
    '\uFEFFNome;Power Bi;ID do recurso no Azure;Tipo;Dias da agenda;Inicia às;Pausa às;Feriados;Pausar após minutos sem uso;Estado;Tamanho;Tamanho ao iniciar;Tamanho no fim',
    `Produção;Matriz;${record.recurso};F;"segunda, sexta";08:00;19:00;"2026-09-07, 2026-12-25";60;DESCONHECIDA;;;`,
  ])
})
