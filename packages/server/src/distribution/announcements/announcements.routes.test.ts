import type { AnnouncementDraft } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { announce, listBanners } from './announcements.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let reader: Awaited<ReturnType<TestApp['as']>>
let person: Awaited<ReturnType<typeof createUser>>
let start: number
beforeEach(async () => {
  start = app.services.now().getTime()
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
  person = await createUser(app)
  reader = await app.as(person)
})

const minute = 60_000
/** An instant by the test's start: the app's clock goes on. */
const after = (minutes: number) => new Date(start + minutes * minute).toISOString()
const draft = (fields: Partial<AnnouncementDraft> = {}) => ({
  titulo: 'Nova versão',
  texto: 'Veja **as novidades**.',
  inicio: after(-60),
  fim: after(60),
  publico: 'TODOS',
  forma: 'FAIXA',
  manutencao: false,
  ...fields,
})
const create = async (fields: Partial<AnnouncementDraft> = {}) => {
  const { status, body } = await admin.post('/avisos', draft(fields))
  expect([status, body]).toEqual([201, expect.objectContaining({ versao: 1 })])
  return body
}
type Session = typeof reader
const bannersOf = async (session: Session = reader): Promise<string[]> =>
  (await session.get('/notificacoes/resumo')).body.avisos.map(({ titulo }: { titulo: string }) => titulo)
const bellOf = async (session: Session = reader) => (await session.get('/notificacoes')).body
const profileOf = async (members: number[]): Promise<number> => {
  const { body } = await admin.post('/perfis', { nomePerfil: `Perfil ${Math.random()}` })
  await admin.put(`/perfis/${body.idPerfil}/membros`, { adicionar: members })
  return body.idPerfil
}

describe('the records of announcements', () => {
  test('announcements are created, listed by start, searched, edited and deleted, with their audit', async () => {
    const first = await create({ titulo: 'Água', inicio: after(-120) })
    expect(first).toEqual({
      ...draft({ titulo: 'Água', inicio: after(-120) }),
      idAviso: expect.any(Number),
      perfis: [],
      lidos: 0,
      destinatarios: 2,
      versao: 1,
    })
    await create({ titulo: 'Banco' })
    const list = await admin.get('/avisos?pagina=1')
    expect(list.body.map(({ titulo }: { titulo: string }) => titulo)).toEqual(['Banco', 'Água'])
    expect((await admin.get('/avisos?busca=agua&pagina=1')).headers['x-total-count']).toBe('1')
    const url = `/avisos/${first.idAviso}`
    const edited = await admin.put(url, draft({ titulo: 'Fogo' }), { 'if-match': '"1"' })
    expect([edited.status, edited.body.titulo, edited.body.versao]).toEqual([200, 'Fogo', 2])
    const stale = await admin.put(url, draft(), { 'if-match': '"1"' })
    expect([stale.status, stale.body.codigo]).toEqual([412, 'versao_antiga'])
    expect(stale.body.detail).toMatch(/^Marina Alves alterou Início e Título em/)
    expect((await admin.del(url)).status).toBe(204)
    expect((await admin.get(url)).status).toBe(404)
    const trail = await admin.get(`/auditoria?objeto=aviso`)
    expect(trail.body.map(({ acao }: { acao: string }) => acao)).toEqual([
      'announcement.deleted',
      'announcement.updated',
      'announcement.created',
      'announcement.created',
    ])
    expect(JSON.stringify(trail.body)).not.toContain('destinatarios')
  })

  test.each([
    [{ fim: 'amanhã' }, { fim: 'Informe dia e hora.' }],
    [
      { inicio: '2026-03-01T10:00:00Z', fim: '2026-03-01T10:00:00Z' },
      { fim: 'O fim precisa ser depois do início.' },
    ],
    [
      { inicio: '2026-03-01T10:00:00Z', fim: '2027-03-03T10:00:00Z' },
      { fim: 'Um aviso dura no máximo um ano.' },
    ],
    [{ publico: 'PERFIS' as const }, { idPerfis: 'Escolha ao menos um perfil.' }],
    [
      { publico: 'PERFIS' as const, idPerfis: [999_999] },
      { idPerfis: 'Um dos perfis não existe mais. Escolha de novo.' },
    ],
    [
      { manutencao: true, publico: 'USUARIOS' as const },
      { publico: 'Um aviso de manutenção aparece na página de entrada: escolha Todos.' },
    ],
    [
      { texto: 'Abra [isto](javascript:alert)' },
      { texto: 'Use só links que começam com https://, sem usuário, senha nem parênteses.' },
    ],
    [{ titulo: ' ' }, { titulo: 'É necessário preencher este campo.' }],
    [
      { inicio: '0000-01-01T00:00:00Z', fim: '0001-01-01T00:00:00Z' },
      { inicio: 'Informe dia e hora.', fim: 'Informe dia e hora.' },
    ],
  ])('announcements are refused with a sentence at the field: %j', async (fields, campos) => {
    const { status, body } = await admin.post('/avisos', draft(fields))
    expect([status, body.campos]).toEqual([422, campos])
  })

  test('announcements count who of the active audience has read them, in one list', async () => {
    const other = await createUser(app)
    await createUser(app, { situacao: 'BLOQUEADO' })
    const idPerfil = await profileOf([person.idUsuario, other.idUsuario])
    const forAll = await create({ titulo: 'Todos' })
    const forProfile = await create({ titulo: 'Perfil', publico: 'PERFIS', idPerfis: [idPerfil] })
    await create({ titulo: 'Só ADMIN', publico: 'ADMINISTRADORES' })
    expect(forProfile.perfis).toEqual([{ idPerfil, nomePerfil: expect.stringMatching(/^Perfil/) }])
    for (const { idAviso } of [forAll, forProfile, forProfile])
      expect((await reader.post(`/meus-avisos/${idAviso}/leitura`)).status).toBe(204)
    const { body } = await admin.get('/avisos?ordem=titulo')
    expect(
      body.map(({ titulo, lidos, destinatarios }: Record<string, unknown>) => [titulo, lidos, destinatarios]),
    ).toEqual([
      ['Perfil', 1, 2],
      ['Só ADMIN', 0, 1],
      ['Todos', 1, 3],
    ])
  })
})

describe('a banner', () => {
  test('a banner is shown from its start until just before its end, to its audience', async () => {
    const member = await createUser(app)
    const idPerfil = await profileOf([member.idUsuario])
    await create({ titulo: 'Começa agora', inicio: after(0) })
    await create({ titulo: 'Ainda não', inicio: after(10) })
    await create({ titulo: 'Termina agora', fim: after(0) })
    await create({ titulo: 'ADMIN', publico: 'ADMINISTRADORES', inicio: after(-10) })
    await create({ titulo: 'USER', publico: 'USUARIOS', inicio: after(-20) })
    await create({ titulo: 'Perfil', publico: 'PERFIS', idPerfis: [idPerfil], inicio: after(-30) })
    await create({ titulo: 'Manutenção', manutencao: true, inicio: after(-40) })
    expect(await bannersOf()).toEqual(['Manutenção', 'Começa agora', 'USER'])
    expect(await bannersOf(admin)).toEqual(['Manutenção', 'Começa agora', 'ADMIN'])
    const own = await app.as(member)
    expect(await bannersOf(own)).toEqual(['Manutenção', 'Começa agora', 'USER', 'Perfil'])
    await admin.put(`/perfis/${idPerfil}/membros`, { remover: [member.idUsuario] })
    expect(await bannersOf(own)).toEqual(['Manutenção', 'Começa agora', 'USER'])
  })

  test('a banner is shown at the instant of its start, and no more at that of its end', async () => {
    const { inicio, fim } = await create({ inicio: after(10), fim: after(20) })
    const at = async (instant: string, plusMs: number) => {
      const now = new Date(Date.parse(instant) + plusMs)
      return (await listBanners(app.db, person.idUsuario, now)).length
    }
    expect([await at(inicio, -1), await at(inicio, 0), await at(fim, -1), await at(fim, 0)]).toEqual([
      0, 1, 1, 0,
    ])
  })

  test('a banner is dismissed once for one person, and stays dismissed after an edit', async () => {
    const { idAviso } = await create()
    const url = `/meus-avisos/${idAviso}/leitura`
    const version = () =>
      app.db.selectFrom('usuario').select('versaoNotificacoes').where('idUsuario', '=', person.idUsuario)
    const before = (await version().executeTakeFirstOrThrow()).versaoNotificacoes
    const answers = await Promise.all([reader.post(url), reader.post(url)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect((await version().executeTakeFirstOrThrow()).versaoNotificacoes).toBeGreaterThan(before)
    expect(await app.db.selectFrom('avisoPessoa').selectAll().execute()).toHaveLength(1)
    expect([await bannersOf(), await bannersOf(admin)]).toEqual([[], ['Nova versão']])
    await admin.put(`/avisos/${idAviso}`, draft({ titulo: 'Outro' }))
    expect([await bannersOf(), await bannersOf(admin)]).toEqual([[], ['Outro']])
  })

  test('a banner cannot be read or dismissed outside its audience and its period', async () => {
    for (const fields of [
      { publico: 'ADMINISTRADORES' as const },
      { fim: after(-1) },
      { inicio: after(1) },
    ]) {
      const { idAviso } = await create(fields)
      expect((await reader.get(`/meus-avisos/${idAviso}`)).status).toBe(404)
      expect((await reader.post(`/meus-avisos/${idAviso}/leitura`)).status).toBe(404)
    }
    expect((await reader.post('/meus-avisos/999999/leitura')).status).toBe(404)
    expect(await app.db.selectFrom('avisoPessoa').selectAll().execute()).toEqual([])
  })

  test('a banner is text on the wire, whatever it contains', async () => {
    const texto = '<script>alert(1)</script> & <b>x</b>'
    const { idAviso } = await create({ texto })
    expect((await reader.get(`/meus-avisos/${idAviso}`)).body).toEqual({
      idAviso,
      texto,
      titulo: 'Nova versão',
      manutencao: false,
      inicio: after(-60),
      fim: after(60),
    })
  })

  test('a banner tells open windows when it is written, begins and is deleted', async () => {
    const versionOf = async () => {
      const row = app.db.selectFrom('usuario').select('versaoNotificacoes')
      return (await row.where('idUsuario', '=', person.idUsuario).executeTakeFirstOrThrow())
        .versaoNotificacoes
    }
    const versions = [await versionOf()]
    await create()
    versions.push(await versionOf())
    const { idAviso } = await create({ inicio: after(10) })
    expect(await versionOf()).toBe(versions.at(-1))
    const begun = new Date(after(11))
    await announce(app.db, begun)
    versions.push(await versionOf())
    await announce(app.db, begun)
    expect(await versionOf()).toBe(versions.at(-1))
    await admin.del(`/avisos/${idAviso}`)
    versions.push(await versionOf())
    expect(versions.every((version, index) => index === 0 || version > (versions[index - 1] ?? 0))).toBe(true)
  })
})

describe('an announcement of the bell', () => {
  test('an announcement of the bell notifies each person of its audience once, also those who join later', async () => {
    const late = await createUser(app)
    const idPerfil = await profileOf([person.idUsuario])
    const { idAviso } = await create({ forma: 'SINO', publico: 'PERFIS', idPerfis: [idPerfil] })
    expect(await bellOf()).toEqual([
      {
        idNotificacao: expect.any(Number),
        tipo: 'aviso',
        titulo: 'Nova versão',
        lidaEm: null,
        texto: 'Veja as novidades.',
        rota: `/aviso/${idAviso}`,
        criadaEm: expect.any(String),
      },
    ])
    expect(await bannersOf()).toEqual([])
    expect(await bellOf(admin)).toEqual([])
    await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [late.idUsuario] })
    for (const _ of [1, 2]) await announce(app.db, app.services.now())
    expect(await bellOf()).toHaveLength(1)
    expect(
      (await bellOf(await app.as(late))).filter(({ tipo }: { tipo: string }) => tipo === 'aviso'),
    ).toHaveLength(1)
  })

  test('an announcement of the bell does not ring for the person who writes or edits it, who finds it in the list and on its page', async () => {
    const { idAviso } = await create({ forma: 'SINO', inicio: after(5) })
    const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await announce(app.db, new Date(after(5)))
    expect([await bellOf(admin), (await bellOf(other)).length, (await bellOf()).length]).toEqual([[], 1, 1])
    app.clock.offsetMs += 6 * minute
    expect((await admin.get(`/meus-avisos/${idAviso}`)).body.titulo).toBe('Nova versão')
    const { lidos, destinatarios } = (await admin.get(`/avisos/${idAviso}`)).body
    expect([lidos, destinatarios]).toEqual([1, 3])
    await other.put(`/avisos/${idAviso}`, draft({ forma: 'SINO', texto: 'Outro' }))
    const unread = async (session?: Session) =>
      (await bellOf(session)).filter(({ lidaEm }: { lidaEm: string | null }) => lidaEm === null).length
    expect([await unread(admin), await unread(other), await unread()]).toEqual([0, 0, 1])
  })

  test('an announcement of the bell is shown to all, its writer too, when it becomes a banner', async () => {
    const { idAviso } = await create({ forma: 'SINO' })
    await announce(app.db, app.services.now())
    await reader.post(`/meus-avisos/${idAviso}/leitura`)
    await admin.put(`/avisos/${idAviso}`, draft({ forma: 'FAIXA' }))
    expect([await bannersOf(admin), await bannersOf()]).toEqual([['Nova versão'], ['Nova versão']])
    expect((await bellOf()).filter(({ lidaEm }: { lidaEm: string | null }) => lidaEm === null)).toEqual([])
  })

  test('an announcement of the bell waits for its start, and leaves the bell of those who have not read it at its end', async () => {
    const second = await app.as(await createUser(app))
    await create({ forma: 'SINO', inicio: after(5), fim: after(9) })
    await announce(app.db, new Date(after(4)))
    expect(await bellOf()).toEqual([])
    await announce(app.db, new Date(after(5)))
    expect(await bellOf()).toHaveLength(1)
    await second.post('/notificacoes/lidas')
    await announce(app.db, new Date(after(8)))
    expect(await bellOf()).toHaveLength(1)
    await announce(app.db, new Date(after(9)))
    expect([await bellOf(), (await bellOf(second)).length]).toEqual([[], 1])
  })

  test('an announcement of the bell counts as read in the bell and on its page, and leaves the bell when it is deleted', async () => {
    const { idAviso } = await create({ forma: 'SINO', publico: 'USUARIOS' })
    const second = await app.as(await createUser(app))
    const third = await app.as(await createUser(app))
    const counts = async () => {
      const { lidos, destinatarios } = (await admin.get(`/avisos/${idAviso}`)).body
      return [lidos, destinatarios]
    }
    await announce(app.db, app.services.now())
    expect(await counts()).toEqual([0, 3])
    expect((await reader.post('/notificacoes/lidas')).body).toEqual({ naoLidas: 0 })
    expect(await counts()).toEqual([1, 3])
    await second.post(`/meus-avisos/${idAviso}/leitura`)
    expect(await counts()).toEqual([2, 3])
    expect((await second.get('/notificacoes/resumo')).body.naoLidas).toBe(0)
    await admin.put(`/avisos/${idAviso}`, draft({ forma: 'SINO', publico: 'USUARIOS', texto: 'Outro' }))
    expect((await bellOf(third)).map(({ texto }: { texto: string }) => texto)).toEqual(['Outro'])
    expect(await bellOf()).toHaveLength(1)
    await admin.del(`/avisos/${idAviso}`)
    expect(await bellOf(third)).toEqual([])
  })
})

test('the sign-in page gets title and text of current maintenance, and nothing else', async () => {
  const published = async () => (await app.anonymous.get('/portal')).body.avisos
  await create({ titulo: 'Faixa' })
  await create({ titulo: 'Depois', manutencao: true, inicio: after(30) })
  const { idAviso } = await create({ titulo: 'Parada', texto: 'Das 22h às 23h', manutencao: true })
  await expect.poll(published).toEqual([{ titulo: 'Parada', texto: 'Das 22h às 23h' }])
  await admin.del(`/avisos/${idAviso}`)
  await expect.poll(published).toEqual([])
})
