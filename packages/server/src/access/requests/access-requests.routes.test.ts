import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createRequest } from '../../../test/access/access-requests.ts'
import { mailsOf } from '../../../test/mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let root: Awaited<ReturnType<typeof createUser>>
let ana: Awaited<ReturnType<typeof createUser>>
let own: Awaited<ReturnType<TestApp['as']>>
let workspace: Awaited<ReturnType<typeof createWorkspace>>
let report: Awaited<ReturnType<typeof createReport>>
beforeEach(async () => {
  await app.db.updateTable('configuracao').set({ buscaSemAcesso: false }).execute()
  root = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(root)
  ana = await createUser(app, { nomeUsuario: 'Ana Prado' })
  own = await app.as(ana)
  const { idPowerBi } = await createConnection(app)
  workspace = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Diretoria' })
  const { idGrupoRelatorio } = workspace
  report = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Folha de pagamento' })
})

const motivo = 'Fecho o mês com ele.'
const address = () => ({ groupId: workspace.idGrupo, reportId: report.reportId })
const ask = (more: object = {}) => own.post('/meus-pedidos-acesso', { ...address(), motivo, ...more })
const bellOf = ({ idUsuario }: { idUsuario: number }) =>
  app.db
    .selectFrom('notificacao')
    .select(['titulo', 'texto', 'rota'])
    .where('idUsuario', '=', idUsuario)
    .where('lidaEm', 'is', null)
    .execute()
const createProfile = async (reports: number[]) => {
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: `Perfil ${randomUUID()}` })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  for (const idRelatorio of reports) {
    await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
  }
  return idPerfil
}
const allowSearch = () => app.db.updateTable('configuracao').set({ buscaSemAcesso: true }).execute()
const canOpen = async () => (await own.get(`/usuarios/relatorio/${report.idRelatorio}/acesso`)).status === 204

/** Leaves out what names the address that was asked for. */
const withoutAddress = (body: Record<string, unknown>) => {
  const { groupId: _, reportId: __, idPedido: ___, idRelatorio: ____, ...rest } = body
  return rest
}

describe('POST /meus-pedidos-acesso', () => {
  test('POST /meus-pedidos-acesso answers the same for a report and for an address without one', async () => {
    const criadoEm = expect.any(String)
    const expected = {
      motivo,
      situacao: 'ABERTO',
      respondidoEm: null,
      mensagem: null,
      nomeRelatorio: null,
      nomeGrupo: null,
      criadoEm,
    }
    const strange = { groupId: randomUUID(), reportId: randomUUID() }
    const asked = [
      await ask(),
      await ask({ idRelatorio: report.idRelatorio }),
      await ask({ idRelatorio: 999_999 }),
      await ask(strange),
    ]
    expect(asked.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    for (const { body } of asked) expect(withoutAddress(body)).toEqual(expected)
    const repeated = [await ask(), await ask(strange)]
    expect(repeated.map(({ status }) => status)).toEqual([200, 200])
    expect(repeated.map(({ body }) => body.idPedido)).toEqual([
      asked[0]?.body.idPedido,
      asked[3]?.body.idPedido,
    ])
    const { body } = await own.get('/meus-pedidos-acesso')
    expect(body.map(withoutAddress)).toEqual(asked.map(() => expected))
  })

  test('POST /meus-pedidos-acesso is refused for a report that the person may open', async () => {
    await grantReport(app, ana.idUsuario, report.idRelatorio)
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([409, 'acesso_ja_liberado'])
  })

  test('POST /meus-pedidos-acesso takes ten in 24 hours, and leaves one line in the bell of an ADMIN', async () => {
    const blocked = await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    for (let n = 0; n < 10; n += 1) expect((await ask({ reportId: randomUUID() })).status).toBe(201)
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([429, 'muitos_pedidos_acesso'])
    expect(await bellOf(root)).toEqual([
      {
        titulo: '10 pedidos de acesso a relatórios',
        texto: 'O mais novo é de Ana Prado.',
        rota: '/pedidos-acesso?situacao=ABERTO',
      },
    ])
    expect(await bellOf(blocked)).toEqual([])
    app.clock.offsetMs = 25 * 3_600_000
    const other = await app.as(ana)
    expect((await other.post('/meus-pedidos-acesso', { ...address(), motivo })).status).toBe(201)
  })

  test('POST /meus-pedidos-acesso takes no more when sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask({ reportId: randomUUID() })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const same = await Promise.all(
      [1, 2].map(() => own.post('/meus-pedidos-acesso', { ...address(), motivo })),
    )
    expect(same.map(({ status }) => status)).toEqual([429, 429])
  })

  test.each([
    ['no reason', { motivo: ' ' }],
    ['a long reason', { motivo: 'a'.repeat(501) }],
    ['no address', { groupId: 'x' }],
  ])('POST /meus-pedidos-acesso refuses %s', async (_, more) => {
    expect((await ask(more)).status).toBe(422)
  })
})

describe('GET /meus-pedidos-acesso', () => {
  test("GET /meus-pedidos-acesso shows no one else's requests, and names only of reports that the person may know", async () => {
    await ask()
    const other = await app.as(await createUser(app))
    expect((await other.get('/meus-pedidos-acesso')).body).toEqual([])
    const nameOf = async () => {
      const [{ nomeRelatorio, nomeGrupo }] = (await own.get('/meus-pedidos-acesso')).body
      return [nomeGrupo, nomeRelatorio]
    }
    const known = ['Diretoria', 'Folha de pagamento']
    expect(await nameOf()).toEqual([null, null])
    await grantReport(app, ana.idUsuario, report.idRelatorio)
    expect(await nameOf()).toEqual(known)
    await app.db.deleteFrom('relatorioUsuario').execute()
    expect(await nameOf()).toEqual([null, null])
    await allowSearch()
    expect(await nameOf()).toEqual(known)
  })
})

describe('GET /relatorios-sem-acesso', () => {
  test('GET /relatorios-sem-acesso finds nothing until the ADMINs allow it, and then what the person cannot open', async () => {
    const search = async () => (await own.get('/relatorios-sem-acesso?busca=folha')).body
    expect(await search()).toEqual([])
    await allowSearch()
    expect(await search()).toEqual([
      {
        idRelatorio: report.idRelatorio,
        nomeRelatorio: 'Folha de pagamento',
        nomeGrupo: 'Diretoria',
        groupId: workspace.idGrupo,
        reportId: report.reportId,
      },
    ])
    expect((await admin.get('/relatorios-sem-acesso?busca=folha')).body).toEqual([])
    await grantReport(app, ana.idUsuario, report.idRelatorio)
    expect(await search()).toEqual([])
  })
})

describe('POST /pedidos-acesso/:id/resposta', () => {
  const answer = (id: number, body: object) => admin.post(`/pedidos-acesso/${id}/resposta`, body)
  const audits = async () => {
    const rows = await app.db
      .selectFrom('auditoria')
      .select(['acao', 'objeto', 'detalhes'])
      .where('idUsuario', '=', root.idUsuario)
      .where('acao', '<>', 'session.created')
      .orderBy('idAuditoria')
      .execute()
    return rows.map(({ acao, objeto, detalhes }) => ({ acao, objeto, detalhes }))
  }

  test('an answer to a request grants the report until a day, and tells the person', async () => {
    const { body: asked } = await ask()
    const { status, body } = await answer(asked.idPedido, {
      decisao: 'LIBERADO',
      validoAte: '2999-12-31',
      mensagem: 'Bom\ntrabalho',
    })
    expect([status, body]).toMatchObject([
      200,
      { situacao: 'LIBERADO', respondidoPor: 'Marina Alves', jaTemAcesso: true, mensagem: 'Bom\ntrabalho' },
    ])
    expect(await canOpen()).toBe(true)
    const texto = 'Você já pode abrir “Folha de pagamento”, até 31/12/2999. Mensagem: Bom trabalho'
    const rota = `/relatorio-embed/diretoria/folha-de-pagamento/${workspace.idGrupo}/${report.reportId}?relatorio=${report.idRelatorio}`
    expect(await bellOf(ana)).toEqual([{ titulo: 'Acesso liberado', texto, rota }])
    expect((await mailsOf(app)).map(({ para, mail }) => ({ para, ...mail }))).toMatchObject([
      {
        para: ana.emailUsuario,
        modelo: 'pedido_respondido',
        titulo: 'Acesso liberado',
        texto,
        link: expect.stringMatching(/^https?:\/\/[^/]+\/relatorio-embed\//),
        abreRelatorio: true,
      },
    ])
    const { idRelatorio } = report
    const subject = `usuario:${ana.idUsuario}`
    expect(await audits()).toMatchObject([
      {
        acao: 'grants.changed',
        objeto: subject,
        detalhes: { liberados: [idRelatorio], prazos: [{ idRelatorio, validoAte: '2999-12-31' }] },
      },
      { acao: 'grants.request-answered', objeto: subject, detalhes: { decisao: 'LIBERADO', idRelatorio } },
    ])
    // The bell of the ADMINs has nothing that waits any more.
    expect(await bellOf(root)).toEqual([])
    const again = await answer(asked.idPedido, { decisao: 'RECUSADO', mensagem: 'Não.' })
    expect([again.status, again.body.codigo]).toEqual([409, 'pedido_ja_respondido'])
  })

  test('an answer to a request adds the person to a profile that has the report, and to no other', async () => {
    const other = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
    const wide = await createProfile([report.idRelatorio, other.idRelatorio])
    const narrow = await createProfile([report.idRelatorio])
    const wrong = await createProfile([other.idRelatorio])
    const { body: asked } = await ask()
    const { body: offered } = await admin.get(`/pedidos-acesso/${asked.idPedido}/perfis`)
    expect(offered.map(({ idPerfil }: { idPerfil: number }) => idPerfil)).toEqual([narrow, wide])
    const refused = await answer(asked.idPedido, { decisao: 'PERFIL', idPerfil: wrong })
    expect([refused.status, Object.keys(refused.body.campos)]).toEqual([422, ['idPerfil']])
    const { status, body } = await answer(asked.idPedido, { decisao: 'PERFIL', idPerfil: narrow })
    expect([status, body.situacao, body.nomePerfil]).toEqual([200, 'PERFIL', expect.any(String)])
    expect(await canOpen()).toBe(true)
    expect((await audits())[0]).toMatchObject({
      acao: 'profile.members-changed',
      objeto: `perfil:${narrow}`,
      detalhes: { entraram: [ana.idUsuario] },
    })
  })

  test('an answer to a request refuses with a message that does not name the report', async () => {
    const { body: asked } = await ask()
    expect((await answer(asked.idPedido, { decisao: 'RECUSADO' })).status).toBe(422)
    await answer(asked.idPedido, { decisao: 'RECUSADO', mensagem: 'Fale com o RH.' })
    expect(await canOpen()).toBe(false)
    const [told] = await bellOf(ana)
    expect(told?.texto).toMatch(
      /^Seu pedido de .* de acesso ao relatório foi recusado\. Resposta: Fale com o RH\.$/,
    )
    const { body } = await own.get('/meus-pedidos-acesso')
    expect(body[0]).toMatchObject({ situacao: 'RECUSADO', mensagem: 'Fale com o RH.', nomeRelatorio: null })
    // The person may ask again.
    expect((await ask()).status).toBe(201)
  })

  test.each([
    ['whose mailbox is not proven', { emailPorProvar: true }],
    ['who was blocked', { situacao: 'BLOQUEADO' }],
    ['whose account has ended', { venceEm: new Date('2026-01-01') }],
  ] as const)('an answer to a request sends no e-mail to a person %s', async (_, change) => {
    const { body: asked } = await ask()
    await app.db.updateTable('usuario').set(change).where('idUsuario', '=', ana.idUsuario).execute()
    expect((await answer(asked.idPedido, { decisao: 'LIBERADO' })).status).toBe(200)
    expect(await mailsOf(app)).toEqual([])
  })

  test('an answer to a request answers the requests for one report under several addresses together', async () => {
    const [first, second] = [await ask(), await ask({ idRelatorio: report.idRelatorio })]
    await answer(first.body.idPedido, { decisao: 'LIBERADO' })
    const { body } = await own.get('/meus-pedidos-acesso')
    expect(body.map(({ situacao }: { situacao: string }) => situacao)).toEqual(['LIBERADO', 'LIBERADO'])
    expect((await answer(second.body.idPedido, { decisao: 'LIBERADO' })).status).toBe(409)
  })

  test('an answer to a request can only refuse what leads to no report, also once a report has that address', async () => {
    const groupId = workspace.idGrupo
    const reportId = randomUUID()
    const { body: asked } = await ask({ reportId })
    await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio, reportId })
    const listed = await admin.get('/pedidos-acesso?situacao=ABERTO')
    expect(listed.body).toMatchObject([{ idRelatorio: null, nomeRelatorio: null, jaTemAcesso: false }])
    const { status, body } = await answer(asked.idPedido, { decisao: 'LIBERADO' })
    expect([status, body.codigo]).toEqual([409, 'relatorio_do_pedido_ausente'])
    expect((await answer(asked.idPedido, { decisao: 'RECUSADO', mensagem: 'Link errado.' })).status).toBe(200)
    expect((await own.post('/usuarios/relatorio/embed', { groupId, reportId })).status).toBe(403)
  })

  test('an answer to a request is given once when two ADMINs answer at once', async () => {
    const { body: asked } = await ask()
    const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const url = `/pedidos-acesso/${asked.idPedido}/resposta`
    const answers = await Promise.all([
      admin.post(url, { decisao: 'LIBERADO' }),
      other.post(url, { decisao: 'RECUSADO', mensagem: 'Não.' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

test('GET /pedidos-acesso lists by state and person, the newest first', async () => {
  const bia = await createUser(app, { nomeUsuario: 'Bia Souza' })
  await createRequest(app, bia, report)
  await ask()
  const namesOf = async (query: string) =>
    (await admin.get(`/pedidos-acesso?${query}`)).body.map((row: { nomeUsuario: string }) => row.nomeUsuario)
  expect(await namesOf('')).toEqual(['Ana Prado', 'Bia Souza'])
  expect(await namesOf('busca=bia')).toEqual(['Bia Souza'])
  expect(await namesOf('ordem=-nomeUsuario')).toEqual(['Bia Souza', 'Ana Prado'])
  expect(await namesOf('situacao=RECUSADO')).toEqual([])
  const { body } = await admin.get('/sistema/atencao')
  expect(body).toContainEqual({
    assunto: 'pedidos',
    frase: '2 pedidos de acesso a relatórios aguardam resposta.',
    rota: '/pedidos-acesso?situacao=ABERTO',
  })
})
