import { Writable } from 'node:stream'
import { BeneficiaryExport } from '@bi-manager/contract'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createAttachment, tinyPng } from '../../../test/clinical/attachments.ts'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { createIncident, incidentDraft } from '../../../test/clinical/incidents.ts'
import { contentDraft, createEntity, recordDraft } from '../../../test/clinical/medical-records.ts'
import { readPdf } from '../../../test/clinical/pdf-text.ts'
import { formOf } from '../../../test/multipart.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { buildApp } from '../../app.ts'
import { UNREADABLE } from './encrypted-json.ts'

/* A writer to the database moves an encrypted value to another row: it must not decrypt there,
   and must not keep other rows from being read. */

let officer: Awaited<ReturnType<TestApp['as']>>
let author: Awaited<ReturnType<typeof createUser>>
let ana: Awaited<ReturnType<typeof createBeneficiary>>
let bia: Awaited<ReturnType<typeof createBeneficiary>>
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '100000' })
beforeEach(async () => {
  author = await createUser(app, { acessoProntuario: true, encarregadoDados: true })
  officer = await app.as(author)
  ana = await createBeneficiary(app, { nome_beneficiario: 'Ana Exemplo', id_beneficiario: 'A1' })
  bia = await createBeneficiary(app, { nome_beneficiario: 'Bia Exemplo', id_beneficiario: 'B2' })
})

const exportOf = async ({ id }: { id: number }) => {
  const { status, body } = await officer.get(`/protecao-de-dados/beneficiarios/${id}/exportacao`)
  expect(status).toBe(200)
  return BeneficiaryExport.strict().parse(body)
}

test('swapped data of two beneficiaries show neither name, and the list still works', async () => {
  await sql`update beneficiario b set dados = o.dados from beneficiario o where o.id <> b.id`.execute(app.db)
  const { status, body } = await officer.get('/beneficiarios')
  const unknown = { nome_beneficiario: UNREADABLE, id_beneficiario: UNREADABLE, plano: null }
  expect([status, body]).toMatchObject([200, [unknown, unknown]])
  expect((await officer.get(`/beneficiarios/${ana.id}`)).body).toMatchObject(unknown)
  expect((await exportOf(ana)).ilegiveis).toEqual(['Cadastro do beneficiário, versão 1'])

  // Nothing may be added to a beneficiary who cannot be identified.
  const told = { id_beneficiario: expect.stringMatching(/não podem ser lidos/) }
  const person = { nome_beneficiario: 'Ana Exemplo', id_beneficiario: 'A1' }
  const record = await officer.post('/prontuarios', recordDraft(person))
  expect([record.status, record.body.campos]).toEqual([422, told])
  const texts = { titulo_anexo: 'Raio X', tipo_anexo: 'IMG', descricao_anexo: 'Tórax' }
  const sent = await officer.upload('/anexos', formOf({ ...texts, id_beneficiario: 'A1' }, undefined))
  expect([sent.status, sent.body.campos]).toEqual([422, told])

  // The placeholder cannot be saved as a text; once written again, the beneficiary can be used.
  const [{ id }] = [ana]
  const half = await officer.put(`/beneficiarios/${id}`, { plano: 'Pleno' })
  expect([half.status, Object.keys(half.body.campos)]).toEqual([
    422,
    ['nome_beneficiario', 'id_beneficiario'],
  ])
  expect(await officer.put(`/beneficiarios/${id}`, { ...person, plano: 'Pleno' })).toMatchObject({
    status: 200,
    body: { ...person, versao: 2 },
  })
  expect((await officer.post('/prontuarios', recordDraft(person))).status).toBe(201)
})

test('an earlier version in the place of the current one is not decrypted', async () => {
  await officer.put(`/beneficiarios/${ana.id}`, { nome_beneficiario: 'Ana Nova' })
  await sql`update beneficiario set dados = v.dados from beneficiario_versao v where v.beneficiario = beneficiario.id`.execute(
    app.db,
  )
  expect((await officer.get(`/beneficiarios/${ana.id}`)).body.nome_beneficiario).toBe(UNREADABLE)
  const { beneficiario, ilegiveis } = await exportOf(ana)
  expect(beneficiario.versoes.map(({ nome_beneficiario }) => nome_beneficiario)).toEqual([
    UNREADABLE,
    'Ana Exemplo',
  ])
  expect(ilegiveis).toEqual(['Cadastro do beneficiário, versão 2'])
})

test('an altered blind index does not lead to another beneficiary', async () => {
  await sql`update beneficiario set marca_id = 'x' where id = ${ana.id}`.execute(app.db)
  await sql`update beneficiario set marca_id = ${app.services.secrets.digest('beneficiario:id:A1')}
    where id = ${bia.id}`.execute(app.db)
  const { body } = await officer.post('/beneficiarios/busca', { texto: 'a1' })
  expect(body).toMatchObject([{ id: bia.id, nome_beneficiario: UNREADABLE }])
  const draft = recordDraft({ nome_beneficiario: 'Bia Exemplo', id_beneficiario: 'A1' })
  expect((await officer.post('/prontuarios', draft)).status).toBe(422)
  expect((await officer.get(`/beneficiarios/${bia.id}`)).body.nome_beneficiario).toBe('Bia Exemplo')
})

test('a record moved to another beneficiary, and swapped texts of two records, are not decrypted', async () => {
  const moved = await createEntity(app, author, { beneficiario: ana.id, descricao_hd: 'De Ana' })
  await officer.put(`/prontuarios/${moved.id}`, contentDraft({ descricao_hd: 'De Ana, depois' }))
  const [one, two, good] = [
    await createEntity(app, author, { beneficiario: bia.id, descricao_hd: 'Um' }),
    await createEntity(app, author, { beneficiario: bia.id, descricao_hd: 'Dois' }),
    await createEntity(app, author, { beneficiario: bia.id, descricao_hd: 'Bom' }),
  ]
  await sql`update prontuario set beneficiario = ${bia.id} where id = ${moved.id}`.execute(app.db)
  await sql`update prontuario p set conteudo = o.conteudo from prontuario o
    where p.id in (${one.id}, ${two.id}) and o.id in (${one.id}, ${two.id}) and o.id <> p.id`.execute(app.db)
  const { status, body } = await officer.get('/prontuarios')
  const read = body.map((row: { id: number; descricao_hd: string }) => [row.id, row.descricao_hd])
  expect([status, read]).toEqual([
    200,
    [
      [good.id, 'Bom'],
      [two.id, UNREADABLE],
      [one.id, UNREADABLE],
      [moved.id, UNREADABLE],
    ],
  ])
  expect((await officer.get(`/prontuarios/${moved.id}/versoes`)).body).toMatchObject([
    { versao: 2, especialidade: UNREADABLE },
    { versao: 1, especialidade: UNREADABLE },
  ])
  expect((await exportOf(bia)).ilegiveis).toEqual([
    `Prontuário nº ${two.id}, versão 1`,
    `Prontuário nº ${one.id}, versão 1`,
    `Prontuário nº ${moved.id}, versão 2`,
    `Prontuário nº ${moved.id}, versão 1`,
  ])
  const pdf = await officer.download(`/protecao-de-dados/beneficiarios/${bia.id}/exportacao.pdf`)
  const text = (await readPdf(pdf.bytes)).pages.join('\n')
  expect(text).toMatch(/O que não pode ser lido \(4\)/)
  expect((await officer.get(`/prontuarios/${moved.id}/pdf`)).status).toBe(200)

  const saved = await officer.put(`/prontuarios/${one.id}`, contentDraft({ descricao_hd: UNREADABLE }))
  expect([saved.status, Object.keys(saved.body.campos)]).toEqual([422, ['descricao_hd']])
})

test('a moved attachment, file or archive reason is not decrypted', async () => {
  const bytes = await tinyPng
  const make = (beneficiario: number) => createAttachment({ app, caller: author }, bytes, { beneficiario })
  const [moved, one, two, good] = [
    await make(ana.id),
    await make(bia.id),
    await make(bia.id),
    await make(bia.id),
  ]
  await officer.del(`/anexos/${two}`, { 'x-motivo': 'Trocado' })
  await sql`update anexo set beneficiario = ${bia.id} where id = ${moved}`.execute(app.db)
  // Another attachment's file, with its key.
  const from = app.db.selectFrom('anexo').select(['arquivo', 'chaveArquivo', 'motivo']).where('id', '=', two)
  const { arquivo, chaveArquivo, motivo } = await from.executeTakeFirstOrThrow()
  await app.db.updateTable('anexo').set({ arquivo: null, chaveArquivo: null }).where('id', '=', two).execute()
  const arquivadoEm = new Date()
  await app.db.updateTable('anexo').set({ arquivo, chaveArquivo }).where('id', '=', one).execute()
  await app.db.updateTable('anexo').set({ motivo, arquivadoEm }).where('id', '=', good).execute()

  const { status, body } = await officer.get('/anexos')
  const read = body.map((row: { id: number; titulo_anexo: string }) => [row.id, row.titulo_anexo])
  expect([status, read]).toEqual([
    200,
    [
      [one, 'Raio X'],
      [moved, UNREADABLE],
    ],
  ])
  for (const id of [moved, one]) {
    const { status: refused, body: problem } = await officer.get(`/anexos/${id}/arquivo`)
    expect([refused, problem.codigo, problem.detail]).toEqual([
      404,
      'arquivo_ausente',
      expect.stringMatching(/se perdeu ou foi alterado/),
    ])
  }
  const { anexos, ilegiveis } = await exportOf(bia)
  expect(anexos.find(({ id }) => id === good)).toMatchObject({
    titulo_anexo: 'Raio X',
    arquivo_base64: bytes.toString('base64'),
    arquivado: { motivo: UNREADABLE },
  })
  expect(ilegiveis).toEqual([
    `Anexo nº ${good}, motivo do arquivamento`,
    `Anexo nº ${one}, arquivo`,
    `Anexo nº ${moved}, título e descrição`,
    `Anexo nº ${moved}, arquivo`,
  ])
})

test("a file renamed to another attachment's name is not decrypted", async () => {
  const [one, two] = [
    await createAttachment({ app, caller: author }, await tinyPng),
    await createAttachment({ app, caller: author }, await tinyPng),
  ]
  const rows = await app.db.selectFrom('anexo').select(['id', 'arquivo']).execute()
  const nameOf = (id: number) => String(rows.find((row) => row.id === id)?.arquivo)
  const other = await app.services.files.get(nameOf(two))
  await app.services.files.put(nameOf(one), other ?? Buffer.alloc(0))
  expect((await officer.get(`/anexos/${one}/arquivo`)).status).toBe(404)
  expect((await officer.get(`/anexos/${two}/arquivo`)).status).toBe(200)
})

test('swapped purposes and incidents are not decrypted', async () => {
  for (const why of ['Outro: um', 'Outro: dois']) {
    await officer.get(`/beneficiarios/${ana.id}`, { 'x-finalidade': encodeURIComponent(why) })
  }
  await sql`update acesso_saude a set finalidade_texto = o.finalidade_texto from acesso_saude o
    where o.id_acesso <> a.id_acesso`.execute(app.db)
  const log = await officer.get(`/protecao-de-dados/beneficiarios/${ana.id}/acessos`)
  expect(log.body.map(({ finalidade }: { finalidade: string }) => finalidade)).toEqual(
    Array(2).fill(`Outro: ${UNREADABLE}`),
  )
  const [one, two] = [await createIncident(app), await createIncident(app)]
  await sql`update incidente i set conteudo = o.conteudo from incidente o where o.id <> i.id`.execute(app.db)
  const incidents = await officer.get('/protecao-de-dados/incidentes')
  expect([incidents.status, incidents.body]).toMatchObject([
    200,
    [
      { id: two, titulo: UNREADABLE, gravidade: incidentDraft().gravidade },
      { id: one, titulo: UNREADABLE },
    ],
  ])
})

test('the log names an unreadable value once, by its column and ids only', async () => {
  await sql`update beneficiario b set dados = o.dados from beneficiario o where o.id <> b.id`.execute(app.db)
  const lines: string[] = []
  const logTo = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  })
  const config = { ...app.services.config, logLevel: 'warn' as const }
  const server = await buildApp({ ...app.services, config }, { logTo })
  const headers = { authorization: `Bearer ${officer.token}` }
  for (let call = 0; call < 2; call += 1) {
    await server.inject({ url: `/api/beneficiarios/${ana.id}`, headers })
  }
  await server.close()
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    place: `["beneficiario.dados",${ana.id},1]`,
    msg: expect.stringContaining('cannot be decrypted'),
  })
  expect(lines.join()).not.toMatch(/Exemplo|A1|B2/)
})
