import {
  COMMENT_LENGTH,
  COMMENTS_IN_TEN_MINUTES,
  commentsApi,
  MAX_MENTIONS,
  MAX_REPLIES,
} from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { createComment } from '../../../test/reports/comments.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
type Person = Awaited<ReturnType<typeof createUser>>
type Session = Awaited<ReturnType<TestApp['as']>>

let idRelatorio: number
let address: string
let ana: Person
let bia: Person
let asAna: Session
let asBia: Session
let asAdmin: Session

beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  idRelatorio = (await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos' })).idRelatorio
  address = `/usuarios/relatorio/${idRelatorio}/comentarios`
  ana = await createUser(app, { nomeUsuario: 'Ana Souza' })
  bia = await createUser(app, { nomeUsuario: 'Bia Lima' })
  for (const { idUsuario } of [ana, bia]) await grantReport(app, idUsuario, idRelatorio)
  ;[asAna, asBia] = [await app.as(ana), await app.as(bia)]
  asAdmin = await app.as(await createUser(app, { nomeUsuario: 'Rita', tipoUsuario: 'ADMIN' }))
})

const state = {
  pagina: 'p2',
  tituloPagina: 'Custos por mês',
  filtros: { operadora: 'CNU', sexo: '' },
  marcador: 'eyJhIjoxfQ==',
  temSelecoes: true,
}
const begin = async (texto = 'Olá', session = asAna): Promise<number> => {
  const { status, body } = await session.post(address, { texto, estado: state })
  expect(status).toBe(201)
  return body.idComentario
}
const reply = async (idConversa: number, texto = 'Resposta', session = asBia): Promise<number> => {
  const { status, body } = await session.post(address, { texto, idConversa })
  expect(status).toBe(201)
  return body.idComentario
}
const textsOf = async (query = '', session = asAna): Promise<string[]> =>
  (await session.get(`${address}${query}`)).body.map(({ texto }: { texto: string }) => texto)
const setReport = (fields: object) =>
  app.db.updateTable('relatorio').set(fields).where('idRelatorio', '=', idRelatorio).execute()

describe('a thread', () => {
  test('a thread is listed newest first with its state, its replies and who wrote them', async () => {
    const first = await begin('Primeiro\r\ncom duas linhas')
    const second = await begin('Segundo', asBia)
    await reply(first, 'Concordo')
    const { status, body, headers } = await asAna.get(address)
    expect([status, headers['x-total-count']]).toEqual([200, '2'])
    expect(body.map(({ idComentario }: { idComentario: number }) => idComentario)).toEqual([second, first])
    const { marcador: _, ...visto } = state
    expect(body[1]).toEqual({
      idComentario: first,
      idConversa: null,
      autor: 'Ana Souza',
      proprio: true,
      texto: 'Primeiro\ncom duas linhas',
      mencoes: [],
      criadoEm: expect.stringMatching(/Z$/),
      editadoEm: null,
      excluido: false,
      respostas: 1,
      resolvidoEm: null,
      resolvidoPor: null,
      visto: { ...visto, temFiltros: true },
    })
    expect(body[0]).toMatchObject({ proprio: false, autor: 'Bia Lima' })
    const replies = await asAna.get(`${address}/${first}/respostas`)
    expect(replies.body).toMatchObject([{ texto: 'Concordo', autor: 'Bia Lima', idConversa: first }])
    expect((await asAna.get(`${address}/${first}/estado`)).body).toEqual({
      pagina: 'p2',
      filtros: state.filtros,
      marcador: state.marcador,
      completo: true,
    })
  })

  test('a thread is found by page, and 20 come at once', async () => {
    for (let n = 1; n <= 21; n += 1)
      await createComment(app, { idRelatorio, idUsuario: ana.idUsuario, texto: `${n}`, pagina: 'p1' })
    await createComment(app, { idRelatorio, idUsuario: ana.idUsuario, texto: 'outra', pagina: 'p2' })
    expect(await textsOf('?paginaRelatorio=p2')).toEqual(['outra'])
    const { body, headers } = await asAna.get(`${address}?paginaRelatorio=p1`)
    expect([body.length, headers['x-total-count']]).toEqual([20, '21'])
    expect(await textsOf('?paginaRelatorio=p1&pagina=2')).toEqual(['1'])
  })

  test('a thread is resolved and reopened by any reader, and reopened by a reply', async () => {
    const id = await begin('Aberta')
    const resolved = await asBia.put(`${address}/${id}/situacao`, { resolvido: true })
    expect(resolved.body).toMatchObject({ resolvidoPor: 'Bia Lima', resolvidoEm: expect.any(String) })
    expect([await textsOf(), await textsOf('?situacao=resolvidos')]).toEqual([[], ['Aberta']])
    expect(await textsOf('?situacao=todos')).toEqual(['Aberta'])
    await asAna.put(`${address}/${id}/situacao`, { resolvido: false })
    expect(await textsOf()).toEqual(['Aberta'])
    await asAna.put(`${address}/${id}/situacao`, { resolvido: true })
    const answer = await reply(id)
    expect(await textsOf()).toEqual(['Aberta'])
    expect((await asAna.put(`${address}/${answer}/situacao`, { resolvido: true })).status).toBe(404)
  })

  test('a thread counts in the call that reads the data time, until it is resolved', async () => {
    const open = async () =>
      (await asAna.get(`/usuarios/relatorio/${idRelatorio}/dados`)).body.comentariosAbertos
    expect(await open()).toBe(0)
    const id = await begin()
    await reply(id)
    expect(await open()).toBe(1)
    await setReport({ comentarios: false })
    expect(await open()).toBe(0)
    await setReport({ comentarios: true })
    await asAna.put(`${address}/${id}/situacao`, { resolvido: true })
    expect(await open()).toBe(0)
  })

  test('a thread takes replies up to its limit, and only in its own report', async () => {
    const id = await begin()
    const { idUsuario } = ana
    for (let n = 0; n < MAX_REPLIES; n += 1)
      await createComment(app, { idRelatorio, idUsuario, idConversa: id, filtros: null })
    const { status, body } = await asBia.post(address, { texto: 'Mais uma', idConversa: id })
    expect([status, body.codigo]).toEqual([409, 'respostas_demais'])
    const { idGrupoRelatorio } = await app.db
      .selectFrom('relatorio')
      .select('idGrupoRelatorio')
      .executeTakeFirstOrThrow()
    const other = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, bia.idUsuario, other.idRelatorio)
    const elsewhere = `/usuarios/relatorio/${other.idRelatorio}/comentarios`
    expect((await asBia.post(elsewhere, { texto: 'Oi', idConversa: id })).status).toBe(404)
    for (const path of [`/${id}`, `/${id}/respostas`, `/${id}/estado`])
      expect((await asBia.get(elsewhere + path)).status).toBe(404)
  })
})

describe('a comment', () => {
  test('a comment is edited by its writer only, and says so', async () => {
    const id = await begin('Antes')
    expect((await asBia.put(`${address}/${id}`, { texto: 'Outra' })).status).toBe(403)
    expect((await asAdmin.put(`${address}/${id}`, { texto: 'Outra' })).status).toBe(403)
    const { body } = await asAna.put(`${address}/${id}`, { texto: 'Depois' })
    expect(body).toMatchObject({ texto: 'Depois', editadoEm: expect.stringMatching(/Z$/) })
  })

  test('a comment is deleted by its writer or an ADMIN, and leaves a mark only while it has replies', async () => {
    const id = await begin('Some')
    expect((await asBia.del(`${address}/${id}`)).status).toBe(403)
    const answer = await reply(id)
    expect((await asAdmin.del(`${address}/${id}`)).status).toBe(204)
    const { body } = await asAna.get(address)
    expect(body).toMatchObject([{ texto: '', autor: null, excluido: true, respostas: 1, visto: null }])
    expect((await asAna.put(`${address}/${id}`, { texto: 'Volta' })).body.codigo).toBe('comentario_excluido')
    expect((await asAna.del(`${address}/${id}`)).body.codigo).toBe('comentario_excluido')
    expect((await asAna.get(`${address}/${id}/estado`)).status).toBe(404)
    expect((await asBia.del(`${address}/${answer}`)).status).toBe(204)
    expect(await app.db.selectFrom('comentario').select('idComentario').execute()).toEqual([])
    const alone = await begin('Sozinho')
    await asAna.del(`${address}/${alone}`)
    expect(await textsOf('?situacao=todos')).toEqual([])
  })

  test('a comment stays as of nobody when its writer is deleted, and goes with its report', async () => {
    const id = await begin(`Fala, @{${bia.idUsuario}}`)
    await asAdmin.put(`${address}/${id}/situacao`, { resolvido: true })
    expect((await asAdmin.del(`/usuarios/${ana.idUsuario}`)).status).toBe(204)
    const { body } = await asBia.get(`${address}?situacao=todos`)
    expect(body).toMatchObject([{ autor: null, proprio: false, mencoes: [{ nome: 'Bia Lima' }] }])
    await asAdmin.del(`/usuarios/${bia.idUsuario}`)
    expect((await asAdmin.get(`${address}?situacao=todos`)).body[0].mencoes).toEqual([])
    await asAdmin.del(`/usuarios/relatorio/${idRelatorio}`)
    expect(await app.db.selectFrom('comentario').select('idComentario').execute()).toEqual([])
  })

  test.each([
    ['texto', { texto: '  ' }],
    ['texto', { texto: '\u200b \u2800' }],
    ['texto', { texto: 'x'.repeat(COMMENT_LENGTH + 1) }],
    ['texto', { texto: 'a\u0000b' }],
    ['texto', { texto: Array.from({ length: MAX_MENTIONS + 1 }, (_, n) => `@{${n + 1}}`).join(' ') }],
    ['estado.pagina', { texto: 'a', estado: { ...state, pagina: '../x' } }],
    ['estado.filtros.segredo', { texto: 'a', estado: { ...state, filtros: { segredo: 'x' } } }],
    ['estado.marcador', { texto: 'a', estado: { ...state, marcador: 'x'.repeat(40_000) } }],
  ])('a comment is refused when it is wrong at %s', async (field, body) => {
    const answer = await asAna.post(address, body)
    expect([answer.status, Object.keys(answer.body.campos)]).toEqual([422, [field]])
  })

  test('a comment is limited in number, also when the earlier ones were deleted', async () => {
    for (let n = 0; n < COMMENTS_IN_TEN_MINUTES / 2; n += 1) {
      const id = await begin()
      await asAna.put(`${address}/${id}`, { texto: 'Editado' })
      await asAna.del(`${address}/${id}`)
    }
    const refused = await asAna.post(address, { texto: 'Mais um' })
    expect([refused.status, refused.body.codigo]).toEqual([429, 'comentarios_demais'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    await begin('De outra pessoa', asBia)
    app.clock.offsetMs = 10 * 60_000
    await begin()
  })

  test('a comment is audited without its text', async () => {
    const id = await begin(`Segredo @{${bia.idUsuario}}`)
    await asAna.put(`${address}/${id}`, { texto: 'Segredo maior' })
    await asBia.put(`${address}/${id}/situacao`, { resolvido: true })
    await asBia.put(`${address}/${id}/situacao`, { resolvido: false })
    await asAdmin.del(`${address}/${id}`)
    const rows = await app.db
      .selectFrom('auditoria')
      .select(['acao', 'objeto', 'detalhes'])
      .where('acao', 'like', 'comment%')
      .orderBy('idAuditoria')
      .execute()
    const about = { idComentario: id, idConversa: id }
    const objeto = `relatorio:${idRelatorio}`
    expect(rows).toEqual([
      { acao: 'comment.created', objeto, detalhes: { ...about, mencoes: 1 } },
      { acao: 'comment.edited', objeto, detalhes: { ...about, mencoes: 0 } },
      { acao: 'comment.resolved', objeto, detalhes: { idComentario: id } },
      { acao: 'comment.reopened', objeto, detalhes: { idComentario: id } },
      {
        acao: 'comment.deleted',
        objeto,
        detalhes: { ...about, deOutraPessoa: true, idUsuario: ana.idUsuario },
      },
    ])
  })
})

describe('the state of a comment', () => {
  const seenBy = async (session: Session) => {
    const [thread] = (await session.get(address)).body
    const shown = (await session.get(`${address}/${thread.idComentario}/estado`)).body
    return { ...thread.visto, completo: shown.completo, marcador: shown.marcador, aplica: shown.filtros }
  }
  const whole = { filtros: state.filtros, completo: true, marcador: state.marcador, aplica: state.filtros }
  const withheld = { filtros: null, temFiltros: true, completo: false, marcador: null, aplica: {} }

  test('the state of a comment is shown to all readers of a report without an identity', async () => {
    await begin()
    expect(await seenBy(asBia)).toMatchObject(whole)
  })

  test('the state of a comment is withheld from a reader with another identity, and from all after the roles change', async () => {
    await setReport({ papeisRls: ['Filial', 'Regional'] })
    await begin()
    expect(await seenBy(asAna)).toMatchObject(whole)
    expect(await seenBy(asBia)).toMatchObject(withheld)
    await setReport({ papeisRls: ['Regional', 'Filial'] })
    expect(await seenBy(asAna)).toMatchObject(whole)
    await setReport({ papeisRls: ['Filial'] })
    expect(await seenBy(asAna)).toMatchObject(withheld)
    await setReport({ papeisRls: [] })
    expect(await seenBy(asBia)).toMatchObject(whole)
  })

  test('the state of a comment is withheld when the report begins to send an identity, also from the writer', async () => {
    await begin()
    await setReport({ enviaIdentidade: true })
    expect(await seenBy(asAna)).toMatchObject(withheld)
  })

  test('the state of a comment is shown to a reader whom the report gives the same identity', async () => {
    await setReport({ papeisRls: ['Filial'], usuarioIdentidade: 'conta-comum' })
    await begin()
    expect(await seenBy(asBia)).toMatchObject(whole)
    await app.db
      .updateTable('usuario')
      .set({ identidadeRls: 'Sul' })
      .where('idUsuario', '=', bia.idUsuario)
      .execute()
    expect(await seenBy(asBia)).toMatchObject(withheld)
  })

  test('the state of a comment is refused with the comments to a reader whose e-mail could be another person’s', async () => {
    await setReport({ papeisRls: ['Filial'] })
    const id = await begin()
    const { idUsuario } = await createUser(app, { emailPorProvar: true })
    await grantReport(app, idUsuario, idRelatorio)
    await app.db
      .updateTable('usuario')
      .set({ emailPorProvar: true })
      .where('idUsuario', '=', bia.idUsuario)
      .execute()
    const refused = await asBia.get(address)
    expect([refused.status, refused.body.codigo]).toEqual([403, 'identidade_nao_confirmada'])
    expect((await asBia.get(`/comentarios/${id}`)).status).toBe(404)
    const { body } = await asAna.get(`${address}/pessoas`)
    expect(body.map(({ nome }: { nome: string }) => nome)).toEqual(['Rita'])
  })
})

describe('access', () => {
  test('access ends all calls about the comments at once, and without saying whether they exist', async () => {
    const id = await begin()
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    for (const { status, body } of [
      await asBia.get(address),
      await asBia.post(address, { texto: 'Oi' }),
      await asBia.get(`${address}/pessoas`),
      await asBia.get(`${address}/${id}`),
      await asBia.get(`${address}/${id + 100}`),
      await asBia.get(`${address}/${id}/respostas`),
      await asBia.get(`${address}/${id}/estado`),
      await asBia.put(`${address}/${id}`, { texto: 'Oi' }),
      await asBia.put(`${address}/${id}/situacao`, { resolvido: true }),
      await asBia.del(`${address}/${id}`),
    ])
      expect([status, body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
    for (const one of [id, id + 100]) expect((await asBia.get(`/comentarios/${one}`)).status).toBe(404)
  })

  test('access ends where an ADMIN switches comments off, for a report or for all', async () => {
    const id = await begin()
    const refused = async () => {
      const { status, body } = await asAna.get(address)
      expect((await asAna.get(`/comentarios/${id}`)).status).toBe(status === 200 ? 200 : 404)
      return [status, body.codigo]
    }
    const off = [403, 'comentarios_desligados']
    expect(await refused()).toEqual([200, undefined])
    const { body: record } = await asAdmin.get(`/usuarios/relatorio/${idRelatorio}`)
    expect(record.comentarios).toBe(true)
    await asAdmin.put(`/usuarios/relatorio/${idRelatorio}`, { ...record, comentarios: false })
    expect(await refused()).toEqual(off)
    await setReport({ comentarios: true })
    expect((await asAdmin.put('/configuracao/comentarios', { comentarios: false })).body).toEqual({
      comentarios: false,
    })
    expect(await refused()).toEqual(off)
    expect((await asAdmin.get('/configuracao/comentarios')).body).toEqual({ comentarios: false })
    expect((await asAna.put('/configuracao/comentarios', { comentarios: true })).status).toBe(403)
    const audit = app.db.selectFrom('auditoria').select('detalhes').where('acao', '=', 'comments.switched')
    expect(await audit.execute()).toEqual([{ detalhes: { comentarios: false } }])
  })

  test('access to medical records brings no comments: no call and no row of a comment names one', async () => {
    const clinical = /prontuario|anexo|beneficiario|dependente/
    const own = endpoints.filter(({ url }) => url.includes('comentario'))
    expect(own.length).toBe(Object.keys(commentsApi).length)
    expect(own.filter(({ url }) => clinical.test(url))).toEqual([])
    expect(new Set(own.map(({ permission }) => permission))).toEqual(
      new Set(['reports:view', 'settings:manage']),
    )
    const tables = await app.db.introspection.getTables()
    const columns = tables.find(({ name }) => name === 'comentario')?.columns.map(({ name }) => name) ?? []
    expect(columns).toContain('texto')
    expect(columns.filter((name) => clinical.test(name))).toEqual([])
  })
})
