import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { incidentDraft } from '../../../test/clinical/incidents.ts'
import { recordDraft } from '../../../test/clinical/medical-records.ts'
import { drawnPdf } from '../../../test/clinical/pdfs.ts'
import { formOf, multipartOf } from '../../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { spellingsOf, tracesBelow, tracesIn } from '../../../test/traces.ts'
import { createUser, password } from '../../../test/users.ts'
import { buildApp } from '../../app.ts'
import { sealQueue } from '../../operations/audit/seal-chain.ts'
import { readTables } from '../../operations/backup/contents/schema.ts'
import { backUp } from '../../operations/backup/contents/write-backup.ts'

/* Works with patients whose personal fields all contain a marker. The marker must not appear in
   the database's files, the attachments, the log at level trace or a backup. */

/**
 * In every personal field. Only letters and digits, so that encodings change it in the searched
 * ways only.
 */
const mark = 'Qx7Vz3Kw9Jy5Hb2'
/** In a field that may be readable: if the search does not find this, it proves nothing. */
const control = 'Pd4Nf8Tc6Rg1Lm0'

let app: TestApp
let server: Awaited<ReturnType<typeof buildApp>>
let log = ''
const backup = join(mkdtempSync(join(tmpdir(), 'bi-manager-traces-')), 'copia')
const answers: string[] = []

const logTo = new Writable({
  write(chunk, _encoding, done) {
    log += chunk
    done()
  },
})

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  body?: unknown
  form?: FormData
  headers?: Record<string, string>
}

let token = ''
const purpose = `Outro: pedido de ${mark}finalidade`

/** Sends as the officer, with the marked purpose, and expects this status. */
const send = async (status: number, { method, url, body, form, headers = {} }: Sent) => {
  const sent = form && (await multipartOf(form))
  const answer = await server.inject({
    method,
    url: `/api${url}`,
    headers: {
      authorization: `Bearer ${token}`,
      'x-finalidade': encodeURIComponent(purpose),
      ...(sent ? { 'content-type': sent.type } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent ? { payload: sent.bytes } : {}),
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  expect(
    answer.statusCode,
    `${method} ${url}: ${answer.body.slice(0, 300)} ${answer.statusCode === 500 && status !== 500 ? log.slice(-3000) : ''}`,
  ).toBe(status)
  answers.push(answer.body)
  return answer
}

const marked = (field: string) => `Zé ${mark}${field} Ção`

const person = (n: number) => ({
  nome_beneficiario: marked(`nome${n}`),
  id_beneficiario: `${mark}id${n}`,
  data_nascimento: '17/03/1937',
  sexo: 'feminino',
  plano: marked('plano'),
  operadora: marked('operadora'),
})
const entry = (n: number) =>
  recordDraft({
    nome_beneficiario: marked(`nome${n}`),
    id_beneficiario: `${mark}id${n}`,
    especialidade: 'Oftalmologia',
    risco_custo: 'Custo de internação em UTI',
    risco_doenca: 'Risco de sequelas permanentes',
    descricao_hd: marked('descricao').repeat(40),
    prescricao_beneficiario: marked('prescricao'),
  })
const attachment = (tipo_anexo: string, file?: Parameters<typeof formOf>[1]) =>
  formOf(
    {
      tipo_anexo,
      titulo_anexo: marked('titulo'),
      descricao_anexo: marked('anexo'),
      id_beneficiario: `${mark}id1`,
    },
    file,
  )
const incident = () =>
  incidentDraft({
    titulo: marked('incidente'),
    descricao: marked('aconteceu'),
    dados_afetados: marked('dados'),
    medidas: marked('medidas'),
    motivo_sem_comunicacao: marked('razao'),
  })
const reason = { 'x-motivo': encodeURIComponent(marked('motivo')) }

const dayOfWork = async () => {
  const first = (await send(201, { method: 'POST', url: '/beneficiarios', body: person(1) })).json()
  await send(200, { method: 'PUT', url: `/beneficiarios/${first.id}`, body: { plano: marked('plano2') } })
  await send(200, { method: 'GET', url: '/beneficiarios?pagina=1' })
  for (const texto of [person(1).nome_beneficiario, person(1).id_beneficiario, `${mark}ninguem`]) {
    await send(200, { method: 'POST', url: '/beneficiarios/busca', body: { texto } })
  }
  const linhas = [{ linha: 2, ...person(7) }]
  await send(200, { method: 'POST', url: '/beneficiarios/importacao/previa', body: { linhas } })
  await send(201, { method: 'POST', url: '/beneficiarios/importacao', body: { linhas } })

  const record = (await send(201, { method: 'POST', url: '/prontuarios', body: entry(1) })).json()
  const other = (await send(201, { method: 'POST', url: '/prontuarios', body: entry(2) })).json()
  const changed = { ...entry(1), descricao_hd: marked('descricao3') }
  await send(200, { method: 'PUT', url: `/prontuarios/${record.id}`, body: changed })
  for (const path of ['', '/versoes', '/pdf'])
    await send(200, { method: 'GET', url: `/prontuarios/${record.id}${path}` })
  await send(204, { method: 'POST', url: `/prontuarios/${record.id}/impressao` })
  await send(200, { method: 'GET', url: `/prontuarios?beneficiario=${first.id}` })
  await send(204, { method: 'DELETE', url: `/prontuarios/${other.id}`, headers: reason })

  const image = (
    await send(201, { method: 'POST', url: '/anexos', form: attachment('IMG', await markedImage()) })
  ).json()
  const pdf = (
    await send(201, { method: 'POST', url: '/anexos', form: attachment('PDF', await markedPdf()) })
  ).json()
  await send(201, { method: 'POST', url: '/anexos', form: attachment('PDF') })
  await send(200, { method: 'GET', url: '/anexos' })
  await send(200, { method: 'GET', url: `/anexos/${image.id}/arquivo` })
  const kept = await send(200, { method: 'GET', url: `/anexos/${pdf.id}/arquivo?baixar=1` })
  // Decrypted bytes: proves that the stored file contained the marker.
  expect(kept.rawPayload.includes(mark)).toBe(true)
  await send(204, { method: 'DELETE', url: `/anexos/${image.id}`, headers: reason })

  const officer = '/protecao-de-dados'
  for (const path of ['exportacao', 'exportacao.pdf', 'acessos', 'acessos.csv']) {
    await send(200, { method: 'GET', url: `${officer}/beneficiarios/${first.id}/${path}` })
  }
  await send(200, { method: 'GET', url: `${officer}/retencao` })
  const made = (await send(201, { method: 'POST', url: `${officer}/incidentes`, body: incident() })).json()
  await send(200, {
    method: 'PUT',
    url: `${officer}/incidentes/${made.id}`,
    body: { ...incident(), gravidade: 'alto' },
  })
  await send(200, { method: 'GET', url: `${officer}/incidentes` })
}

const failures = async () => {
  await send(409, { method: 'POST', url: '/beneficiarios', body: person(1) })
  await send(422, {
    method: 'POST',
    url: '/beneficiarios',
    body: { ...person(3), data_nascimento: `${mark}31` },
  })
  await send(422, { method: 'POST', url: '/beneficiarios', body: { ...person(3), sexo: `${mark}sexo` } })
  await send(400, { method: 'POST', url: '/beneficiarios', body: `{"nome_beneficiario":"${mark}` })
  await send(422, {
    method: 'POST',
    url: '/beneficiarios/importacao',
    body: { linhas: [{ linha: 2, ...person(1) }] },
  })
  await send(404, { method: 'GET', url: `/beneficiarios/${mark}id1` })
  await send(404, { method: 'PUT', url: `/prontuarios/${mark}id1`, body: entry(1) })
  await send(404, { method: 'GET', url: `/anexos/${mark}id1/arquivo` })
  await send(404, { method: 'GET', url: `/protecao-de-dados/beneficiarios/${mark}id1/exportacao` })
  await send(422, { method: 'GET', url: `/prontuarios?de=${mark}` })
  await send(422, { method: 'GET', url: `/prontuarios?beneficiario=${mark}` })
  await send(200, { method: 'GET', url: `/anexos?busca=${encodeURIComponent(marked('busca'))}` })
  await send(422, {
    method: 'POST',
    url: '/prontuarios',
    body: { ...entry(1), nome_beneficiario: marked('trocado') },
  })
  await send(422, {
    method: 'POST',
    url: '/prontuarios',
    body: { ...entry(1), especialidade: marked('especialidade') },
  })
  await send(422, {
    method: 'PUT',
    url: '/prontuarios/1',
    body: { ...entry(2), id_beneficiario: `${mark}id9` },
  })
  await send(412, { method: 'PUT', url: '/prontuarios/1', body: entry(1), headers: { 'if-match': '"77"' } })
  await send(415, {
    method: 'POST',
    url: '/anexos',
    form: attachment('IMG', { bytes: Buffer.from(`<svg>${mark}</svg>`), name: `${mark}.svg` }),
  })
  await send(415, { method: 'POST', url: '/anexos', form: attachment('IMG', await markedPdf()) })
  await send(422, { method: 'POST', url: '/anexos', form: attachment(marked('tipo')) })
  await send(422, {
    method: 'POST',
    url: '/protecao-de-dados/incidentes',
    body: { ...incident(), conhecido_em: mark },
  })
  await send(400, { method: 'GET', url: '/prontuarios', headers: { 'x-finalidade': `%E0%A4${mark}` } })
  await send(401, { method: 'GET', url: '/prontuarios', headers: { authorization: `Bearer ${mark}` } })
  await send(404, { method: 'GET', url: `/caminho/${control}` })
}

/** Failures raised by the database, whose messages contain the values. */
const refusedByTheDatabase = async () => {
  await sql`create function falha_de_teste() returns trigger language plpgsql as
    $$ begin raise exception 'refused %', new; end $$`.execute(app.db)
  for (const table of ['beneficiario', 'prontuario', 'anexo', 'incidente']) {
    await sql`create trigger falha_de_teste before insert on ${sql.table(table)}
      for each row execute function falha_de_teste()`.execute(app.db)
  }
  await send(500, { method: 'POST', url: '/beneficiarios', body: person(4) })
  await send(500, { method: 'POST', url: '/prontuarios', body: entry(1) })
  await send(500, { method: 'POST', url: '/anexos', form: attachment('PDF', await markedPdf()) })
  await send(500, { method: 'POST', url: '/protecao-de-dados/incidentes', body: incident() })
  await sql`drop function falha_de_teste() cascade`.execute(app.db)
}

const markedPdf = async () => {
  const bytes = await drawnPdf((document) => document.text(mark), { compress: false, info: { Title: mark } })
  return { bytes, name: `${mark}.pdf`, type: 'application/pdf' }
}

const markedImage = async () => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#036' } })
    .withExif({ IFD0: { ImageDescription: mark, Artist: mark } })
    .jpeg()
    .toBuffer()
  expect(bytes.includes(mark)).toBe(true)
  return { bytes, name: `${mark}.jpg`, type: 'image/jpeg' }
}

/** Returns all tables as text, because the files of a PostgreSQL server are not accessible. */
const tablesAsText = async (): Promise<Buffer> => {
  const lines: string[] = []
  for (const { name } of await readTables(app.db)) {
    const { rows } = await sql<{
      line: string
    }>`select row_to_json(t)::text as line from ${sql.table(name)} t`.execute(app.db)
    lines.push(...rows.map(({ line }) => line))
  }
  return Buffer.from(lines.join('\n'))
}

let tables: Buffer
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { alone: true })
  const config = { ...app.services.config, logLevel: 'trace' as const }
  server = await buildApp({ ...app.services, config }, { logTo })
  await server.ready()
  const officer = await createUser(app, {
    nomeUsuario: `Controle ${control}`,
    acessoProntuario: true,
    encarregadoDados: true,
  })
  const payload = { username: officer.emailUsuario, password }
  token = (await server.inject({ method: 'POST', url: '/api/usuarios/authorizer', payload })).json()
    .access_token
  await dayOfWork()
  await failures()
  await refusedByTheDatabase()
  await sealQueue(app.db, app.services.secrets)
  tables = await tablesAsText()
  await backUp(app.db, { ...app.services.config, appSecret: undefined }, backup, () => {})
  await server.close()
  // The files on disk are complete once the database is closed.
  await app.db.destroy()
}, 120_000)
afterAll(async () => {
  rmSync(join(backup, '..'), { recursive: true, force: true })
  await app.close()
})

test('the answers contain the marker, which proves that the work was done', () => {
  const said = answers.join('\n')
  for (const field of [
    'nome1',
    'plano2',
    'descricao3',
    'prescricao',
    'titulo',
    'anexo',
    'motivo',
    'finalidade',
    'incidente',
  ]) {
    expect(said).toContain(`${mark}${field}`)
  }
  // More than 40 calls, each with its log line.
  expect(log.split('\n').filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(45)
})

describe('the marker is not in', () => {
  test('the marker is not in the files of the data folder: database, write-ahead log, attachments', {
    timeout: 120_000,
  }, () => {
    expect(tracesBelow(app.dataDir, mark)).toEqual([])
    if (!app.databaseUrl) expect(tracesBelow(app.dataDir, control)).not.toEqual([])
  })

  test('the tables, read as text', () => {
    expect(tracesIn(tables, mark)).toEqual([])
    expect(tracesIn(tables, control)).not.toEqual([])
    // Words of fixed lists, and a birth date that no other test person has.
    for (const text of [
      'Oftalmologia',
      'Custo de internação em UTI',
      'sequelas',
      '17/03/1937',
      '1937-03-17',
      'feminino',
    ]) {
      expect(tables.toString(), text).not.toContain(text)
    }
  })

  test('the log at level trace, which has a line for each call', () => {
    expect(tracesIn(Buffer.from(log), mark)).toEqual([])
    expect(tracesIn(Buffer.from(log), control)).not.toEqual([])
    expect(log).not.toMatch(/Oftalmologia|sequelas|17\/03\/1937|1937-03-17/)
  })

  test('the marker is not in the files of a backup', () => {
    expect(tracesBelow(backup, mark)).toEqual([])
    expect(tracesBelow(backup, control)).not.toEqual([])
  })
})

test('the search finds the marker in every encoding', () => {
  const [text, noise] = [`...${mark}nome1...`, Buffer.alloc(1_000, 7)]
  const hidden = {
    plain: Buffer.from(text),
    lower: Buffer.from(text.toLowerCase()),
    utf16: Buffer.from(text, 'utf16le'),
    utf16be: Buffer.from(text, 'utf16le').swap16(),
    hex: Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
    percent: Buffer.from(
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''),
    ),
    ...Object.fromEntries(
      [0, 1, 2].map((n) => [
        `base64 ${n}`,
        Buffer.from(Buffer.from('x'.repeat(n) + text).toString('base64')),
      ]),
    ),
    base64url: Buffer.from(Buffer.from(text).toString('base64url')),
  }
  for (const [name, bytes] of Object.entries(hidden)) {
    expect(tracesIn(Buffer.concat([noise, bytes, noise]), mark), name).not.toEqual([])
  }
  expect(tracesIn(noise, mark)).toEqual([])
  expect(Object.keys(spellingsOf(mark))).toHaveLength(8)
})
