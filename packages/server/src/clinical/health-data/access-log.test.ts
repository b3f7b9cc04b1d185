import { type AccessAction, type AccessObject, type Endpoint, purposes } from '@bi-manager/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTargets, type Targets } from '../../../test/calls/call-targets.ts'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { goodCalls } from '../../../test/calls/every-call.ts'
import { accessesAfter, clinicalCounts, lastAccess, lastAudit } from '../../../test/clinical/access-log.ts'
import { createEntity } from '../../../test/clinical/medical-records.ts'
import { formOf } from '../../../test/multipart.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { purposeInWords } from './purpose.ts'

/* Generated from the contract: each call that opens patient data must write the access log (who,
   whose, what, why) before it answers, and a caller without the flag writes nothing. */

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  RATE_LIMIT_PER_MINUTE: '1000000',
  REPORTS_URL: provider.origin,
}))
beforeEach(async () => {
  officer = await createUser(app, {
    nomeUsuario: 'Helena Duarte',
    acessoProntuario: true,
    encarregadoDados: true,
  })
  caller = await app.as(officer)
  targets = await createTargets(app, officer)
  held = await fill(targets)
})

type Caller = Awaited<ReturnType<TestApp['as']>>
let officer: Awaited<ReturnType<typeof createUser>>
let caller: Caller
let targets: Targets
let held: { records: number[]; attachment: number }

const why = `${purposes.outro}: pedido da ouvidoria de Maria`
const purpose = { 'x-finalidade': encodeURIComponent(why) }

const pixel = sharp({ create: { width: 2, height: 2, channels: 3, background: '#036' } })
  .png()
  .toBuffer()
const attachmentFields = { titulo_anexo: 'Exame', descricao_anexo: 'Sangue', tipo_anexo: 'IMG' }
const attachmentForm = async ({ beneficiary }: Targets) =>
  formOf(
    { ...attachmentFields, id_beneficiario: beneficiary.id_beneficiario },
    { bytes: await pixel, name: 'exame.png', type: 'image/png' },
  )

/** Creates two records and an attachment of the beneficiary that the calls are about. */
const fill = async (of: Targets) => {
  const records = []
  for (let n = 0; n < 2; n += 1) {
    records.push((await createEntity(app, officer, { beneficiario: of.beneficiary.id })).id)
  }
  const { status, body } = await caller.upload('/anexos', await attachmentForm(of), purpose)
  expect(status).toBe(201)
  return { records, attachment: Number(body.id) }
}

const clinical = endpoints.filter(({ permission }) =>
  ['records:access', 'data-protection:manage'].includes(permission),
)
const key = ({ method, url }: Endpoint) => `${method} ${url}`

type Expected = [AccessAction, AccessObject, number][]

interface Answered {
  params: Record<string, string | number>
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint answers another body.
  body: any
}

const each = (acao: AccessAction, objeto: AccessObject, rows: { id: number }[]): Expected =>
  rows.map(({ id }) => [acao, objeto, Number(id)])

/**
 * The expected rows of a successful call, by `METHOD url`. An endpoint without an entry fails this
 * file.
 */
const expectations: Record<string, (answered: Answered) => Expected> = {
  'GET /beneficiarios': ({ body }) => each('lido', 'beneficiario', body),
  'GET /beneficiarios/:id': ({ body }) => each('lido', 'beneficiario', [body]),
  'POST /beneficiarios': ({ body }) => each('registrado', 'beneficiario', [body]),
  'PUT /beneficiarios/:id': ({ body }) => each('alterado', 'beneficiario', [body]),
  'POST /beneficiarios/busca': ({ body }) => each('buscado', 'beneficiario', body),
  // Unregistered people have no data to read; for registered ones see the tests of the import.
  'POST /beneficiarios/importacao/previa': () => [],
  // The provider stand-in knows no ids; for registered ones see the tests of the route.
  'POST /usuarios/relatorio/:id/beneficiarios': () => [],
  'POST /beneficiarios/importacao': () => [['registrado', 'beneficiario', targets.beneficiary.id + 1]],

  'GET /prontuarios': ({ body }) => each('lido', 'prontuario', body),
  'GET /prontuarios/:id': ({ body }) => each('lido', 'prontuario', [body]),
  'POST /prontuarios': ({ body }) => [
    ['registrado', 'beneficiario', body.beneficiario],
    ['registrado', 'prontuario', body.id],
  ],
  'PUT /prontuarios/:id': ({ body }) => each('alterado', 'prontuario', [body]),
  'DELETE /prontuarios/:id': ({ params }) => [['arquivado', 'prontuario', Number(params.id)]],
  'GET /prontuarios/:id/versoes': ({ params }) => [['lido', 'prontuario', Number(params.id)]],
  'GET /prontuarios/:id/pdf': ({ params }) => [['exportado', 'prontuario', Number(params.id)]],
  'POST /prontuarios/:id/impressao': ({ params }) => [['impresso', 'prontuario', Number(params.id)]],

  'GET /anexos': ({ body }) => each('lido', 'anexo', body),
  'POST /anexos': ({ body }) => each('registrado', 'anexo', [body]),
  'GET /anexos/:id/arquivo': ({ params }) => [['baixado', 'anexo', Number(params.id)]],
  'DELETE /anexos/:id': ({ params }) => [['arquivado', 'anexo', Number(params.id)]],

  'GET /protecao-de-dados/beneficiarios/:id/exportacao': () => exported(),
  'GET /protecao-de-dados/beneficiarios/:id/exportacao.pdf': () => exported(),
  // Logging reads of the access log would add a row for each read; the audit trail records them.
  'GET /protecao-de-dados/beneficiarios/:id/acessos': () => [],
  'GET /protecao-de-dados/beneficiarios/:id/acessos.csv': () => [],
  'GET /protecao-de-dados/retencao': ({ body }) =>
    body.map(({ beneficiario }: { beneficiario: number }) => ['lido', 'beneficiario', beneficiario]),
  // Incidents are the officer's own register and belong to no patient.
  'GET /protecao-de-dados/incidentes': () => [],
  'GET /protecao-de-dados/incidentes/:id': () => [],
  'POST /protecao-de-dados/incidentes': () => [],
  'PUT /protecao-de-dados/incidentes/:id': () => [],
}

const exported = (): Expected => [
  ['exportado', 'beneficiario', targets.beneficiary.id],
  ...held.records.map((id): Expected[number] => ['exportado', 'prontuario', id]),
  ['exportado', 'anexo', held.attachment],
]

/** The audit actions of calls that write no row to the access log. */
const audited: Record<string, string> = {
  'POST /beneficiarios/importacao/previa': 'beneficiary.read',
  'POST /usuarios/relatorio/:id/beneficiarios': 'beneficiary.read',
  'GET /protecao-de-dados/beneficiarios/:id/acessos': 'access-log.read',
  'GET /protecao-de-dados/beneficiarios/:id/acessos.csv': 'access-log.exported',
  'GET /protecao-de-dados/incidentes': 'incident.read',
  'GET /protecao-de-dados/incidentes/:id': 'incident.read',
  'POST /protecao-de-dados/incidentes': 'incident.created',
  'PUT /protecao-de-dados/incidentes/:id': 'incident.updated',
}

interface Sent extends Answered {
  status: number
  expectedStatus: number
  startedAt: number
}

const changesOf: Record<string, object> = {
  'PUT /prontuarios/:id': { descricao_hd: 'Dor' },
  'PUT /protecao-de-dados/incidentes/:id': { medidas: 'Uma medida.' },
}

/** Sends the successful call of the endpoint, with the purpose. */
const sendGood = async (endpoint: Endpoint, by: Caller): Promise<Sent> => {
  const name = key(endpoint)
  if (name === 'POST /anexos') {
    const form = await attachmentForm(targets)
    const startedAt = await lastAccess(app)
    const { status, body } = await by.upload('/anexos', form, purpose)
    return { params: {}, status, body, expectedStatus: 201, startedAt }
  }
  const [call] = (await goodCalls[name]?.(targets)) ?? []
  if (!call) throw new Error(`${name}: a good call in test/calls/every-call.ts`)
  const { query, status: expectedStatus } = call
  // Without a change, a PUT of a record or incident counts as a read.
  const changes = changesOf[name]
  const body = changes ? { ...(call.body as object), ...changes } : call.body
  const params = call.params ?? {}
  const path = endpoint.url.replace(/:(\w+)/g, (_, field: string) => String(params[field]))
  const url = `${path}${query ? `?${query}` : ''}`
  const startedAt = await lastAccess(app)
  const answer = await {
    GET: () => by.get(url, purpose),
    DELETE: () => by.del(url, purpose),
    POST: () => by.post(url, body, purpose),
    PUT: () => by.put(url, body, purpose),
  }[endpoint.method as 'GET' | 'POST' | 'PUT' | 'DELETE']()
  return { params, status: answer.status, body: answer.body, expectedStatus, startedAt }
}

/** Sends any call of the endpoint, for the existing beneficiary, record or attachment. */
const sendAny = ({ method, url }: Endpoint, by: Caller) => {
  const id = /prontuarios/.test(url)
    ? held.records[0]
    : /anexos/.test(url)
      ? held.attachment
      : targets.beneficiary.id
  const path = url.replace(':id', String(id))
  return {
    GET: () => by.get(path, purpose),
    DELETE: () => by.del(path, purpose),
    POST: () => by.post(path, {}, purpose),
    PUT: () => by.put(path, {}, purpose),
  }[method as 'GET' | 'POST' | 'PUT' | 'DELETE']()
}

test('every clinical endpoint has an expectation, and no expectation is left over', () => {
  expect(Object.keys(expectations).sort()).toEqual(clinical.map(key).sort())
  expect(clinical.length).toBeGreaterThan(25)
})

describe.each(clinical.map((endpoint) => [key(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  test('a successful call logs exactly the expected rows: who, whose, what and why', async () => {
    const auditedBefore = await lastAudit(app)
    const answered = await sendGood(endpoint, caller)
    expect(answered.status).toBe(answered.expectedStatus)
    const rows = await accessesAfter(app, answered.startedAt)
    const expected = expectations[name]?.(answered) ?? []
    expect(rows.map(({ acao, objeto, idObjeto }) => [acao, objeto, idObjeto]).toSorted()).toEqual(
      expected.toSorted(),
    )
    for (const row of rows) {
      expect(row.beneficiario).toBe(row.objeto === 'beneficiario' ? row.idObjeto : await ownerOf(row))
      expect([row.idUsuario, row.nomeUsuario]).toEqual([officer.idUsuario, officer.nomeUsuario])
      expect(purposeInWords(row, app.services.secrets)).toBe(why)
      expect(row.finalidadeTexto).not.toMatch(/ouvidoria|Maria/)
      expect(row.idRequisicao).toEqual(expect.any(String))
    }
    const lines = await app.db
      .selectFrom('auditoria')
      .select(['acao', 'detalhes', 'idUsuario'])
      .where('idAuditoria', '>', auditedBefore)
      .execute()
    if (audited[name]) expect(lines.map(({ acao }) => acao)).toContain(audited[name])
    if (expected.length > 0) {
      expect(lines.every(({ idUsuario }) => idUsuario === officer.idUsuario)).toBe(true)
      expect(lines.some(({ detalhes }) => detalhes.finalidade === 'outro')).toBe(true)
    }
    expect(JSON.stringify(lines)).not.toMatch(/ouvidoria|Maria/)
  })

  test('a failure to write the access log refuses the call and rolls its changes back', async () => {
    // Deferred to the commit: an answer sent before the commit would succeed.
    await sql`create function falha_de_teste() returns trigger language plpgsql as
      $$ begin raise exception 'the log is full'; end $$`.execute(app.db)
    try {
      await sql`create constraint trigger falha_de_teste after insert on acesso_saude
        deferrable initially deferred for each row execute function falha_de_teste()`.execute(app.db)
      const countsBefore = await clinicalCounts(app)
      const answered = await sendGood(endpoint, caller)
      const expected = expectations[name]?.({ ...answered, body: bodyOrNone(answered) }) ?? []
      const isRead = name.startsWith('GET') && expected.length === 0 && audited[name] === undefined
      if (answered.status < 300) {
        // Only a call that logs no rows may be answered.
        expect(isRead || audited[name] !== undefined, name).toBe(true)
        expect(await accessesAfter(app, answered.startedAt)).toEqual([])
        return
      }
      expect(answered.status).toBe(500)
      expect(JSON.stringify(answered.body)).not.toMatch(/nome_beneficiario|descricao|the log is full/)
      expect(await accessesAfter(app, answered.startedAt)).toEqual([])
      expect(await clinicalCounts(app)).toEqual(withNewTargets(name, countsBefore))
    } finally {
      await sql`drop function falha_de_teste() cascade`.execute(app.db)
    }
  })
})

const bodyOrNone = ({ status, body }: Sent) => (status < 300 ? body : [])

const ownerOf = async ({ objeto, idObjeto }: { objeto: AccessObject; idObjeto: number }) => {
  const table = objeto === 'prontuario' ? 'prontuario' : 'anexo'
  const row = await app.db
    .selectFrom(table)
    .select('beneficiario')
    .where('id', '=', idObjeto)
    .executeTakeFirstOrThrow()
  return row.beneficiario
}

/** The successful calls of one record or attachment create their own target first. */
const withNewTargets = (name: string, before: Record<string, number> | undefined) => {
  if (name.includes('/prontuarios/:id')) return { ...before, records: Number(before?.records) + 1 }
  return name.includes('/anexos/:id') ? { ...before, attachments: Number(before?.attachments) + 1 } : before
}

test('a shown file is logged as read, a saved one as downloaded', async () => {
  const before = await lastAccess(app)
  for (const query of ['', '?baixar=1']) {
    expect((await caller.get(`/anexos/${held.attachment}/arquivo${query}`, purpose)).status).toBe(200)
  }
  expect((await accessesAfter(app, before)).map(({ acao }) => acao)).toEqual(['lido', 'baixado'])
})

describe('without permission', () => {
  const people = {
    USER: {},
    ADMIN: { tipoUsuario: 'ADMIN' },
    'the officer without the flag': { encarregadoDados: true },
    'an ADMIN who is the officer, without the flag': { tipoUsuario: 'ADMIN', encarregadoDados: true },
  } as const

  test.each(Object.entries(people))('%s gets 403 on every call, and no row is logged', async (_, fields) => {
    const outsider = await app.as(await createUser(app, fields))
    const before = await lastAccess(app)
    for (const endpoint of clinical) {
      expect((await sendAny(endpoint, outsider)).status, key(endpoint)).toBe(403)
    }
    expect(await accessesAfter(app, before)).toEqual([])
  })

  test('a user whose flag is removed gets 403 on the next call of every kind, in the same session', async () => {
    expect((await caller.get(`/prontuarios/${held.records[0]}`, purpose)).status).toBe(200)
    const root = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { nomeUsuario, emailUsuario } = officer
    const withdrawal = { nomeUsuario, emailUsuario, acessoProntuario: false }
    expect((await root.put(`/usuarios/${officer.idUsuario}`, withdrawal)).status).toBe(200)
    const before = await lastAccess(app)
    for (const endpoint of clinical) {
      expect((await sendAny(endpoint, caller)).status, key(endpoint)).toBe(403)
    }
    expect(await accessesAfter(app, before)).toEqual([])
    expect((await caller.get('/usuarios/sessao')).status).toBe(200)
  })

  test("an officer whose officer flag is removed keeps the records and loses the officer's calls", async () => {
    const root = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { nomeUsuario, emailUsuario } = officer
    const withdrawal = { nomeUsuario, emailUsuario, encarregadoDados: false }
    expect((await root.put(`/usuarios/${officer.idUsuario}`, withdrawal)).status).toBe(200)
    for (const endpoint of clinical) {
      const isOfficers = endpoint.permission === 'data-protection:manage'
      const { status, body } = await sendAny(endpoint, caller)
      // A report that is not granted has a code of its own.
      const isRefused = status === 403 && body?.codigo !== 'relatorio_sem_permissao'
      expect(isRefused, key(endpoint)).toBe(isOfficers)
    }
  })
})

const isOfReport = ({ url }: Endpoint) => url.startsWith('/usuarios/relatorio/')

describe('a refused call logs no row', () => {
  test('a refused call logs no row for an unknown target or an invalid field', async () => {
    const before = await lastAccess(app)
    for (const endpoint of clinical.filter(({ params }) => params)) {
      const missing = { ...endpoint, url: endpoint.url.replace(':id', '999999') }
      const { status } = await sendAny(missing, caller)
      // Whether a report exists is not told.
      const expected = isOfReport(endpoint) ? [403] : [404, 415, 422]
      expect(expected, key(endpoint)).toContain(status)
    }
    for (const endpoint of clinical.filter(({ method, body }) => method === 'POST' && body)) {
      if (isOfReport(endpoint)) continue
      const { status } = await sendAny(endpoint, caller)
      expect([415, 422], key(endpoint)).toContain(status)
    }
    expect(await accessesAfter(app, before)).toEqual([])
  })

  test('a refused call logs no row for an older version or an undecodable purpose', async () => {
    const body = await recordBody()
    const before = await lastAccess(app)
    const url = `/prontuarios/${held.records[0]}`
    expect((await caller.put(url, body, { ...purpose, 'if-match': '"7"' })).status).toBe(412)
    expect((await caller.get(url, { 'x-finalidade': '%E0%A4%A' })).status).toBe(400)
    expect((await caller.get('/prontuarios?de=02/01/2026&ate=01/01/2026', purpose)).status).toBe(422)
    expect(await accessesAfter(app, before)).toEqual([])
  })

  const recordBody = async () => {
    const { beneficiario: _, ...rest } = (await caller.get(`/prontuarios/${held.records[1]}`, purpose)).body
    return rest
  }
})
