import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let idPowerBi: number
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
  idPowerBi = (await createConnection(app, { nome: 'Conexão' })).idPowerBi
})

const draft = (fields = {}) => ({ nomeGrupo: 'Saúde', idGrupo: randomUUID(), idPowerBi, ...fields })

describe('GET /usuarios/workspace', () => {
  const names = ['Zona', 'Água', 'banco', 'Árvore 100%', 'abacaxi', 'Éden', 'Água_1']
  beforeEach(async () => {
    for (const nomeGrupo of names) await createWorkspace(app, { idPowerBi, nomeGrupo })
  })
  const namesOf = (body: { nomeGrupo: string }[]) => body.map(({ nomeGrupo }) => nomeGrupo)

  test('GET /usuarios/workspace without a page returns all workspaces, in Brazilian order', async () => {
    const { status, body, headers } = await admin.get('/usuarios/workspace')
    expect(status).toBe(200)
    expect(namesOf(body)).toEqual(['abacaxi', 'Água', 'Água_1', 'Árvore 100%', 'banco', 'Éden', 'Zona'])
    expect([headers['x-total-count'], headers.link]).toEqual(['7', undefined])
    expect(body[0]).toEqual({
      idGrupoRelatorio: expect.any(Number),
      nomeGrupo: 'abacaxi',
      idGrupo: expect.any(String),
      idPowerBi,
      nomePowerBi: 'Conexão',
      versao: 1,
    })
  })

  test('GET /usuarios/workspace returns pages, with the total and the next address', async () => {
    const first = await admin.get('/usuarios/workspace?pagina=1&tamanho=3&ordem=-nomeGrupo')
    expect(namesOf(first.body)).toEqual(['Zona', 'Éden', 'banco'])
    expect(first.headers['x-total-count']).toBe('7')
    expect(first.headers.link).toBe(
      '</api/usuarios/workspace?pagina=2&tamanho=3&ordem=-nomeGrupo>; rel="next"',
    )
    const last = await admin.get('/usuarios/workspace?pagina=3&tamanho=3')
    expect(namesOf(last.body)).toEqual(['Zona'])
    expect(last.headers.link).toBeUndefined()
    const beyond = await admin.get('/usuarios/workspace?pagina=9')
    expect([beyond.body, beyond.headers['x-total-count']]).toEqual([[], '7'])
  })

  test('GET /usuarios/workspace returns five rows per page by default', async () => {
    expect((await admin.get('/usuarios/workspace?pagina=1')).body).toHaveLength(5)
  })

  test.each([
    ['AGUA', ['Água', 'Água_1']],
    ['a_1', ['Água_1']],
    ['0%', ['Árvore 100%']],
    ['100%  arv', ['Árvore 100%']],
    ['\\', []],
    ['zzz', []],
  ])(
    'GET /usuarios/workspace finds %s in the name, ignoring accents and case, without wildcards',
    async (text, found) => {
      const { body, headers } = await admin.get(
        `/usuarios/workspace?busca=${encodeURIComponent(text)}&pagina=1`,
      )
      expect(namesOf(body)).toEqual(found)
      expect(headers['x-total-count']).toBe(String(found.length))
    },
  )

  test.each(['pagina=0', 'tamanho=101', 'tamanho=0', 'ordem=segredo', 'pagina=x', 'busca=%00'])(
    'GET /usuarios/workspace refuses %s with 422',
    async (query) => {
      expect((await admin.get(`/usuarios/workspace?${query}`)).status).toBe(422)
    },
  )

  test('GET /usuarios/workspace exports a CSV without formulas, and audits the export', async () => {
    await createWorkspace(app, { idPowerBi, nomeGrupo: '=SOMA(1;2)' })
    const { status, headers, body } = await admin.get('/usuarios/workspace.csv?busca=a')
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="workspaces.csv"')
    const lines = String(body).split('\r\n')
    expect(lines[0]).toBe('\uFEFFNome do Workspace;Grupo ID;Power Bi')
    expect(lines[1]).toMatch(/^"'=SOMA\(1;2\)";/)
    const [entry] = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'list.exported')
      .execute()
    expect(entry).toMatchObject({ objeto: 'workspaces', detalhes: { busca: 'a' } })
  })

  test('GET /grupo-permissao returns the number of reports of each group', async () => {
    const { body } = await admin.get('/grupo-permissao?busca=zona')
    await createReport(app, { idGrupoRelatorio: body[0].idGrupoRelatorio })
    expect((await admin.get('/grupo-permissao?busca=zona')).body).toEqual([
      {
        idGrupoRelatorio: expect.any(Number),
        nomeGrupo: 'Zona',
        idGrupo: expect.any(String),
        quantidadeRelatorios: 1,
      },
    ])
  })
})

describe('POST /usuarios/workspace', () => {
  test('POST /usuarios/workspace answers 201 with the record and its version, and audits it', async () => {
    const { status, body, headers } = await admin.post('/usuarios/workspace', draft({ segredo: 'x' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ nomeGrupo: 'Saúde', nomePowerBi: 'Conexão', versao: 1 })
    expect(headers.etag).toBe('"1"')
    expect((await admin.get(`/usuarios/workspace/${body.idGrupoRelatorio}`)).body).toEqual(body)
    const audit = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'workspace.created')
      .execute()
    expect(audit).toMatchObject([
      { objeto: `workspace:${body.idGrupoRelatorio}`, detalhes: { depois: body } },
    ])
  })

  test('POST /usuarios/workspace accepts the connection id as text', async () => {
    expect((await admin.post('/usuarios/workspace', draft({ idPowerBi: String(idPowerBi) }))).status).toBe(
      201,
    )
  })

  test.each([
    ['nomeGrupo', { nomeGrupo: '  ' }],
    ['nomeGrupo', { nomeGrupo: undefined }],
    ['nomeGrupo', { nomeGrupo: 'a\nb' }],
    ['nomeGrupo', { nomeGrupo: 'a'.repeat(121) }],
    ['idGrupo', { idGrupo: 'não é um id' }],
    ['idPowerBi', { idPowerBi: 0 }],
    ['idPowerBi', { idPowerBi: null }],
    ['idPowerBi', { idPowerBi: 999_999 }],
  ])('POST /usuarios/workspace refuses a wrong %s at its field', async (field, fields) => {
    const { status, body } = await admin.post('/usuarios/workspace', draft(fields))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect((await admin.get('/usuarios/workspace')).body).toEqual([])
  })

  test('POST /usuarios/workspace answers 409 for a group that the connection has already', async () => {
    const idGrupo = randomUUID()
    await admin.post('/usuarios/workspace', draft({ idGrupo }))
    const { status, body } = await admin.post(
      '/usuarios/workspace',
      draft({ idGrupo: idGrupo.toUpperCase() }),
    )
    expect([status, body.codigo]).toEqual([409, 'workspace_ja_cadastrado'])
  })
})

describe('PUT /usuarios/workspace/:id', () => {
  test('PUT /usuarios/workspace/:id accepts the answer of a GET, raises the version and audits the changes', async () => {
    const { idGrupoRelatorio: id } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Antes' })
    const { body: record } = await admin.get(`/usuarios/workspace/${id}`)
    const { status, body } = await admin.put(
      `/usuarios/workspace/${id}`,
      { ...record, nomeGrupo: 'Depois' },
      { 'if-match': '"1"' },
    )
    expect([status, body]).toEqual([200, { ...record, nomeGrupo: 'Depois', versao: 2 }])
    const [entry] = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'workspace.updated')
      .execute()
    expect(entry?.detalhes).toEqual({
      versao: 2,
      antes: { nomeGrupo: 'Antes' },
      depois: { nomeGrupo: 'Depois' },
    })
  })

  test('PUT /usuarios/workspace/:id answers 412 with the other change when the version is older, and writes nothing', async () => {
    const { idGrupoRelatorio: id, idGrupo } = await createWorkspace(app, { idPowerBi })
    const url = `/usuarios/workspace/${id}`
    await admin.put(url, draft({ idGrupo, nomeGrupo: 'Primeiro' }), { 'if-match': '"1"' })
    const { status, body } = await admin.put(url, draft({ idGrupo, nomeGrupo: 'Segundo' }), {
      'if-match': '"1"',
    })
    expect([status, body.codigo]).toEqual([412, 'versao_antiga'])
    expect(body.detail).toMatch(
      /^Marina Alves alterou Nome do Workspace em \d\d\/\d\d\/\d{4} às \d\d:\d\d, depois que você abriu/,
    )
    expect((await admin.get(url)).body.nomeGrupo).toBe('Primeiro')
    // Without If-Match the last write wins, as older clients expect.
    expect((await admin.put(url, draft({ idGrupo, nomeGrupo: 'Terceiro' }))).status).toBe(200)
    expect((await admin.put(url, draft(), { 'if-match': 'qualquer' })).status).toBe(400)
  })

  test('PUT /usuarios/workspace/:id audits concurrent changes so that each starts where the previous one ended', async () => {
    const { idGrupoRelatorio: id, idGrupo } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'N0' })
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        admin.put(`/usuarios/workspace/${id}`, draft({ idGrupo, nomeGrupo: `N${n + 1}` })),
      ),
    )
    const entries = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'workspace.updated')
      .orderBy('idAuditoria')
      .execute()
    const changes = entries.map(
      ({ detalhes }) => detalhes as Record<'antes' | 'depois', { nomeGrupo: string }>,
    )
    expect(changes).toHaveLength(8)
    expect(changes.map(({ antes }) => antes.nomeGrupo)).toEqual([
      'N0',
      ...changes.slice(0, -1).map(({ depois }) => depois.nomeGrupo),
    ])
  })

  test('PUT /usuarios/workspace/:id answers 404 for an unknown id, as do GET and DELETE', async () => {
    for (const id of ['999', 'x', '0', '99999999999']) {
      expect((await admin.get(`/usuarios/workspace/${id}`)).status).toBe(404)
      expect((await admin.put(`/usuarios/workspace/${id}`, draft())).status).toBe(404)
      expect((await admin.del(`/usuarios/workspace/${id}`)).status).toBe(404)
    }
  })
})

describe('DELETE /usuarios/workspace/:id', () => {
  test('DELETE /usuarios/workspace/:id deletes an empty workspace', async () => {
    const { idGrupoRelatorio: id } = await createWorkspace(app, { idPowerBi })
    const json = { 'content-type': 'application/json' }
    expect((await admin.del(`/usuarios/workspace/${id}`, json)).status).toBe(204)
    expect((await admin.get(`/usuarios/workspace/${id}`)).status).toBe(404)
  })

  test('DELETE /usuarios/workspace/:id is refused while the workspace has reports, with their number', async () => {
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    await createReport(app, { idGrupoRelatorio })
    const one = await admin.del(`/usuarios/workspace/${idGrupoRelatorio}`)
    expect([one.status, one.body.codigo]).toEqual([409, 'registro_em_uso'])
    expect(one.body.detail).toBe('Este Workspace tem 1 relatório. Exclua-o primeiro.')
    await createReport(app, { idGrupoRelatorio })
    const two = await admin.del(`/usuarios/workspace/${idGrupoRelatorio}`)
    expect(two.body.detail).toBe('Este Workspace tem 2 relatórios. Exclua-os primeiro.')
  })
})
