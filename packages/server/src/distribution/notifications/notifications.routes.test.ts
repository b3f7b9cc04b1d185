import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { dropNotifications } from '../../platform/notifications/drop-notifications.ts'
import { type Notice, notify } from '../../platform/notifications/notify.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  ...provider.settings,
  BI_TIMEOUT_SECONDS: '1',
}))
beforeEach(async () => {
  provider.restore()
  person = await createUser(app)
  own = await app.as(person)
})
let person: Awaited<ReturnType<typeof createUser>>
let own: Awaited<ReturnType<TestApp['as']>>

interface Told extends Partial<Pick<Notice, 'kind' | 'subject'>> {
  texto?: string
}
const tell = (idUsuario: number, { texto = 'Texto', ...fields }: Told = {}) => {
  const bell = { titulo: 'Título', texto, rota: '/meus-acessos' }
  const notice = { audience: [idUsuario], kind: 'senha_alterada', bell } as const
  return notify(app.db, { ...notice, ...fields }, app.services.now())
}
const textsOf = async (session = own) =>
  (await session.get('/notificacoes')).body.map(({ texto }: { texto: string }) => texto)
const unreadOf = async (session = own) => (await session.get('/notificacoes/resumo')).body.naoLidas
const versionOf = async (idUsuario = person.idUsuario) => {
  const row = await app.db
    .selectFrom('usuario')
    .select(['versaoNotificacoes', 'versaoAcesso'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  return row
}

describe('GET /notificacoes', () => {
  test('GET /notificacoes shows a kind that only a newer version knows, as it would an announcement', async () => {
    await tell(person.idUsuario, { kind: 'de_uma_versao_futura' as Notice['kind'] })
    expect((await own.get('/notificacoes')).body).toMatchObject([{ tipo: 'aviso', texto: 'Texto' }])
  })

  test("GET /notificacoes returns the user's own, newest first, in pages, all or unread ones", async () => {
    const other = await createUser(app)
    for (const n of [1, 2, 3, 4, 5, 6]) await tell(person.idUsuario, { texto: `${n}` })
    await tell(other.idUsuario, { texto: 'de outra pessoa' })
    const page = await own.get('/notificacoes?pagina=1&tamanho=4')
    expect(page.status).toBe(200)
    expect(page.body.map(({ texto }: { texto: string }) => texto)).toEqual(['6', '5', '4', '3'])
    expect(page.headers['x-total-count']).toBe('6')
    expect(page.headers.link).toContain('pagina=2')
    expect(page.body[0]).toEqual({
      tipo: 'senha_alterada',
      titulo: 'Título',
      rota: '/meus-acessos',
      texto: '6',
      idNotificacao: expect.any(Number),
      criadaEm: expect.stringMatching(/^\d{4}-.*Z$/),
      lidaEm: null,
    })
    const [first, second] = page.body
    await own.post('/notificacoes/lidas', { ids: [first.idNotificacao, second.idNotificacao] })
    const unread = await own.get('/notificacoes?naoLidas=true&pagina=1&tamanho=10')
    expect(unread.body.map(({ texto }: { texto: string }) => texto)).toEqual(['4', '3', '2', '1'])
    expect((await own.get('/notificacoes?naoLidas=false')).body).toHaveLength(2)
    expect((await own.get('/notificacoes?naoLidas=talvez')).status).toBe(422)
  })

  test("POST /notificacoes/lidas marks some or all as read, never another user's, and returns the unread count", async () => {
    const other = await createUser(app)
    for (const texto of ['1', '2', '3']) await tell(person.idUsuario, { texto })
    await tell(other.idUsuario)
    const theirs = await app.as(other)
    const [{ idNotificacao: mine }] = (await own.get('/notificacoes')).body
    const [{ idNotificacao: notMine }] = (await theirs.get('/notificacoes')).body
    const before = await versionOf()
    const some = await own.post('/notificacoes/lidas', { ids: [mine, notMine, 999_999] })
    expect([some.status, some.body]).toEqual([200, { naoLidas: 2 }])
    expect(await unreadOf(theirs)).toBe(1)
    const after = await versionOf()
    expect(after).toEqual({ ...before, versaoNotificacoes: before.versaoNotificacoes + 1 })
    // Nothing to mark, so the other windows need no event.
    await own.post('/notificacoes/lidas', { ids: [mine] })
    expect(await versionOf()).toEqual(after)
    expect((await own.post('/notificacoes/lidas', { ids: [] })).body).toEqual({ naoLidas: 2 })
    expect((await own.post('/notificacoes/lidas')).body).toEqual({ naoLidas: 0 })
    expect(await unreadOf(theirs)).toBe(1)
  })

  test('a subject is not repeated while it is unread', async () => {
    const subject = 'powerbi:7'
    await tell(person.idUsuario, { subject })
    await tell(person.idUsuario, { subject })
    expect(await unreadOf()).toBe(1)
    await own.post('/notificacoes/lidas')
    await tell(person.idUsuario, { subject })
    expect(await textsOf()).toHaveLength(2)
  })

  test('the same words are not repeated within a minute while they are unread', async () => {
    const { idUsuario } = await createUser(app)
    const say = (texto: string, seconds: number) =>
      notify(
        app.db,
        { audience: [idUsuario], kind: 'senha_alterada', bell: { titulo: 'Aviso', texto } },
        new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)),
      )
    const count = async () =>
      (await app.db.selectFrom('notificacao').select('texto').where('idUsuario', '=', idUsuario).execute())
        .length
    await say('Um', 0)
    await say('Um', 30)
    expect(await count()).toBe(1)
    await say('Dois', 30)
    expect(await count()).toBe(2)
    await say('Um', 61)
    expect(await count()).toBe(3)
    await app.db.updateTable('notificacao').set({ lidaEm: app.services.now() }).execute()
    await say('Dois', 62)
    expect(await count()).toBe(4)
  })

  test('GET /notificacoes read notifications are deleted after 90 days, all after a year', async () => {
    await tell(person.idUsuario, { texto: 'lida' })
    await own.post('/notificacoes/lidas')
    await tell(person.idUsuario, { texto: 'não lida' })
    const textsAfter = async (days: number) => {
      await dropNotifications(app.db, new Date(app.services.now().getTime() + days * 24 * 3_600_000))
      return textsOf()
    }
    expect(await textsAfter(89)).toEqual(['não lida', 'lida'])
    expect(await textsAfter(91)).toEqual(['não lida'])
    expect(await textsAfter(364)).toEqual(['não lida'])
    expect(await textsAfter(366)).toEqual([])
  })
})

describe('a change of access to health data', () => {
  test('a change of access to health data notifies the user, every other ADMIN and every officer, once each, when granted and when removed', async () => {
    const admin = await app.as(await createUser(app, { nomeUsuario: 'Rita Admin', tipoUsuario: 'ADMIN' }))
    const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const officer = await app.as(await createUser(app, { encarregadoDados: true }))
    const gone = await createUser(app, { encarregadoDados: true, situacao: 'BLOQUEADO' })
    const save = async (changes: object) => {
      const { body } = await admin.get(`/usuarios/${person.idUsuario}`)
      const saved = await admin.put(`/usuarios/${person.idUsuario}`, { ...body, ...changes })
      expect(saved.status).toBe(200)
    }
    await save({ acessoProntuario: true })
    await save({ nomeUsuario: 'Pessoa Renomeada' })
    await save({ acessoProntuario: false, encarregadoDados: true })
    await save({ encarregadoDados: false })
    expect(await textsOf()).toEqual([
      'Rita Admin retirou de você a função de encarregado de dados.',
      'Rita Admin deu a você a função de encarregado de dados.',
      'Rita Admin retirou de você o acesso a prontuários.',
      'Rita Admin deu a você o acesso a prontuários.',
    ])
    expect(await textsOf(admin)).toEqual([])
    for (const guardian of [officer, other]) {
      expect(await textsOf(guardian)).toEqual([
        'Rita Admin retirou de Pessoa Renomeada a função de encarregado de dados.',
        'Rita Admin deu a Pessoa Renomeada a função de encarregado de dados.',
        'Rita Admin retirou de Pessoa Renomeada o acesso a prontuários.',
        `Rita Admin deu a ${person.nomeUsuario} o acesso a prontuários.`,
      ])
    }
    const { body: told } = await own.get('/notificacoes')
    expect(new Set(told.map(({ tipo }: { tipo: string }) => tipo))).toEqual(
      new Set(['acesso_saude_alterado']),
    )
    const rows = app.db.selectFrom('notificacao').select('titulo').where('idUsuario', '=', gone.idUsuario)
    expect(await rows.execute()).toEqual([])
  })
})

describe('a new permission', () => {
  let admin: Awaited<ReturnType<TestApp['as']>>
  let idGrupoRelatorio: number
  const publish = async (...names: string[]) => {
    const ids: number[] = []
    for (const nomeRelatorio of names) {
      ids.push((await createReport(app, { idGrupoRelatorio, nomeRelatorio })).idRelatorio)
    }
    return ids
  }
  beforeEach(async () => {
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { idPowerBi } = await createConnection(app)
    idGrupoRelatorio = (await createWorkspace(app, { idPowerBi })).idGrupoRelatorio
  })
  const grant = (idUsuario: number, idRelatorios: number[]) =>
    admin.put(`/usuarios/relatorio-usuario/${idUsuario}`, { idRelatorios })

  test('a new permission notifies the user once per save, with up to three report names', async () => {
    const ids = await publish('Água', 'Banco', 'Custo', 'Dia', 'Êxito')
    await grant(person.idUsuario, ids.slice(0, 1))
    // One was granted before, three are new.
    await grant(person.idUsuario, ids.slice(0, 4))
    await grant(person.idUsuario, [])
    await grant(person.idUsuario, ids)
    expect(await textsOf()).toEqual([
      'Você já pode abrir “Água”, “Banco”, “Custo” e mais 2.',
      'Você já pode abrir “Banco”, “Custo” e “Dia”.',
      'Você já pode abrir “Água”.',
    ])
    const { body } = await own.get('/notificacoes')
    expect(body.at(-1)).toMatchObject({
      tipo: 'permissao_liberada',
      titulo: 'Novo relatório liberado',
      rota: '/saidibi',
    })
  })

  test('a new permission notifies once for the single grant, and not for a repeated one', async () => {
    const [idRelatorio] = await publish('Água')
    const body = { idRelatorio, idUsuario: person.idUsuario }
    await admin.post('/usuarios/relatorio-usuario', body)
    await admin.post('/usuarios/relatorio-usuario', body)
    expect(await textsOf()).toEqual(['Você já pode abrir “Água”.'])
  })

  test('a new permission notifies active members of a profile without the ADMIN role, and users who join it', async () => {
    const [first = 0, second = 0] = await publish('Água', 'Banco')
    const { body: profile } = await admin.post('/perfis', { nomePerfil: 'Gestão' })
    const boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
    const late = await createUser(app)
    const members = (body: object) => admin.put(`/perfis/${profile.idPerfil}/membros`, body)
    await members({ adicionar: [person.idUsuario, boss.idUsuario, blocked.idUsuario] })
    const reports = (idRelatorios: number[]) =>
      admin.put(`/perfis/${profile.idPerfil}/relatorios`, { idRelatorios })
    await reports([first])
    await reports([first, second])
    await members({ adicionar: [late.idUsuario] })
    await reports([first])
    expect(await textsOf()).toEqual(['Você já pode abrir “Banco”.', 'Você já pode abrir “Água”.'])
    expect(await textsOf(await app.as(late))).toEqual(['Você já pode abrir “Água” e “Banco”.'])
    const others = await app.db
      .selectFrom('notificacao')
      .select('idUsuario')
      .where('idUsuario', 'in', [boss.idUsuario, blocked.idUsuario])
      .execute()
    expect(others).toEqual([])
  })

  test('a new permission sends nothing when the save is refused', async () => {
    const [idRelatorio = 0] = await publish('Água')
    expect((await grant(person.idUsuario, [idRelatorio, 999_999])).status).toBe(422)
    expect(await textsOf()).toEqual([])
  })
})

describe('a connection that the provider refuses', () => {
  const open = async () => {
    const { idPowerBi } = await createConnection(app, { nome: 'Produção' })
    const workspace = await createWorkspace(app, { idPowerBi })
    // The caches use connection and version as key, and ids restart with every test.
    const versao = Math.floor(Math.random() * 1e9)
    await app.db.updateTable('powerbi').set({ versao }).execute()
    const report = await createReport(app, {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      nomeRelatorio: 'Custos',
    })
    await grantReport(app, person.idUsuario, report.idRelatorio)
    return {
      idPowerBi,
      embed: () =>
        own.post('/usuarios/relatorio/embed', { groupId: workspace.idGrupo, reportId: report.reportId }),
    }
  }

  test('a connection that the provider refuses is reported to the administrators, once while unread', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    provider.answer('token', () => ({
      status: 401,
      body: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' },
    }))
    const { embed, idPowerBi } = await open()
    expect((await embed()).body.codigo).toBe('bi_credencial_recusada')
    await embed()
    const { body } = await admin.get('/notificacoes')
    expect(body).toEqual([
      {
        idNotificacao: expect.any(Number),
        tipo: 'conexao_falhando',
        titulo: 'A conexão “Produção” está falhando',
        texto:
          'O provedor recusou a credencial quando alguém abriu o relatório “Custos”. Use Testar conexão para ver o que corrigir.',
        rota: `/Registerpowerbi/${idPowerBi}`,
        criadaEm: expect.any(String),
        lidaEm: null,
      },
    ])
    expect(await textsOf()).toEqual([])
    await admin.post('/notificacoes/lidas')
    await embed()
    expect(await unreadOf(admin)).toBe(1)
  })

  test('a connection that the provider refuses is reported for denied access, and not for a late answer or an outage', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { embed } = await open()
    provider.answer('report', () => ({ delay: 1_500 }))
    expect((await embed()).body.codigo).toBe('bi_sem_resposta')
    provider.answer('report', () => ({ status: 503 }))
    expect((await embed()).body.codigo).toBe('bi_indisponivel')
    expect(await unreadOf(admin)).toBe(0)
    provider.answer('report', () => ({ status: 403 }))
    expect((await embed()).body.codigo).toBe('bi_sem_acesso')
    expect(await textsOf(admin)).toEqual([expect.stringContaining('negou o acesso')])
  })

  test('a connection that the provider refuses is reported when the embed tokens of its plan are used up', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { embed } = await open()
    const message = 'Workspace exceeded the amount of embed token that can be generated'
    provider.answer('generateToken', () => ({ status: 403, body: { error: { code: 'Forbidden', message } } }))
    expect((await embed()).body.codigo).toBe('bi_cota_esgotada')
    expect(await textsOf(admin)).toEqual([expect.stringContaining('recusou um token por falta de cota')])
  })
})
