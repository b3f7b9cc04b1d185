import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' })
beforeEach(async () => {
  person = await createUser(app, { nomeUsuario: 'Ana Raiz', tipoUsuario: 'ADMIN' })
  root = await app.as(person)
})

type Session = Awaited<ReturnType<TestApp['as']>>
let person: Awaited<ReturnType<typeof createUser>>
let root: Session

const actions = async (query = '') => {
  const { status, body } = await root.get(`/auditoria?${query}`)
  expect(status).toBe(200)
  return body.map(({ acao, objeto }: { acao: string; objeto: string | null }) => objeto ?? acao)
}

const record = (
  subject: string,
  { at, idUsuario = null }: { at?: string; idUsuario?: number | null } = {},
) => {
  if (at) app.clock.offsetMs = new Date(at).getTime() - Date.now()
  return app.services.writeAudit(app.db, { action: 'workspace.updated', idUsuario, subject })
}

test('GET /auditoria returns user, action, object, details and address, newest first', async () => {
  const { body: made } = await root.post('/responsavel', { nomeResponsavel: 'Clínica' })
  const { body, headers } = await root.get('/auditoria')
  expect(headers['x-total-count']).toBe('2')
  expect(body).toEqual([
    {
      idAuditoria: 2,
      quando: expect.stringMatching(/^\d{4}-.*Z$/),
      idUsuario: person.idUsuario,
      nomeUsuario: 'Ana Raiz',
      acao: 'responsible.created',
      objeto: `responsible:${made.idResponsavel}`,
      detalhes: expect.objectContaining({}),
      endereco: '127.0.0.1',
      idRequisicao: expect.any(String),
      nomes: {
        [`responsible:${made.idResponsavel}`]: { nome: 'Clínica', existe: true },
      },
    },
    expect.objectContaining({ acao: 'session.created', idUsuario: person.idUsuario }),
  ])
})

test("GET /auditoria returns a deleted user's id, and the name if the trail has it", async () => {
  const [lost, known] = [await createUser(app), await createUser(app, { nomeUsuario: 'Bia Lima' })]
  await record('workspace:1', { idUsuario: lost.idUsuario })
  await record('workspace:1', { idUsuario: known.idUsuario })
  await app.db.deleteFrom('usuario').where('idUsuario', '=', lost.idUsuario).execute()
  expect((await root.del(`/usuarios/${known.idUsuario}`)).status).toBe(204)
  const { body } = await root.get('/auditoria?objeto=workspace')
  expect(body).toMatchObject([
    { idUsuario: known.idUsuario, nomeUsuario: null },
    { idUsuario: lost.idUsuario, nomeUsuario: null },
  ])
  expect(body[0].nomes[`usuario:${known.idUsuario}`]).toEqual({ nome: 'Bia Lima', existe: false })
  expect(body[1].nomes[`usuario:${lost.idUsuario}`]).toEqual({ nome: null, existe: false })
})

test('GET /auditoria filters by user, action, object and kind of object', async () => {
  const { idUsuario } = await createUser(app)
  for (const subject of ['workspace:1', 'workspace:12', 'workspaces', 'relatorio:1']) await record(subject)
  await record('workspace:12', { idUsuario })
  expect(await actions('objeto=workspace:12')).toEqual(['workspace:12', 'workspace:12'])
  expect(await actions('objeto=workspace')).toEqual(['workspace:12', 'workspace:12', 'workspace:1'])
  expect(await actions('objeto=workspace:')).toEqual([])
  expect(await actions('objeto=%25')).toEqual([])
  expect(await actions(`idUsuario=${idUsuario}`)).toEqual(['workspace:12'])
  expect(await actions('acao=session.created')).toEqual(['session.created'])
  expect(await actions(`acao=session.created&idUsuario=${idUsuario}`)).toEqual([])
  expect((await root.get('/auditoria?acao=nada')).status).toBe(422)
})

test('GET /auditoria filters by days of São Paulo, both included', async () => {
  await record('a:1', { at: '2026-03-10T02:58:00Z' })
  await record('a:2', { at: '2026-03-10T03:00:00Z' })
  await record('a:3', { at: '2026-03-12T02:58:00Z' })
  await record('a:4', { at: '2026-03-12T03:00:00Z' })
  app.clock.offsetMs = 0
  expect(await actions('objeto=a&de=2026-03-10&ate=2026-03-11')).toEqual(['a:3', 'a:2'])
  expect(await actions('objeto=a&de=2026-03-12')).toEqual(['a:4'])
  expect(await actions('objeto=a&ate=2026-03-09')).toEqual(['a:1'])
  expect((await root.get('/auditoria?de=2026-02-30')).status).toBe(422)
})

test('GET /auditoria returns pages, and a capped total above 5,000', async () => {
  await app.services.writeAudit(
    app.db,
    Array.from({ length: 1_500 }, (_, n) => ({
      action: 'workspace.updated' as const,
      idUsuario: null,
      subject: `p:${n}`,
    })),
  )
  const { body, headers } = await root.get('/auditoria?objeto=p&pagina=2&tamanho=2')
  expect(body.map(({ objeto }: { objeto: string }) => objeto)).toEqual(['p:1497', 'p:1496'])
  expect(headers).toMatchObject({
    'x-total-count': '1500',
    link: expect.stringContaining('pagina=3'),
  })
  expect(headers['x-total-count-capped']).toBeUndefined()
  expect((await root.get('/auditoria?objeto=p')).body).toHaveLength(1_000)
  await app.db
    .insertInto('auditoria')
    .columns(['acao', 'detalhes'])
    .expression((eb) =>
      eb
        .selectFrom('auditoria as a')
        .innerJoin('auditoria as b', (join) => join.onTrue())
        .select(['a.acao', 'a.detalhes'])
        .where('b.objeto', 'in', ['p:1', 'p:2', 'p:3']),
    )
    .execute()
  const all = await root.get('/auditoria?pagina=1')
  expect(all.headers).toMatchObject({ 'x-total-count': '5000', 'x-total-count-capped': 'true' })
  expect(all.body).toHaveLength(5)
})

test('GET /auditoria.csv exports the filtered lines without formulas, and is audited', async () => {
  const { idUsuario } = await createUser(app, { nomeUsuario: '=cmd()' })
  await record('workspace:7', { at: '2026-03-10T03:00:00Z', idUsuario })
  await app.db.deleteFrom('grupoRelatorio').execute()
  await record('relatorio:7')
  app.clock.offsetMs = 0
  const { status, headers, body } = await root.get('/auditoria.csv?objeto=workspace')
  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe('attachment; filename="auditoria.csv"')
  const lines = body.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('Quando;Quem;')
  expect(lines[0]).toContain(';Objeto;Nome do objeto;')
  expect(lines[1]).toContain("10/03/2026 00:00:00;'=cmd();")
  expect(lines[1]).toContain(';Editou um workspace;workspace.updated;workspace:7;Workspace nº 7 (excluído);')
  expect((await root.get('/auditoria?acao=audit.exported')).body).toMatchObject([
    { idUsuario: person.idUsuario, objeto: 'auditoria', detalhes: { linhas: 1, objeto: 'workspace' } },
  ])
})

test('GET /auditoria.csv exports all lines of several batches', async () => {
  const many = Array.from({ length: 4_100 }, (_, n) => ({
    action: 'embed.issued' as const,
    idUsuario: null,
    subject: `m:${n}`,
  }))
  await app.services.writeAudit(app.db, many.slice(0, 2_050))
  await app.services.writeAudit(app.db, many.slice(2_050))
  const { body } = await root.get('/auditoria.csv?objeto=m')
  const lines: string[] = body.trim().split('\r\n').slice(1)
  expect(lines).toHaveLength(4_100)
  expect(new Set(lines.map((line) => /;m:(\d+);/.exec(line)?.[1])).size).toBe(4_100)
})

test('a refusal is audited once per minute, session and route', async () => {
  const user = await createUser(app)
  const session = await app.as(user)
  const refusals = async () => (await root.get('/auditoria?acao=access.refused')).body
  for (let n = 0; n < 5; n += 1)
    expect((await session.get(`/usuarios/powerbi/${n}?x=segredo`)).status).toBe(403)
  expect(await refusals()).toMatchObject([
    {
      idUsuario: user.idUsuario,
      objeto: 'GET /api/usuarios/powerbi/:id',
      detalhes: { codigo: 'sem_permissao' },
    },
  ])
  await session.del('/usuarios/powerbi/1')
  await (await app.as(user)).get('/usuarios/powerbi/1')
  expect(await refusals()).toHaveLength(3)
  app.clock.offsetMs = 61_000
  await session.get('/usuarios/powerbi/9')
  expect(await refusals()).toHaveLength(4)
  app.clock.offsetMs = -3_600_000
  await session.get('/usuarios/powerbi/9')
  expect(await refusals()).toHaveLength(5)
  app.clock.offsetMs = 61_000
  // A contradicting identity header, and another user's record.
  expect((await session.get('/usuarios/sessao', { usuario_id: '999' })).status).toBe(403)
  expect((await session.get(`/usuarios/${person.idUsuario}`)).status).toBe(403)
  expect(
    (await refusals()).map(({ detalhes }: { detalhes: { codigo: string } }) => detalhes.codigo).slice(0, 2),
  ).toEqual(['sem_permissao', 'identidade_divergente'])
  // Without a session, or with a missing target: not audited as refusals.
  await app.anonymous.get('/usuarios/powerbi/1')
  await root.get('/usuarios/powerbi/999')
  expect(await refusals()).toHaveLength(7)
})
