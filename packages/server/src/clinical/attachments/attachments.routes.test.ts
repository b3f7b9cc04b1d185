import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { attachmentDraft, createAttachment } from '../../../test/clinical/attachments.ts'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { drawnPdf } from '../../../test/clinical/pdfs.ts'
import { formOf } from '../../../test/multipart.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { attachmentReasonContext } from '../health-data/encryption-contexts.ts'

let user: Awaited<ReturnType<typeof createUser>>
let clinician: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  user = await createUser(app, { acessoProntuario: true })
  clinician = await app.as(user)
})

const purpose = { 'x-finalidade': 'Atendimento' }
const png = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#036' } })
    .png()
    .toBuffer()
const create = (fields: Parameters<typeof createAttachment>[2] = {}, bytes?: Buffer) =>
  createAttachment({ app, caller: user }, bytes, fields)
const accesses = () =>
  app.db
    .selectFrom('acessoSaude')
    .select(['acao', 'objeto', 'idObjeto', 'beneficiario', 'idUsuario', 'finalidade'])
    .orderBy('idAcesso')
    .execute()
const audited = async () =>
  (await app.db.selectFrom('auditoria').selectAll().orderBy('idAuditoria').execute()).filter(({ acao }) =>
    acao.startsWith('attachment.'),
  )

describe('POST /anexos', () => {
  test('POST /anexos stores an image of a beneficiary, and logs the access', async () => {
    const person = await createBeneficiary(app)
    const { id_beneficiario, nome_beneficiario } = person
    const form = formOf({ ...attachmentDraft, id_beneficiario }, { bytes: await png(), name: 'raio x.png' })
    const sent = await clinician.upload('/anexos', form, purpose)
    expect(sent).toEqual({
      status: 201,
      headers: expect.anything(),
      body: {
        ...attachmentDraft,
        id: 1,
        data_anexo: new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' }),
        tipo_usuario: 'USER',
        imagem_anexo: '/api/anexos/1/arquivo',
        id_beneficiario,
        nome_beneficiario,
        beneficiario: person.id,
        enviado_por: user.nomeUsuario,
        idAutor: user.idUsuario,
        registroAutor: null,
        formato: 'image/png',
        tamanho_bytes: expect.any(Number),
      },
    })
    expect(await accesses()).toEqual([
      {
        acao: 'registrado',
        objeto: 'anexo',
        idObjeto: 1,
        beneficiario: person.id,
        idUsuario: user.idUsuario,
        finalidade: 'atendimento',
      },
    ])
    const [line] = await audited()
    expect(line).toMatchObject({ acao: 'attachment.created', objeto: 'anexo:1' })
    for (const secret of [
      id_beneficiario,
      nome_beneficiario,
      ...Object.values(attachmentDraft).slice(0, 1),
    ]) {
      expect(JSON.stringify(line)).not.toContain(secret)
    }
    const { ultimoRegistro } = await app.db.selectFrom('beneficiario').selectAll().executeTakeFirstOrThrow()
    expect(ultimoRegistro).not.toBeNull()
    // The database holds no text in clear.
    const row = await app.db.selectFrom('anexo').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/Raio|Tórax/)
  })

  test('POST /anexos accepts an entry without file and beneficiary, from an ADMIN too', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', acessoProntuario: true }))
    const sent = await admin.upload('/anexos', formOf({ ...attachmentDraft, id_beneficiario: '' }))
    expect(sent).toMatchObject({
      status: 201,
      body: {
        tipo_usuario: 'ADMIN',
        imagem_anexo: null,
        nome_beneficiario: null,
        beneficiario: null,
        formato: null,
      },
    })
    expect(await admin.download('/anexos/1/arquivo')).toMatchObject({ status: 404 })
  })

  test('POST /anexos answers 422 for an unknown beneficiary', async () => {
    const form = formOf({ ...attachmentDraft, id_beneficiario: '404' }, { bytes: await png(), name: 'a.png' })
    expect(await clinician.upload('/anexos', form)).toMatchObject({
      status: 422,
      body: { campos: { id_beneficiario: 'Beneficiário não encontrado.' } },
    })
    expect(await accesses()).toEqual([])
  })
})

describe('GET /anexos', () => {
  test('GET /anexos returns pages, newest first, and logs an access for each row', async () => {
    for (const dataAnexo of ['2026-01-10', '2026-03-01', '2026-03-01']) await create({ dataAnexo })
    const first = await clinician.get('/anexos?pagina=1&tamanho=2', purpose)
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual([3, 2])
    expect(first.headers).toMatchObject({ 'x-total-count': '3', link: expect.stringContaining('pagina=2') })
    const second = await clinician.get('/anexos?pagina=2&tamanho=2', purpose)
    expect(second.body).toMatchObject([{ id: 1, data_anexo: '10/01/2026' }])
    expect((await accesses()).map(({ acao, idObjeto }) => `${acao} ${idObjeto}`)).toEqual([
      'lido 3',
      'lido 2',
      'lido 1',
    ])
    expect((await audited()).map(({ objeto }) => objeto)).toEqual(['anexos', 'anexos'])
  })

  test.each([
    ['img', [1]],
    ['PD', [2]],
    ['  pdf ', [2]],
    ['', [2, 1]],
    ['imgx', []],
    ['%', []],
  ])('GET /anexos finds %j in the type', async (busca, ids) => {
    await create()
    await create({ tipoAnexo: 'PDF' })
    const { body, headers } = await clinician.get(`/anexos?busca=${encodeURIComponent(busca)}`)
    expect(body.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(headers['x-total-count']).toBe(String(ids.length))
    // The audit line has the matching types even without results, and never the text.
    const tipos = ['IMG', 'PDF'].filter((type) => type.includes(busca.trim().toUpperCase()))
    const line = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'attachment.read')
      .orderBy('idAuditoria', 'desc')
      .executeTakeFirstOrThrow()
    expect(line.detalhes.filtro).toEqual(busca.trim() ? { tipos } : undefined)
  })

  test('filters by beneficiary, and omits archived attachments', async () => {
    const [one, other] = [await createBeneficiary(app), await createBeneficiary(app)]
    await create({ beneficiario: one.id })
    await create({ beneficiario: other.id })
    const archived = await create({ beneficiario: one.id })
    await clinician.del(`/anexos/${archived}`)
    const { body, headers } = await clinician.get(`/anexos?beneficiario=${one.id}`)
    expect(body).toMatchObject([{ id: 1, nome_beneficiario: one.nome_beneficiario }])
    expect(headers['x-total-count']).toBe('1')
    expect((await clinician.get('/anexos?pagina=1')).headers['x-total-count']).toBe('2')
  })
})

describe('GET /anexos/:id/arquivo', () => {
  test('GET /anexos/:id/arquivo returns the sent bytes, and logs a view and a download differently', async () => {
    const document = await drawnPdf((drawn) => drawn.text('Laudo'))
    const draft = { ...attachmentDraft, tipo_anexo: 'PDF' }
    const sent = await clinician.upload('/anexos', formOf(draft, { bytes: document, name: 'laudo.pdf' }))
    expect(sent.status).toBe(201)
    const seen = await clinician.download('/anexos/1/arquivo', purpose)
    expect(seen.status).toBe(200)
    expect(seen.bytes.equals(document)).toBe(true)
    expect((await clinician.download('/anexos/1/arquivo?baixar=1')).status).toBe(200)
    expect((await accesses()).slice(1)).toMatchObject([
      { acao: 'lido', idObjeto: 1, finalidade: 'atendimento' },
      { acao: 'baixado', idObjeto: 1, finalidade: 'nao_informada' },
    ])
    expect((await audited()).map(({ acao }) => acao)).toEqual([
      'attachment.created',
      'attachment.read',
      'attachment.downloaded',
    ])
  })

  test('GET /anexos/:id/arquivo answers 404 without logging an access when the file is missing, belongs to another row, or was altered', async () => {
    expect(await clinician.get('/anexos/404/arquivo')).toMatchObject({
      status: 404,
      body: { codigo: 'nao_encontrado' },
    })
    await create()
    expect(await clinician.get('/anexos/1/arquivo')).toMatchObject({
      status: 404,
      body: { codigo: 'arquivo_ausente' },
    })
    await create({}, await png())
    const { arquivo } = await app.db
      .selectFrom('anexo')
      .select('arquivo')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    await app.services.files.put(String(arquivo), Buffer.alloc(200, 1))
    const gone = {
      status: 404,
      body: { codigo: 'arquivo_ausente', detail: expect.stringMatching(/se perdeu ou foi alterado/) },
    }
    expect(await clinician.get('/anexos/2/arquivo')).toMatchObject(gone)
    await app.services.files.delete(String(arquivo))
    expect(await clinician.get('/anexos/2/arquivo')).toMatchObject(gone)
    expect(await accesses()).toEqual([])
  })
})

test('DELETE /anexos/:id archives once, with a reason, and keeps the file', async () => {
  const id = await create({}, await png())
  expect(
    (await clinician.del(`/anexos/${id}`, { ...purpose, 'x-motivo': encodeURIComponent('Anexo trocado') }))
      .status,
  ).toBe(204)
  const row = await app.db.selectFrom('anexo').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ idArquivadoPor: user.idUsuario, arquivadoPor: user.nomeUsuario })
  expect(app.services.secrets.decrypt(row.motivo ?? ('' as never), attachmentReasonContext(row))).toBe(
    'Anexo trocado',
  )
  expect(await app.services.files.get(String(row.arquivo))).toBeDefined()
  const gone = { status: 404, body: { codigo: 'nao_encontrado' } }
  expect(await clinician.del(`/anexos/${id}`)).toMatchObject(gone)
  expect(await clinician.get(`/anexos/${id}/arquivo`)).toMatchObject(gone)
  expect(await accesses()).toMatchObject([{ acao: 'arquivado', idObjeto: id, finalidade: 'atendimento' }])
  expect((await audited()).map(({ acao, detalhes }) => [acao, JSON.stringify(detalhes)])).toEqual([
    ['attachment.archived', expect.not.stringContaining('trocado')],
  ])
})
