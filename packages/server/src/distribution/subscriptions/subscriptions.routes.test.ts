import { beforeEach, describe, expect, test } from 'vitest'
import { subscriptionDraft } from '../../../test/distribution/subscriptions.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
type Session = Awaited<ReturnType<TestApp['as']>>
type Person = Awaited<ReturnType<typeof createUser>>
let [admin, reader]: Session[] = []
let [boss, ana, bia]: Person[] = []
let report: Awaited<ReturnType<typeof createReport>>
let local: typeof report

beforeEach(async () => {
  boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  ana = await createUser(app, { nomeUsuario: 'Ana' })
  bia = await createUser(app, { nomeUsuario: 'Bia' })
  admin = await app.as(boss)
  reader = await app.as(ana)
  const reportOf = async (provedor: 'microsoft' | 'local', fields = {}) => {
    const { idPowerBi } = await createConnection(app, { provedor })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    return createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos', ...fields })
  }
  report = await reportOf('microsoft')
  local = await reportOf('local')
  await grantReport(app, id(ana), report.idRelatorio)
  await grantReport(app, id(ana), local.idRelatorio)
})

const id = (person: Person | undefined) => person?.idUsuario ?? 0
const of = (idRelatorio: number) => `/usuarios/relatorio/${idRelatorio}/assinaturas`
const create = async (session: Session | undefined, fields = {}, idRelatorio = report.idRelatorio) => {
  const answer = await session?.post(of(idRelatorio), subscriptionDraft(fields))
  expect([answer?.status, answer?.body]).toEqual([201, expect.objectContaining({ versao: 1 })])
  return answer?.body
}
const faultsOf = async (session: Session | undefined, fields: object, idRelatorio = report.idRelatorio) => {
  const { status, body } = (await session?.post(of(idRelatorio), { ...subscriptionDraft(), ...fields })) ?? {}
  expect(status).toBe(422)
  return Object.keys(body.campos)
}
const change = (fields: Partial<typeof report>, idRelatorio = report.idRelatorio) =>
  app.db
    .updateTable('relatorio')
    .set(fields as object)
    .where('idRelatorio', '=', idRelatorio)
    .execute()
const revoke = () => app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', id(ana)).execute()

describe('a subscription of one’s own', () => {
  test('a subscription of one’s own is created for its owner, listed, changed, paused and deleted, with its audit', async () => {
    const created = await create(reader, { nota: 'Para a reunião', filtros: { sexo: 'feminino' } })
    expect(created).toMatchObject({
      assunto: 'Custos da semana',
      nota: 'Para a reunião',
      relatorio: { idRelatorio: report.idRelatorio, nomeRelatorio: 'Custos', reportId: report.reportId },
      dono: { idUsuario: id(ana), nomeUsuario: 'Ana' },
      pessoas: [{ idUsuario: id(ana), nomeUsuario: 'Ana' }],
      perfis: [],
      sairam: [],
      destinatarios: 1,
      entrega: 'LINK',
      ativa: true,
      fuso: 'America/Sao_Paulo',
      ultima: null,
      impedimento: null,
      proximaEm: expect.any(String),
    })
    const url = `/assinaturas/${created.idAssinatura}`
    expect((await reader?.get(of(report.idRelatorio)))?.body).toEqual([created])
    expect((await reader?.get('/assinaturas/minhas'))?.body).toEqual([created])
    const draft = subscriptionDraft({ frequencia: 'SEMANAL', diaSemana: 'sexta', diaMes: 'ULTIMO_UTIL' })
    const changed = await reader?.put(url, draft, { 'if-match': '"1"' })
    expect([changed?.status, changed?.body]).toEqual([
      200,
      expect.objectContaining({ diaSemana: 'sexta', diaMes: null, nota: null, filtros: {}, versao: 2 }),
    ])
    const stale = await reader?.put(url, draft, { 'if-match': '"1"' })
    expect([stale?.status, stale?.body.codigo]).toEqual([412, 'versao_antiga'])
    const paused = await reader?.put(`${url}/ativa`, { ativa: false })
    expect(paused?.body).toMatchObject({ ativa: false, proximaEm: null, versao: 3 })
    expect((await reader?.put(`${url}/ativa`, { ativa: true }))?.body.proximaEm).toBe(changed?.body.proximaEm)
    expect((await reader?.del(url))?.status).toBe(204)
    expect((await reader?.get(url))?.status).toBe(404)
    const trail = await admin?.get(`/auditoria?objeto=assinatura:${created.idAssinatura}`)
    expect(trail?.body.map(({ acao }: { acao: string }) => acao)).toEqual([
      'subscription.deleted',
      'subscription.updated',
      'subscription.updated',
      'subscription.updated',
      'subscription.created',
    ])
  })

  test('a subscription of one’s own is not sent to an owner who lost the permission', async () => {
    const { idAssinatura } = await create(reader)
    await revoke()
    expect((await reader?.post(`/assinaturas/${idAssinatura}/teste`))?.status).toBe(403)
  })

  test('a subscription of one’s own names no other recipient', async () => {
    expect(await faultsOf(reader, { idPessoas: [id(bia)] })).toEqual(['idPessoas'])
    const { body } = (await admin?.post('/perfis', { nomePerfil: 'Diretoria' })) ?? {}
    expect(await faultsOf(reader, { idPerfis: [body.idPerfil] })).toEqual(['idPessoas'])
    const own = await create(reader, { idPessoas: [id(ana)] })
    expect(own.pessoas).toEqual([{ idUsuario: id(ana), nomeUsuario: 'Ana' }])
    const byAdmin = await admin?.put(
      `/assinaturas/${own.idAssinatura}`,
      subscriptionDraft({ idPessoas: [id(bia)] }),
    )
    expect([byAdmin?.status, byAdmin?.body.campos]).toEqual([422, { idPessoas: expect.any(String) }])
  })

  test.each([
    ['a page for a PNG', { formato: 'PNG' }, ['pagina']],
    ['parameters only of a paginated report', { parametros: ['Ano=2026'] }, ['parametros']],
    ['to know whether a report is empty', { pulaVazio: true }, ['pulaVazio']],
    ['an existing view', { idVisao: 99 }, ['idVisao']],
  ])('a subscription of one’s own requires %s', async (_, fields, faults) => {
    expect(await faultsOf(reader, fields)).toEqual(faults)
  })

  test('a subscription of one’s own is a spreadsheet of chosen visuals, which the audit names', async () => {
    const visuais = [
      { nome: 'por_mes', titulo: 'Custo por mês' },
      { nome: 'prestadores', titulo: '=Prestadores' },
    ]
    const fields = { formato: 'XLSX' as const, pagina: 'custos', visuais }
    const created = await create(reader, fields, local.idRelatorio)
    expect(created).toMatchObject(fields)
    const url = `/assinaturas/${created.idAssinatura}`
    const all = await reader?.put(url, subscriptionDraft({ ...fields, visuais: [] }))
    expect([all?.status, all?.body.visuais]).toEqual([200, []])
    const trail = await admin?.get(`/auditoria?objeto=assinatura:${created.idAssinatura}`)
    expect(trail?.body.map(({ detalhes }: { detalhes: object }) => detalhes)).toMatchObject([
      { antes: { visuais: ['por_mes', 'prestadores'] }, depois: { visuais: [] } },
      { depois: { formato: 'XLSX', visuais: ['por_mes', 'prestadores'] } },
    ])
  })

  test("a subscription of one’s own is no spreadsheet of Microsoft's reports of visuals", async () => {
    const { status, body } =
      (await reader?.post(of(report.idRelatorio), subscriptionDraft({ formato: 'XLSX' }))) ?? {}
    expect([status, body.campos]).toEqual([
      422,
      { formato: 'O Power BI não gera planilhas deste relatório: escolha PDF ou PNG.' },
    ])
    const options = (await reader?.get(`${of(report.idRelatorio)}/opcoes`))?.body
    expect(options.formatos).toEqual(['PDF', 'PNG'])
    // The report may move to another provider later.
    const created = await create(reader, { formato: 'XLSX' }, local.idRelatorio)
    await app.db.updateTable('powerbi').set({ provedor: 'microsoft' }).execute()
    const url = `/assinaturas/${created.idAssinatura}`
    expect((await reader?.put(url, subscriptionDraft({ formato: 'XLSX' })))?.body.campos).toHaveProperty(
      'formato',
    )
    expect((await reader?.put(url, subscriptionDraft()))?.status).toBe(200)
  })

  test('a subscription of a paginated report is a PDF or a spreadsheet of the whole report', async () => {
    await change({ tipoRelatorio: 'PAGINADO', parametros: ['Ano=2025'] })
    expect(await faultsOf(reader, { formato: 'PNG', pagina: 'p1' })).toEqual(['formato'])
    expect(await faultsOf(reader, { pagina: 'p1' })).toEqual(['pagina'])
    expect(await faultsOf(reader, { frequencia: 'ATUALIZACAO' })).toEqual(['frequencia'])
    expect(await faultsOf(reader, { parametros: ['Outro=1'] })).toEqual(['parametros'])
    expect(await faultsOf(reader, { pulaInalterado: true })).toEqual(['pulaInalterado'])
    const chosen = { formato: 'XLSX', pagina: 'p1', visuais: [{ nome: 'v', titulo: 'V' }] }
    expect(await faultsOf(reader, chosen)).toEqual(['pagina'])
    expect((await create(reader, { formato: 'XLSX' })).formato).toBe('XLSX')
    expect((await create(reader, { parametros: ['Ano=2026'] })).parametros).toEqual(['Ano=2026'])
    const options = (await reader?.get(`${of(report.idRelatorio)}/opcoes`))?.body
    expect(options).toMatchObject({ formatos: ['PDF', 'XLSX'], sabeVazio: false, sabeAtualizacao: false })
  })

  test('a subscription of one’s own follows its saved view, and keeps its last content when the view is deleted', async () => {
    const views = `/usuarios/relatorio/${local.idRelatorio}/visoes`
    const view = { nome: 'Minha', pagina: 'p1', filtros: { sexo: 'feminino' }, marcador: 'x' }
    const { body } = (await reader?.post(views, view)) ?? {}
    const { idVisao } = body
    const fields = { idVisao, pulaVazio: true }
    const { idAssinatura } = await create(reader, fields, local.idRelatorio)
    const stored = async () => (await reader?.get(`/assinaturas/${idAssinatura}`))?.body
    const { nome: nomeVisao, ...content } = view
    expect(await stored()).toMatchObject({ ...content, idVisao, nomeVisao })
    await reader?.put(`${views}/${idVisao}`, { pagina: 'p2', filtros: { sexo: 'masculino' } })
    expect(await stored()).toMatchObject({ pagina: 'p2', filtros: { sexo: 'masculino' }, marcador: 'x' })
    await reader?.del(`${views}/${idVisao}`)
    expect(await stored()).toMatchObject({ idVisao: null, nomeVisao: null, pagina: 'p2' })
    // Another person's view, and one of another report.
    const theirs = await admin?.post(views, view)
    expect(await faultsOf(reader, { idVisao: theirs?.body.idVisao }, local.idRelatorio)).toEqual(['idVisao'])
    const whole = await reader?.post(views, { nome: 'Inteiro', filtros: {} })
    const png = { idVisao: whole?.body.idVisao, formato: 'PNG' }
    expect(await faultsOf(reader, png, local.idRelatorio)).toEqual(['idVisao'])
    expect(await faultsOf(reader, png)).toEqual(['idVisao'])
  })
})

describe('a subscription for others', () => {
  const profileOf = async (members: number[]): Promise<number> => {
    const { body } = (await admin?.post('/perfis', { nomePerfil: `Perfil ${Math.random()}` })) ?? {}
    await admin?.put(`/perfis/${body.idPerfil}/membros`, { adicionar: members })
    return body.idPerfil
  }
  const bellOf = async (person: Person | undefined) =>
    (await (await app.as(person ?? expect.fail())).get('/notificacoes')).body.filter(
      ({ tipo }: { tipo: string }) => tipo === 'assinatura',
    )

  test('a subscription for others is made by an ADMIN for people and profiles, who are told once if they may see the report', async () => {
    const idPerfil = await profileOf([id(bia), id(ana)])
    const made = await create(admin, { idPessoas: [id(ana)], idPerfis: [idPerfil] })
    expect(made).toMatchObject({ destinatarios: 2, perfis: [{ idPerfil }], impedimento: null })
    expect(await bellOf(ana)).toMatchObject([
      { titulo: 'Você vai receber um relatório por e-mail', texto: expect.stringContaining('Marina Alves') },
    ])
    expect(await bellOf(bia)).toEqual([])
    const draft = subscriptionDraft({ idPessoas: [id(ana)], idPerfis: [idPerfil] })
    await admin?.put(`/assinaturas/${made.idAssinatura}`, draft)
    expect(await bellOf(ana)).toHaveLength(1)
    const received = (await reader?.get('/assinaturas/recebidas'))?.body
    expect(received).toMatchObject([
      { idAssinatura: made.idAssinatura, nomeDono: 'Marina Alves', saiu: false },
    ])
    const blind = await app.as(bia ?? expect.fail())
    expect((await blind.get('/assinaturas/recebidas')).body).toEqual([])
    expect((await reader?.get(`/assinaturas/${made.idAssinatura}`))?.status).toBe(404)
  })

  test('a subscription for others is left and joined again by its recipients, who stay out when they are named again', async () => {
    const { idAssinatura } = await create(admin, { idPessoas: [id(ana), id(bia)] })
    const url = `/assinaturas/${idAssinatura}`
    for (const _ of ['first', 'again']) expect((await reader?.post(`${url}/saida`))?.status).toBe(204)
    const draft = subscriptionDraft({ idPessoas: [id(bia), id(ana)] })
    expect((await admin?.put(url, draft))?.body).toMatchObject({
      destinatarios: 1,
      sairam: [{ idUsuario: id(ana), nomeUsuario: 'Ana' }],
    })
    expect((await reader?.get('/assinaturas/recebidas'))?.body).toMatchObject([{ saiu: true }])
    expect((await reader?.del(`${url}/saida`))?.status).toBe(204)
    expect((await admin?.get(url))?.body).toMatchObject({ destinatarios: 2, sairam: [] })
    const stranger = await app.as(await createUser(app))
    expect((await stranger.post(`${url}/saida`)).status).toBe(404)
    const trail = await admin?.get(`/auditoria?objeto=assinatura:${idAssinatura}`)
    expect(trail?.body.slice(0, 3).map(({ acao }: { acao: string }) => acao)).toEqual([
      'subscription.returned',
      'subscription.updated',
      'subscription.left',
    ])
  })

  test('a subscription for others has at most 1,000 recipients', async () => {
    await app.db
      .insertInto('usuario')
      .values(
        Array.from({ length: 1_001 }, (_, n) => ({
          nomeUsuario: `Pessoa ${n}`,
          nomeSemelhante: `pessoa ${n}`,
          emailUsuario: `p${n}@exemplo.com.br`,
        })),
      )
      .execute()
    const people = await app.db.selectFrom('usuario').select('idUsuario').limit(1_001).execute()
    const idPerfil = await profileOf([])
    await app.db
      .insertInto('perfilUsuario')
      .values(people.map(({ idUsuario }) => ({ idPerfil, idUsuario })))
      .execute()
    expect(await faultsOf(admin, { idPerfis: [idPerfil] })).toEqual(['idPerfis'])
  })

  test('a subscription for others names existing people and profiles', async () => {
    expect(await faultsOf(admin, { idPessoas: [999_999] })).toEqual(['idPessoas'])
    expect(await faultsOf(admin, { idPerfis: [999_999] })).toEqual(['idPerfis'])
  })

  test('a subscription for others is in the list of all, also of one report', async () => {
    await create(admin, { assunto: 'Água', idPessoas: [id(bia)] })
    await create(reader, { assunto: 'Banco' }, local.idRelatorio)
    const { body } = (await admin?.get(`/assinaturas?idRelatorio=${local.idRelatorio}`)) ?? {}
    expect(body).toMatchObject([{ assunto: 'Banco' }])
  })
})

describe('an attachment', () => {
  test.each([
    ['roles', { papeisRls: ['Regional'] }],
    ['an identity', { enviaIdentidade: true }],
    ['sensitive data', { sensivel: true }],
  ])('an attachment is refused for a report with %s, unless an ADMIN allows it', async (_, fields) => {
    await change(fields)
    expect(await faultsOf(reader, { entrega: 'ANEXO' })).toEqual(['entrega'])
    const options = async () => (await reader?.get(`${of(report.idRelatorio)}/opcoes`))?.body
    expect((await options()).semAnexo).toMatch(/só um link/)
    const allowed = { dominios: [], anexosRestritos: true, anexoMb: 5 }
    expect((await admin?.put('/configuracao/assinaturas', allowed))?.status).toBe(200)
    expect(await options()).toMatchObject({ semAnexo: null, anexoMb: 5 })
    expect((await create(reader, { entrega: 'ANEXO' })).entrega).toBe('ANEXO')
  })

  test('an attachment is the owner’s choice for other reports', async () => {
    expect((await create(reader, { entrega: 'ANEXO' })).entrega).toBe('ANEXO')
  })
})

describe('the rules', () => {
  test('the rules are read and written by ADMINs, with domains in lower case', async () => {
    const usual = { dominios: [], anexosRestritos: false, anexoMb: 10, versao: 1 }
    expect((await admin?.get('/configuracao/assinaturas'))?.body).toEqual(usual)
    const rules = { dominios: ['Exemplo.com.br', 'exemplo.com.br'], anexosRestritos: false, anexoMb: 18 }
    const saved = await admin?.put('/configuracao/assinaturas', rules, { 'if-match': '"1"' })
    expect(saved?.body).toEqual({ ...rules, dominios: ['exemplo.com.br'], versao: 2 })
    expect((await admin?.put('/configuracao/assinaturas', rules, { 'if-match': '"1"' }))?.status).toBe(412)
    for (const dominios of [['exemplo'], ['ana@exemplo.com'], ['*.exemplo.com'], ['a b.com']])
      expect((await admin?.put('/configuracao/assinaturas', { ...rules, dominios }))?.status).toBe(422)
    expect((await reader?.get('/configuracao/assinaturas'))?.status).toBe(403)
    const trail = await admin?.get('/auditoria?acao=subscription-rules.updated')
    expect(trail?.body).toMatchObject([{ detalhes: { depois: { anexoMb: 18 } } }])
  })

  test('the rules require a recent sign-in before more data, or to more addresses, leave', async () => {
    const strict = { dominios: ['exemplo.com.br'], anexosRestritos: false, anexoMb: 10 }
    await admin?.put('/configuracao/assinaturas', strict)
    app.clock.offsetMs += 11 * 60_000
    const put = async (fields: object) =>
      (await admin?.put('/configuracao/assinaturas', { ...strict, ...fields }))?.status
    expect(await put({ anexosRestritos: true })).toBe(403)
    expect(await put({ dominios: [] })).toBe(403)
    expect(await put({ dominios: ['exemplo.com.br', 'outro.com'] })).toBe(403)
    expect(await put({ anexoMb: 4 })).toBe(200)
  })

  test('the rules tell a person whose e-mail is of no allowed domain, or not confirmed', async () => {
    const skipReason = async () => (await reader?.get(`${of(report.idRelatorio)}/opcoes`))?.body.impedimento
    expect(await skipReason()).toBeNull()
    const rules = { dominios: ['empresa.com.br'], anexosRestritos: false, anexoMb: 10 }
    await admin?.put('/configuracao/assinaturas', rules)
    expect(await skipReason()).toMatch(/domínio/)
    const { idAssinatura } = await create(reader)
    expect((await reader?.post(`/assinaturas/${idAssinatura}/teste`))?.body.codigo).toBe(
      'assinatura_sem_destino',
    )
    await app.db
      .updateTable('usuario')
      .set({ emailPorProvar: true })
      .where('idUsuario', '=', id(ana))
      .execute()
    expect(await skipReason()).toMatch(/não foi confirmado/)
  })
})
