import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCapacity } from '../../../test/connections/capacities.ts'
import { createAnnouncement } from '../../../test/distribution/announcements.ts'
import { createSubscription } from '../../../test/distribution/subscriptions.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { mayStart } from '../../connections/capacities/capacity-store.ts'
import { isInAudience } from '../../distribution/announcements/announcements.ts'
import { recipientsOf } from '../../distribution/subscriptions/recipients/recipients.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let ana: Awaited<ReturnType<typeof createUser>>
let idPerfil: number
let idRelatorio: number
let idPowerBi: number
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  ana = await createUser(app)
  idPowerBi = (await createConnection(app)).idPowerBi
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  idRelatorio = (await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos' })).idRelatorio
  idPerfil = (await admin.post('/perfis', { nomePerfil: 'Diretoria' })).body.idPerfil
  await admin.put(`/perfis/${idPerfil}/relatorios`, { idRelatorios: [idRelatorio] })
})

const change = (body: object) => admin.put(`/perfis/${idPerfil}/membros`, body)
const setTerm = (validoAte: string | null, { idUsuario } = ana) =>
  change({ prazos: [{ idUsuario, validoAte }] })
const members = async () => (await admin.get(`/perfis/${idPerfil}/membros`)).body
const endNow = () =>
  app.db
    .updateTable('perfilUsuario')
    .set({ venceEm: new Date(Date.now() - 1_000) })
    .execute()
const explained = async () => (await admin.get(`/usuarios/${ana.idUsuario}/acesso/${idRelatorio}`)).body

describe('the last day of a membership', () => {
  beforeEach(() => change({ adicionar: [ana.idUsuario] }))

  test('the last day of a membership is set, audited, shown and removed', async () => {
    expect(await members()).toMatchObject([{ idUsuario: ana.idUsuario, validoAte: null }])
    expect((await setTerm('2999-12-31')).status).toBe(200)
    expect(await members()).toMatchObject([{ idUsuario: ana.idUsuario, validoAte: '2999-12-31' }])
    expect((await explained()).motivos).toMatchObject([
      { descricao: 'Participa do perfil “Diretoria”, que inclui este relatório, até 31/12/2999.' },
    ])
    // The same day changes nothing; joining again keeps it.
    await setTerm('2999-12-31')
    await change({ adicionar: [ana.idUsuario] })
    expect(await members()).toMatchObject([{ validoAte: '2999-12-31' }])
    await setTerm(null)
    expect(await members()).toMatchObject([{ validoAte: null }])
    const lines = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'profile.members-changed')
      .orderBy('idAuditoria')
      .execute()
    const { idUsuario } = ana
    expect(lines.map(({ detalhes }) => detalhes)).toEqual([
      { entraram: [idUsuario], sairam: [] },
      { entraram: [], sairam: [], prazos: [{ idUsuario, validoAte: '2999-12-31' }] },
      { entraram: [], sairam: [], prazos: [{ idUsuario, validoAte: null }] },
    ])
  })

  test('the last day of a membership is given to a person who joins in the same call', async () => {
    const { idUsuario } = await createUser(app)
    const { body } = await change({
      adicionar: [idUsuario],
      prazos: [{ idUsuario, validoAte: '2999-12-31' }],
    })
    expect(body.quantidadeMembros).toBe(2)
    expect(await members()).toContainEqual(expect.objectContaining({ idUsuario, validoAte: '2999-12-31' }))
  })

  test('the last day of a membership is refused when it has passed, and for a person who is no member', async () => {
    const past = await setTerm('2020-01-31')
    expect([past.status, past.body.campos]).toEqual([
      422,
      { validoAte: 'Informe uma data a partir de hoje.' },
    ])
    const stranger = await setTerm('2999-12-31', await createUser(app))
    expect([stranger.status, Object.keys(stranger.body.campos)]).toEqual([422, ['prazos']])
  })
})

describe('a membership that has ended', () => {
  beforeEach(async () => {
    await change({ adicionar: [ana.idUsuario] })
    await endNow()
  })

  test('a membership that has ended is still listed, counts nowhere, and is explained', async () => {
    expect(await members()).toMatchObject([{ validoAte: expect.any(String) }])
    expect((await admin.get(`/perfis/${idPerfil}`)).body.quantidadeMembros).toBe(0)
    const { body } = await admin.get(`/perfis/${idPerfil}/candidatos?busca=${ana.emailUsuario}`)
    expect(body).toMatchObject([{ jaMembro: false }])
    expect(await explained()).toMatchObject({
      pode: false,
      motivos: [],
      faltas: [expect.stringMatching(/^A pessoa participou até .* do perfil “Diretoria”/)],
    })
    expect((await (await app.as(ana)).get('/usuarios/menus')).body).toEqual([])
  })

  test('a membership that has ended gives no announcement, no e-mail of a subscription, and starts no capacity', async () => {
    const { idAviso } = await createAnnouncement(app, { publico: 'PERFIS' })
    await app.db.insertInto('avisoPerfil').values({ idAviso, idPerfil }).execute()
    const { idUsuario: idDono } = await createUser(app)
    const { idAssinatura } = await createSubscription(app, { idRelatorio, idDono }, [])
    await app.db.insertInto('assinaturaPerfil').values({ idAssinatura, idPerfil }).execute()
    const { idCapacidade } = await createCapacity(app, { idPowerBi })
    await app.db.insertInto('capacidadePerfil').values({ idCapacidade, idPerfil }).execute()
    const { idUsuario } = ana
    const given = async () => {
      const { rows } = await sql<{ avisado: boolean; recebe: boolean }>`
        select exists (
            select from usuario, aviso where id_usuario = ${idUsuario} and id_aviso = ${idAviso} and ${isInAudience}
          ) as avisado,
          ${idUsuario}::int in (${recipientsOf(idAssinatura)}) as recebe`.execute(app.db)
      return { ...rows[0], inicia: await mayStart(app.db, { idUsuario, tipo: 'USER' }, idCapacidade) }
    }
    expect(await given()).toEqual({ avisado: false, recebe: false, inicia: false })
    await change({ adicionar: [idUsuario] })
    expect(await given()).toEqual({ avisado: true, recebe: true, inicia: true })
  })

  test('a membership that has ended ends the received subscriptions of a person who still sees the report', async () => {
    const { idUsuario } = ana
    await grantReport(app, idUsuario, idRelatorio)
    const { idUsuario: idDono } = await createUser(app)
    const { idAssinatura } = await createSubscription(app, { idRelatorio, idDono }, [])
    await app.db.insertInto('assinaturaPerfil').values({ idAssinatura, idPerfil }).execute()
    const session = await app.as(ana)
    expect((await session.get('/assinaturas/recebidas')).body).toEqual([])
    await change({ adicionar: [idUsuario] })
    expect((await session.get('/assinaturas/recebidas')).body).toMatchObject([{ idAssinatura }])
  })

  test('a membership that has ended counts again, without an end, when the person joins again', async () => {
    const { body } = await change({ adicionar: [ana.idUsuario] })
    expect(body.quantidadeMembros).toBe(1)
    expect(await members()).toMatchObject([{ validoAte: null }])
    expect((await (await app.as(ana)).get('/usuarios/menus')).body).toHaveLength(1)
  })
})
