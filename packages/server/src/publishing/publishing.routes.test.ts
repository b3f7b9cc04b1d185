import { beforeEach, describe, expect, test } from 'vitest'
import { formOf } from '../../test/multipart.ts'
import { createConnection, createWorkspace } from '../../test/reports.ts'
import { embeddingSuite } from '../../test/stand-ins/embedding.ts'
import { datasetId, draftId, groupId, reportId } from '../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'
import { setTestRestore } from '../platform/installation/test-environment.ts'

/* What the portal adds; the journey 'publishing' runs the real report service. */

const { suite } = embeddingSuite()
let user: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  user = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
  admin = await suite.app.as(user)
})

const connect = () => createConnection(suite.app, { provedor: 'local' })
const send = (name = 'Custos.csv', bytes = Buffer.from('a;b\n1;2\n')) =>
  admin.upload('/publicacoes', formOf({ nome: name }, { bytes, name }))
const draft = `/publicacoes/${draftId}`
const body = { workspace: { idGrupo: null, nome: 'Área nova' }, relatorio: '{"name":"Custos"}' }
const received = (end: string) =>
  suite.provider.seen.filter(({ path }) => path.endsWith(end)).map(({ body }) => JSON.parse(body))

test('the portal sends the file as it is, with its name, and never to Microsoft', async () => {
  expect(await send()).toMatchObject({ status: 409, body: { codigo: 'servico_local_ausente' } })
  await createConnection(suite.app)
  expect((await send()).status).toBe(409)
  await connect()
  expect(await send('Custos & más.csv')).toMatchObject({ status: 201, body: { rascunho: draftId } })
  const [sent] = suite.provider.seen.filter(({ path }) => path.includes('/drafts?'))
  expect(sent).toMatchObject({
    path: '/v1.0/myorg/drafts?name=Custos%20%26%20m%C3%A1s.csv',
    contentType: 'application/octet-stream',
    body: 'a;b\n1;2\n',
  })
  expect((await admin.upload('/publicacoes', formOf({ nome: 'x.csv' }))).body.campos).toEqual({
    arquivo: 'Escolha um arquivo.',
  })
})

test('the portal waits for a reading that a person left, before what was sent is deleted', async () => {
  await connect()
  // Longer than a call may take that waits for nothing.
  suite.provider.answer('discardDraft', () => ({ delay: 1_500, body: { id: draftId } }))
  expect((await admin.del(draft)).status).toBe(204)
})

test('the portal deletes what was sent, as the person who sent it', async () => {
  await connect()
  expect((await admin.del(draft)).status).toBe(204)
  expect(suite.provider.seen.filter(({ path }) => path.endsWith(`/drafts/${draftId}/discard`))).toHaveLength(
    1,
  )
})

test('the portal lists the workspaces of the service by name, with their registration', async () => {
  const { idPowerBi } = await connect()
  const { idGrupoRelatorio } = await createWorkspace(suite.app, { idPowerBi, idGrupo: groupId })
  expect((await admin.get('/publicacoes/workspaces')).body).toEqual([
    { idGrupo: '3d9b93c6-7b6d-4801-a491-1738910904fd', nome: 'Água', idGrupoRelatorio: null },
    { idGrupo: groupId, nome: 'Saúde', idGrupoRelatorio },
  ])
})

test("the portal passes on an author's faults, and publishes with an audit line", async () => {
  const { idPowerBi } = await connect()
  const faults = ['Relatório: pages[0]: … (linha 3, coluna 5)']
  suite.provider.answer('checkOrPublishDraft', () => ({
    body: { faults, remarks: ['um aviso'], workspaceId: groupId, reportId },
  }))
  expect((await admin.post(`${draft}/conferencia`, body)).body).toEqual({
    erros: faults,
    avisos: ['um aviso'],
    idPowerBI: idPowerBi,
    idGrupo: groupId,
    reportId,
  })
  expect(received('/check')).toEqual([
    { workspace: { name: 'Área nova' }, report: body.relatorio, timeZone: 'America/Sao_Paulo' },
  ])
  const workspace = { idGrupo: groupId, nome: 'Saúde' }
  const known = { ...body, workspace, outros: [reportId], fuso: 'America/Manaus' }
  expect((await admin.post(draft, known)).status).toBe(200)
  expect(received('/publish')).toEqual([
    {
      workspace: { id: groupId, name: 'Saúde' },
      timeZone: 'America/Manaus',
      report: body.relatorio,
      others: [reportId],
      author: expect.stringMatching(/^Pessoa \d+$/),
    },
  ])
  const lines = await suite.app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes'])
    .where('acao', '=', 'publication.ordered')
    .execute()
  expect(lines).toEqual([
    {
      objeto: `powerbi:${idPowerBi}`,
      detalhes: { rascunho: draftId, idGrupo: groupId, workspace: 'Saúde' },
    },
  ])
})

/* Kind: a line says what was ordered, and not what was done: a refusal tells something of the rows too. */
describe.each([
  ['a file', draft, body, 'checkOrPublishDraft', { idGrupo: null, workspace: 'Área nova' }],
  ['a folder', `/publicacoes/pastas/${draftId}`, {}, 'validateFolder', { pasta: true }],
] as const)('the end of a publication of %s', (_what, url, asked, operation, order) => {
  const ends = () =>
    suite.app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'detalhes'])
      .where('acao', '=', 'publication.ended')
      .execute()
  const details = { rascunho: draftId, ...order }

  test('the end of a publication is audited with the reports and datasets that it concerned, also with faults', async () => {
    await connect()
    const concerned = { reports: [reportId], datasets: [datasetId] }
    const ids = { workspaceId: groupId, reportId, reports: [] }
    expect((await admin.post(url, asked)).body).not.toHaveProperty('envolvidos')
    suite.provider.answer(operation, () => ({ body: { faults: ['x'], remarks: [], ...ids, concerned } }))
    expect((await admin.post(url, asked)).body.erros).toEqual(['x'])
    const { idUsuario } = user
    const involved = { relatorios: [reportId], conjuntos: [datasetId] }
    expect(await ends()).toEqual([
      { idUsuario, detalhes: { ...details, resultado: 'PUBLICADA', ...involved } },
      { idUsuario, detalhes: { ...details, resultado: 'RECUSADA', ...involved } },
    ])
  })

  test('the end of a publication is audited when the service refuses the call, and when the caller is blocked meanwhile', async () => {
    await connect()
    const error = { code: 'PublicationBusy', message: 'x' }
    suite.provider.answer(operation, () => ({ status: 409, body: { error } }))
    expect((await admin.post(url, asked)).status).toBe(409)
    const detalhes = { ...details, resultado: 'FALHOU', codigo: 'publicacao_em_andamento' }
    expect(await ends()).toMatchObject([{ detalhes }])
    const held = suite.provider.hold(operation)
    const published = admin.post(url, asked)
    const release = await held
    const blocked = { situacao: 'BLOQUEADO' as const }
    await suite.app.db.updateTable('usuario').set(blocked).where('idUsuario', '=', user.idUsuario).execute()
    release()
    await published
    expect(await ends()).toHaveLength(2)
  })
})

describe.each([
  [
    'a file',
    `${draft}/previa`,
    body,
    { workspace: { name: 'Área nova' }, report: body.relatorio, timeZone: 'America/Sao_Paulo' },
  ],
  ['a folder', `/publicacoes/pastas/${draftId}/previa`, { reportId }, { report: reportId }],
])('a preview of %s', (_what, url, asked, passedOn) => {
  const preview = () => admin.post(url, asked)

  test('a preview opens the report of the draft for a few minutes, or says what is wrong', async () => {
    await connect()
    const { status, body: shown } = await preview()
    expect(status).toBe(200)
    expect(shown).toEqual({
      erros: [],
      previa: {
        reportId,
        embedUrl: `${suite.provider.origin}/reportEmbed?reportId=x`,
        embedToken: expect.stringMatching(/^preview-/),
        expiration: expect.any(String),
      },
    })
    expect(received('/preview')).toEqual([passedOn])
    suite.provider.answer('previewDraft', () => ({ body: { faults: ['Relatório: … (linha 3, coluna 5)'] } }))
    expect((await preview()).body).toEqual({ erros: ['Relatório: … (linha 3, coluna 5)'], previa: null })
  })

  test('a preview is refused when the service names another page than its own', async () => {
    await connect()
    const elsewhere = 'https://example.org/reportEmbed'
    const expiration = new Date().toISOString()
    suite.provider.answer('previewDraft', () => ({
      body: { faults: [], reportId, token: 'x', expiration, embedUrl: elsewhere },
    }))
    expect((await preview()).body.codigo).toBe('bi_resposta_invalida')
  })

  test.each([
    ['is blocked', 401, { situacao: 'BLOQUEADO' as const }],
    ['is no longer an ADMIN', 403, { tipoUsuario: 'USER' as const }],
  ])(
    'a preview refuses the preview when the caller %s while the service answers',
    async (_, status, fields) => {
      await connect()
      const held = suite.provider.hold('previewDraft')
      const shown = preview()
      const release = await held
      await suite.app.db.updateTable('usuario').set(fields).where('idUsuario', '=', user.idUsuario).execute()
      release()
      const answer = await shown
      expect(answer.status).toBe(status)
      expect(answer.body).not.toHaveProperty('previa')
    },
  )
})

describe('a folder with definitions', () => {
  const folder = `/publicacoes/pastas/${draftId}`

  test('a folder with definitions is sent file by file, with its paths', async () => {
    await connect()
    expect(await admin.post('/publicacoes/pastas', { nome: 'meu-relatorio' })).toMatchObject({
      status: 201,
      body: { rascunho: draftId },
    })
    const caminho = 'área & vendas/dataset.json'
    const form = formOf({ caminho }, { bytes: Buffer.from('{}'), name: 'dataset.json' })
    expect((await admin.upload(`${folder}/arquivos`, form)).status).toBe(201)
    const calls = suite.provider.seen.filter(({ path }) => path.includes('/drafts'))
    expect(calls.map(({ path, body }) => [path.replace(draftId, ':id'), body])).toEqual([
      ['/v1.0/myorg/drafts/folders', '{"name":"meu-relatorio"}'],
      ['/v1.0/myorg/drafts/folders/:id/files?path=%C3%A1rea%20%26%20vendas%2Fdataset.json', '{}'],
    ])
    expect((await admin.upload(`${folder}/arquivos`, formOf({ caminho: 'x.csv' }))).body.campos).toEqual({
      arquivo: 'Escolha um arquivo.',
    })
    for (const [code, codigo] of [
      ['UnsupportedPath', 'caminho_recusado'],
      ['PathOutsideFolder', 'caminho_fora_da_pasta'],
    ]) {
      suite.provider.answer('sendDraft', () => ({ status: 415, body: { error: { code, message: 'x' } } }))
      expect((await admin.upload(`${folder}/arquivos`, form)).body.codigo).toBe(codigo)
    }
  })

  test('a folder with definitions is checked, and published with an audit line', async () => {
    const { idPowerBi } = await connect()
    const place = { idGrupo: groupId, nomeGrupo: 'Saúde' }
    const relatorios = [{ reportId, nome: 'Vendas', ...place, substitui: false, papeis: ['Operadora'] }]
    const expected = { erros: [], avisos: [], idPowerBI: idPowerBi, relatorios }
    expect((await admin.post(`${folder}/conferencia`, {})).body).toEqual(expected)
    const lines = () =>
      suite.app.db
        .selectFrom('auditoria')
        .select('detalhes')
        .where('acao', '=', 'publication.ordered')
        .execute()
    expect(await lines()).toEqual([])
    expect((await admin.post(folder, {})).body).toEqual(expected)
    expect(await lines()).toEqual([{ detalhes: { rascunho: draftId, pasta: true } }])
    const named = ['Vendas 10', 'Vendas 9'].map((name) => ({
      id: reportId,
      name,
      workspaceId: groupId,
      workspaceName: 'Saúde',
      replaces: false,
    }))
    suite.provider.answer('validateFolder', () => ({ body: { faults: [], remarks: [], reports: named } }))
    const listed = (await admin.post(`${folder}/conferencia`, {})).body.relatorios
    expect(listed.map(({ nome }: { nome: string }) => nome)).toEqual(['Vendas 9', 'Vendas 10'])
    const faults = ['vendas/dataset.json: name: falta este campo (linha 1, coluna 1)']
    suite.provider.answer('validateFolder', () => ({ body: { faults, remarks: ['x'], reports: [] } }))
    expect((await admin.post(folder, {})).body).toEqual({
      erros: faults,
      avisos: ['x'],
      idPowerBI: idPowerBi,
      relatorios: [],
    })
  })
})

test('the service learns for whom a call is, by a name of its own for each person', async () => {
  await connect()
  const other = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  await send()
  await admin.post(`${draft}/leitura`, { nomeRelatorio: 'x' })
  for (const act of ['/conferencia', '/previa', '']) await admin.post(draft + act, body)
  await other.post(`${draft}/previa`, body)
  const people = suite.provider.seen
    .filter(({ path }) => path.includes('/drafts'))
    .map(({ requestedFor }) => requestedFor)
  const [own] = people
  expect(own).toMatch(/^[\w-]{40,}$/)
  expect(people.slice(0, -1)).toEqual([own, own, own, own, own])
  expect(people.at(-1)).not.toBe(own)
})

describe('a refusal of the service', () => {
  test.each([
    ['DraftNotFound', 404, 'rascunho_inexistente'],
    ['TooManyDrafts', 429, 'rascunhos_demais'],
    ['UnsupportedFile', 415, 'dados_recusados'],
    ['RequestTooLarge', 413, 'arquivo_grande_demais'],
    ['PublicationBusy', 409, 'publicacao_em_andamento'],
    ['InternalServerError', 500, 'bi_indisponivel'],
  ])('%s becomes a sentence', async (code, status, codigo) => {
    await connect()
    const refuse = () => ({ status, body: { error: { code, message: 'x' } } })
    for (const kind of ['sendDraft', 'readDraft', 'checkOrPublishDraft', 'previewDraft'] as const)
      suite.provider.answer(kind, refuse)
    const answers = [
      await send(),
      await admin.post(`${draft}/leitura`, { nomeRelatorio: 'x' }),
      await admin.post(draft, body),
      await admin.post(`${draft}/previa`, body),
    ]
    expect(answers.map(({ body }) => body.codigo)).toEqual([codigo, codigo, codigo, codigo])
  })
})

test('the end of a publication changes nothing from a test restore, which knows the credentials of production', async () => {
  await connect()
  const moment = new Date().toISOString()
  await setTestRestore(suite.app.db, { restauradaEm: moment, copiaDe: moment, bucket: null })
  const versions = `/publicacoes/relatorios/${reportId}/versoes`
  const changes = [
    admin.post(draft, body),
    admin.post(`/publicacoes/pastas/${draftId}`),
    admin.post(`/publicacoes/relatorios/${reportId}/dados`, { rascunho: draftId, tabela: 'Custos' }),
    admin.post(`${versions}/1/restauracao`, { comDados: true }),
    admin.post(`/publicacoes/relatorios/${reportId}/agenda/execucao`),
  ]
  for (const answer of await Promise.all(changes))
    expect(answer).toMatchObject({ status: 409, body: { codigo: 'ambiente_de_ensaio' } })
  expect(suite.provider.seen.map(({ path }) => path)).not.toContainEqual(
    expect.stringMatching(/publish|data|restore/),
  )
  expect((await admin.get(versions)).status).toBe(200)
})

test('publishing needs a recent confirmation to change what published reports show, or to compare their rows', async () => {
  await connect()
  suite.app.clock.offsetMs = 11 * 60_000
  const report = `/publicacoes/relatorios/${reportId}`
  const changes = [
    admin.post(draft, body),
    admin.post(`/publicacoes/pastas/${draftId}`),
    admin.post(`${report}/dados/conferencia`, { rascunho: draftId, tabela: 'Custos' }),
    admin.post(`${report}/dados`, { rascunho: draftId, tabela: 'Custos' }),
    admin.post(`${report}/versoes/1/restauracao`, { comDados: false }),
    admin.put(`${report}/agenda`, schedule),
  ]
  for (const { status, body } of await Promise.all(changes))
    expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
})

const schedule = {
  tabela: 'Custos',
  origem: 'URL',
  endereco: 'https://exemplo.com.br/custos.csv',
  frequencia: 'DIA',
  horario: '03:00',
  ativa: true,
}
