import { MAX_POINT_PEOPLE } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { datasetId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({ REPORTS_URL: provider.origin, POWERBI_API_URL: provider.origin }))
beforeEach(() => provider.restore())

const why = { 'x-finalidade': encodeURIComponent('Auditoria') }
const ponto = {
  page: 'custos',
  visual: 'barras',
  filters: [{ target: { table: 'T', column: 'ano' }, operator: 'In', values: [2026] }],
  point: [{ target: { table: 'T', column: 'sexo' }, operator: 'In', values: ['feminino'] }],
}

const start = async (
  person: Parameters<typeof createUser>[1] = { acessoProntuario: true },
  { provedor = 'local', ...fields }: { provedor?: 'local' | 'microsoft'; papeisRls?: string[] } = {},
) => {
  const versao = Math.floor(Math.random() * 1e9)
  const { idPowerBi } = await createConnection(app, { versao, provedor })
  const workspace = await createWorkspace(app, { idPowerBi })
  const { idGrupoRelatorio } = workspace
  const report = await createReport(app, { idGrupoRelatorio, ...fields })
  const user = await createUser(app, person)
  await grantReport(app, user.idUsuario, report.idRelatorio)
  const signedIn = await app.as(user)
  const address = `/usuarios/relatorio/${report.idRelatorio}/beneficiarios`
  const ask = (headers: Record<string, string> = why, body: object = { ponto }) =>
    signedIn.post(address, body, headers)
  return { workspace, report, user, address, ask }
}

const knows = (...ids: string[]) => provider.answer('beneficiaries', () => ({ body: { ids, more: 0 } }))
const sent = () =>
  provider.seen
    .filter(({ path }) => path.endsWith('/beneficiaries'))
    .map(({ path, body }) => ({ path, ...JSON.parse(body) }))
const accesses = () =>
  app.db
    .selectFrom('acessoSaude')
    .select(['acao', 'objeto', 'idObjeto', 'beneficiario', 'finalidade', 'idUsuario'])
    .orderBy('idObjeto')
    .execute()
const trail = () =>
  app.db
    .selectFrom('auditoria')
    .select(['acao', 'objeto', 'idUsuario', 'detalhes'])
    .where('acao', '=', 'beneficiary.read')
    .execute()

describe('POST /usuarios/relatorio/:id/beneficiarios', () => {
  test('POST /usuarios/relatorio/:id/beneficiarios lists the registered people behind the point by name, and counts the others', async () => {
    const { ask, user, report, workspace } = await start()
    const zulmira = await createBeneficiary(app, { nome_beneficiario: 'Zulmira', id_beneficiario: 'Z-1' })
    const alice = await createBeneficiary(app, { nome_beneficiario: 'Álice', id_beneficiario: 'A-1' })
    await createBeneficiary(app, { nome_beneficiario: 'Outra', id_beneficiario: 'O-1' })
    knows('Z-1', 'a-1', 'A-1', 'N-1', 'N-2')
    const { status, body, headers } = await ask()
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toEqual({ beneficiarios: [alice, zulmira], naoCadastrados: 2, naoListados: 0 })
    expect(sent()).toEqual([
      {
        path: `/v1.0/myorg/groups/${workspace.idGrupo}/reports/${report.reportId}/beneficiaries`,
        point: { ...ponto, drill: [] },
        identities: [],
      },
    ])
    const row = { acao: 'lido', objeto: 'beneficiario', finalidade: 'auditoria', idUsuario: user.idUsuario }
    expect(await accesses()).toEqual(
      [zulmira, alice].map(({ id }) => ({ ...row, idObjeto: id, beneficiario: id })),
    )
    const lines = await trail()
    expect(lines).toMatchObject([
      {
        objeto: 'beneficiarios',
        idUsuario: user.idUsuario,
        detalhes: { relatorio: report.idRelatorio, pagina: 'custos', visual: 'barras', encontrados: 2 },
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/Zulmira|Z-1|N-1|feminino/)
  })

  test('POST /usuarios/relatorio/:id/beneficiarios lists numbered names in natural order', async () => {
    const { ask } = await start()
    const names = ['Pessoa 104', 'Pessoa 26', 'Pessoa 3']
    for (const name of names) await createBeneficiary(app, { nome_beneficiario: name, id_beneficiario: name })
    knows(...names)
    const { beneficiarios } = (await ask()).body
    expect(beneficiarios.map((one: { nome_beneficiario: string }) => one.nome_beneficiario)).toEqual(
      names.toReversed(),
    )
  })

  test('POST /usuarios/relatorio/:id/beneficiarios lists and logs all people of an answer of the service', async () => {
    const { ask } = await start()
    const ids = Array.from({ length: MAX_POINT_PEOPLE }, (_, index) => `M-${index}`)
    for (const id of ids)
      await createBeneficiary(app, { nome_beneficiario: `Pessoa ${id}`, id_beneficiario: id })
    knows(...ids)
    const { body } = await ask()
    expect([body.beneficiarios.length, body.naoListados]).toEqual([MAX_POINT_PEOPLE, 0])
    expect(await accesses()).toHaveLength(MAX_POINT_PEOPLE)
  })

  test('POST /usuarios/relatorio/:id/beneficiarios says how many more there are, and audits an empty list', async () => {
    const { ask } = await start()
    provider.answer('beneficiaries', () => ({ body: { ids: ['N-1'], more: 7 } }))
    expect((await ask()).body).toEqual({ beneficiarios: [], naoCadastrados: 1, naoListados: 7 })
    expect(await trail()).toMatchObject([{ detalhes: { encontrados: 0 } }])
    expect(await accesses()).toEqual([])
  })

  test("POST /usuarios/relatorio/:id/beneficiarios asks with the caller's own identity, which a body cannot replace", async () => {
    provider.answer('dataset', () => ({
      body: { id: datasetId, isEffectiveIdentityRequired: true, isEffectiveIdentityRolesRequired: true },
    }))
    const person = { acessoProntuario: true, identidadeRls: 'CNU' }
    const { ask, user } = await start(person, { papeisRls: ['operadora'] })
    const forged = [{ username: 'outra@x.br', roles: ['todos'], datasets: [datasetId] }]
    const body = { ponto: { ...ponto, identities: forged }, identities: forged }
    await ask(why, body)
    const own = {
      username: user.emailUsuario,
      roles: ['operadora'],
      customData: 'CNU',
      datasets: [datasetId],
    }
    expect(sent()).toEqual([expect.objectContaining({ identities: [own], point: { ...ponto, drill: [] } })])
  })

  test('POST /usuarios/relatorio/:id/beneficiarios asks nobody and logs nothing without a purpose', async () => {
    const { ask } = await start()
    const without: Record<string, string>[] = [{}, { 'x-finalidade': encodeURIComponent('Não informada') }]
    for (const headers of without) {
      const { status, body } = await ask(headers)
      expect([status, body.codigo]).toEqual([400, 'finalidade_obrigatoria'])
    }
    expect([sent(), await trail()]).toEqual([[], []])
  })

  test.each([
    ['a reader without access to medical records', {}],
    ['an ADMIN without it', { tipoUsuario: 'ADMIN' }],
  ] as const)('POST /usuarios/relatorio/:id/beneficiarios refuses %s', async (_, person) => {
    const { ask } = await start(person)
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([403, 'sem_permissao'])
    expect(sent()).toEqual([])
  })

  test('POST /usuarios/relatorio/:id/beneficiarios refuses a report that is not granted', async () => {
    const { address } = await start()
    const other = await app.as(await createUser(app, { acessoProntuario: true }))
    const { status, body } = await other.post(address, { ponto }, why)
    expect([status, body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
    expect(sent()).toEqual([])
  })

  test("POST /usuarios/relatorio/:id/beneficiarios refuses Microsoft's reports, points without a list, and malformed points", async () => {
    const microsoft = await start(undefined, { provedor: 'microsoft' })
    expect((await microsoft.ask()).body.codigo).toBe('ponto_sem_beneficiarios')
    expect(sent()).toEqual([])
    const { ask } = await start()
    for (const status of [400, 404]) {
      provider.answer('beneficiaries', () => ({ status, body: { error: { code: 'InvalidFilter' } } }))
      const answer = await ask()
      expect([answer.status, answer.body.codigo]).toEqual([409, 'ponto_sem_beneficiarios'])
    }
    for (const bad of [{}, { ...ponto, filters: 'x' }, { ...ponto, drill: [{}] }])
      expect((await ask(why, { ponto: bad })).status).toBe(422)
    expect(await trail()).toEqual([])
  })

  test('POST /usuarios/relatorio/:id/beneficiarios answers nothing when the access is revoked while the service answers', async () => {
    const { ask, user } = await start()
    await createBeneficiary(app, { id_beneficiario: 'R-1' })
    knows('R-1')
    const held = provider.hold('beneficiaries')
    const asking = ask()
    const release = await held
    await app.db
      .updateTable('usuario')
      .set({ acessoProntuario: false })
      .where('idUsuario', '=', user.idUsuario)
      .execute()
    release()
    expect((await asking).status).toBe(403)
    expect(await accesses()).toEqual([])
  })
})
