import { beforeEach, describe, expect, test } from 'vitest'
import { createRun, createSubscription, subscriptionDraft } from '../../../test/distribution/subscriptions.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

/*
 * The kind of fault: what a person chose in a report (filters, parameters, selections, the name of a
 * view) is answered or audited for others. The values can name what only that person sees.
 */

type Person = Awaited<ReturnType<typeof createUser>>
let people: Record<'boss' | 'other' | 'ana' | 'bia' | 'carla', Person>
let report: Awaited<ReturnType<typeof createReport>>
let admin: Awaited<ReturnType<TestApp['as']>>

beforeEach(async () => {
  people = {
    boss: await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina' }),
    other: await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Otto' }),
    ana: await createUser(app, { nomeUsuario: 'Ana' }),
    bia: await createUser(app, { nomeUsuario: 'Bia' }),
    carla: await createUser(app, { nomeUsuario: 'Carla' }),
  }
  const { idPowerBi } = await createConnection(app, { provedor: 'microsoft' })
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  report = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos' })
  for (const { idUsuario } of [people.ana, people.bia, people.carla])
    await grantReport(app, idUsuario, report.idRelatorio)
  admin = await app.as(people.other)
})

const chosen = { filtros: '{"sexo":"Maria das Dores","operadora":""}', marcador: 'bWFyY2Fkb3I', pagina: 'p1' }
const hidden = /Maria|Dores|bWFyY2Fkb3I/

const restrict = (fields: { papeisRls?: string[]; enviaIdentidade?: boolean; sensivel?: boolean }) =>
  app.db.updateTable('relatorio').set(fields).execute()

/** A saved view whose name says whom it shows, and a subscription of it. */
const subscribe = async (owner: Person, recipients: Person[], fields = {}) => {
  const { idUsuario } = owner
  const { idRelatorio } = report
  const { idVisao } = await app.db
    .insertInto('visaoSalva')
    .values({ idUsuario, idRelatorio, nome: 'Da Maria das Dores', padrao: false, ...chosen })
    .returning('idVisao')
    .executeTakeFirstOrThrow()
  const stored = { idRelatorio, idDono: idUsuario, idVisao, parametros: ['CPF=Maria'], ...chosen, ...fields }
  const ids = recipients.map((one) => one.idUsuario)
  const { idAssinatura } = await createSubscription(app, stored, ids)
  const { idExecucao } = await createRun(
    app,
    { idAssinatura, filtros: 'Sexo: Maria das Dores', consulta: 'sexo=Maria', terminadaEm: new Date() },
    ids,
  )
  return { idAssinatura, idExecucao, url: `/assinaturas/${idAssinatura}` }
}

describe.each([
  ['roles', { papeisRls: ['Regional'] }],
  ['an identity', { enviaIdentidade: true }],
])('the choice of another person in a report with %s', (_, fields) => {
  beforeEach(() => restrict(fields))

  test('the choice of another person is in no answer to an ADMIN, and in each to its owner', async () => {
    const { url, idExecucao, idAssinatura } = await subscribe(people.ana, [people.ana])
    const read = [url, '/assinaturas', `${url}/execucoes`, `${url}/execucoes/${idExecucao}/entregas`]
    for (const path of read) {
      const { status, body } = await admin.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toMatch(hidden)
    }
    const empty = { filtros: {}, marcador: null, parametros: [], nomeVisao: null, mostraEscolha: false }
    expect((await admin.get(url)).body).toMatchObject({ ...empty, idAssinatura, pagina: 'p1' })
    const paused = await admin.put(`${url}/ativa`, { ativa: false })
    expect([paused.status, paused.body]).toEqual([200, expect.objectContaining(empty)])
    const owner = await app.as(people.ana)
    for (const answer of [(await owner.get(url)).body, (await owner.get('/assinaturas/minhas')).body[0]])
      expect(answer).toMatchObject({
        filtros: { sexo: 'Maria das Dores', operadora: '' },
        marcador: 'bWFyY2Fkb3I',
        parametros: ['CPF=Maria'],
        nomeVisao: 'Da Maria das Dores',
        mostraEscolha: true,
      })
  })

  test('the choice of another person is not changed, tested or sent to themselves by an ADMIN, who may pause and delete it', async () => {
    const { url, idAssinatura } = await subscribe(people.boss, [people.ana])
    const stored = () =>
      app.db.selectFrom('assinatura').select(['filtros', 'marcador', 'versao']).executeTakeFirst()
    const before = await stored()
    const draft = subscriptionDraft({ idPessoas: [people.other.idUsuario] })
    for (const refused of [await admin.put(url, draft), await admin.post(`${url}/teste`)])
      expect([refused.status, refused.body.codigo, refused.body.detail]).toEqual([
        403,
        'sem_permissao',
        expect.stringMatching(/^Só quem fez a assinatura pode /),
      ])
    expect(await stored()).toEqual(before)
    expect(await app.db.selectFrom('assinaturaExecucao').select('causa').execute()).toEqual([
      { causa: 'AGENDA' },
    ])
    const owner = await app.as(people.boss)
    expect((await owner.put(url, draft)).status).toBe(200)
    expect((await admin.del(url)).status).toBe(204)
    const { body } = await admin.get(`/auditoria?objeto=assinatura:${idAssinatura}`)
    expect(JSON.stringify(body)).not.toMatch(hidden)
  })
})

test('of a report with the same rows for everybody, ADMINs see and change it', async () => {
  await restrict({ sensivel: true })
  const { url } = await subscribe(people.boss, [people.ana])
  expect((await admin.get(url)).body).toMatchObject({ mostraEscolha: true, marcador: 'bWFyY2Fkb3I' })
  const changed = await admin.put(url, subscriptionDraft({ filtros: { sexo: 'feminino' } }))
  expect([changed.status, changed.body.filtros]).toEqual([200, { sexo: 'feminino' }])
  expect((await admin.post(`${url}/teste`)).status).toBe(201)
})

test('audit lines name the filters and parameters, never their values', async () => {
  const owner = await app.as(people.boss)
  const fields = { filtros: { sexo: 'Maria das Dores', operadora: '' }, marcador: 'bWFyY2Fkb3I' }
  const { idRelatorio } = report
  const created = await owner.post(
    `/usuarios/relatorio/${idRelatorio}/assinaturas`,
    subscriptionDraft({ ...fields, idPessoas: [people.bia.idUsuario, people.ana.idUsuario] }),
  )
  expect([created.status, created.body]).toEqual([201, expect.objectContaining(fields)])
  const url = `/assinaturas/${created.body.idAssinatura}`
  await owner.put(url, subscriptionDraft({ filtros: { operadora: 'Maria' } }))
  await owner.del(url)
  const lines = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'detalhes'])
    .where('acao', 'like', 'subscription.%')
    .orderBy('idAuditoria')
    .execute()
  expect(JSON.stringify(lines)).not.toMatch(hidden)
  const ids = [people.ana.idUsuario, people.bia.idUsuario]
  expect(lines).toMatchObject([
    {
      acao: 'subscription.created',
      detalhes: { idRelatorio, depois: { filtros: ['sexo'], comMarcador: true, idPessoas: ids } },
    },
    {
      acao: 'subscription.updated',
      detalhes: { antes: { filtros: ['sexo'] }, depois: { filtros: ['operadora'], comMarcador: false } },
    },
    { acao: 'subscription.deleted', detalhes: { antes: { filtros: ['operadora'], comMarcador: false } } },
  ])
})

describe('GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha', () => {
  const asked = async (person: Person, idAssinatura: number, idRelatorio = report.idRelatorio) => {
    const session = await app.as(person)
    const { status, body } = await session.get(
      `/usuarios/relatorio/${idRelatorio}/assinaturas/${idAssinatura}/escolha`,
    )
    return status === 200 ? body : status
  }
  const choice = {
    pagina: 'p1',
    filtros: { sexo: 'Maria das Dores', operadora: '' },
    marcador: 'bWFyY2Fkb3I',
  }

  test('GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha answers the recipients and the owner, and nobody to whom the link was forwarded', async () => {
    await restrict({ papeisRls: ['Regional'] })
    const { idAssinatura } = await subscribe(people.boss, [people.ana, people.bia])
    const { ana, bia, boss, carla, other } = people
    for (const person of [ana, bia, boss]) expect(await asked(person, idAssinatura)).toEqual(choice)
    // Carla may see the report, and Otto is an ADMIN.
    expect([await asked(carla, idAssinatura), await asked(other, idAssinatura)]).toEqual([404, 404])
    expect(await asked(ana, idAssinatura + 1)).toBe(404)
    const lines = await app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'objeto', 'detalhes'])
      .where('acao', '=', 'subscription.choice-read')
      .orderBy('idAuditoria')
      .execute()
    const about = { objeto: `assinatura:${idAssinatura}`, detalhes: { idRelatorio: report.idRelatorio } }
    expect(lines).toEqual([
      { idUsuario: ana.idUsuario, ...about },
      { idUsuario: bia.idUsuario, ...about },
    ])
  })

  test('GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha refuses a recipient whose e-mail could be another person’s, as the report does', async () => {
    await restrict({ enviaIdentidade: true })
    const { idAssinatura } = await subscribe(people.boss, [people.ana])
    const { idUsuario } = people.ana
    await app.db
      .updateTable('usuario')
      .set({ emailPorProvar: true })
      .where('idUsuario', '=', idUsuario)
      .execute()
    expect(await asked(people.ana, idAssinatura)).toBe(403)
    await restrict({ enviaIdentidade: false })
    expect(await asked(people.ana, idAssinatura)).toEqual(choice)
  })

  test('GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha answers the members of a profile, while they are members', async () => {
    const { idAssinatura } = await subscribe(people.boss, [])
    const { body: profile } = await admin.post('/perfis', { nomePerfil: 'Diretoria' })
    const { idPerfil } = profile
    await app.db.insertInto('assinaturaPerfil').values({ idAssinatura, idPerfil }).execute()
    const { ana } = people
    const member = { idPerfil, idUsuario: ana.idUsuario }
    await app.db.insertInto('perfilUsuario').values(member).execute()
    expect(await asked(ana, idAssinatura)).toEqual(choice)
    await app.db
      .updateTable('perfilUsuario')
      .set({ venceEm: new Date(0) })
      .execute()
    expect(await asked(ana, idAssinatura)).toBe(404)
  })

  test('GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha refuses a recipient who left, or who lost the report, and the path of another report', async () => {
    const { idAssinatura } = await subscribe(people.boss, [people.ana, people.bia])
    const { ana, bia } = people
    await app.db
      .insertInto('assinaturaSaida')
      .values({ idAssinatura, idUsuario: ana.idUsuario, em: new Date() })
      .execute()
    expect(await asked(ana, idAssinatura)).toBe(404)
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    expect(await asked(bia, idAssinatura)).toBe(403)
    const { idGrupoRelatorio } = report
    const another = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Outro' })
    await grantReport(app, bia.idUsuario, another.idRelatorio)
    expect(await asked(bia, idAssinatura, another.idRelatorio)).toBe(404)
  })
})
