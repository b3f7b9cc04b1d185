import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BeneficiaryExport, isoDayOf } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import type { Encrypted } from '../../platform/config/secrets.ts'
import { keepPendingFile } from '../../platform/files/pending-files.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { storeUploadedFile } from '../attachments/uploaded-files.ts'
import { encryptJson } from '../health-data/encrypted-json.ts'
import { attachmentContext, attachmentReasonContext } from '../health-data/encryption-contexts.ts'
import { reserveId } from '../health-data/row-numbers.ts'

let officer: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  officer = await app.as(
    await createUser(app, {
      nomeUsuario: 'Rita Prado',
      acessoProntuario: true,
      encarregadoDados: true,
      conselhoProfissional: 'CRM',
      numeroRegistro: '98765',
      ufRegistro: 'SP',
    }),
  )
})

const content = {
  especialidade: 'Cardiologia',
  risco_custo: 'Alto custo de exames',
  risco_doenca: 'Risco de reação alérgica',
  descricao_hd: 'Hipótese: hipertensão.',
  prescricao_beneficiario: 'Repouso.',
}
const purpose = { 'x-finalidade': encodeURIComponent('Outro: pedido da titular') }

const createEntity = async ({ nome_beneficiario, id_beneficiario }: Person, fields = {}) => {
  const draft = { nome_beneficiario, id_beneficiario, ...content, ...fields }
  const { status, body } = await officer.post('/prontuarios', draft)
  expect(status).toBe(201)
  return body as { id: number }
}
type Person = Awaited<ReturnType<typeof createBeneficiary>>

const createAttachment = async (beneficiario: number, { bytes, isArchived = false }: Attached) => {
  const { secrets } = app.services
  const owned = { id: await reserveId(app.db, 'anexo'), beneficiario }
  const kept = bytes && (await storeUploadedFile(app.services, bytes, owned))
  if (kept) await keepPendingFile(app.db, kept.arquivo)
  const archived = { idArquivadoPor: 1, arquivadoPor: 'Ana', arquivadoEm: new Date() }
  const texts = { titulo_anexo: 'Exame', descricao_anexo: 'De sangue' }
  const motivo = secrets.encrypt('Enviado em dobro', attachmentReasonContext(owned))
  await app.db
    .insertInto('anexo')
    .values({
      ...owned,
      dados: encryptJson(secrets, texts, attachmentContext(owned)),
      tipoAnexo: 'PDF',
      tipoUsuario: 'USER',
      dataAnexo: dayOf(new Date()),
      arquivo: kept?.arquivo ?? null,
      chaveArquivo: kept?.chaveArquivo ?? null,
      formato: kept ? 'application/pdf' : null,
      tamanhoBytes: bytes?.length ?? null,
      idAutor: 1,
      autor: 'Ana',
      enviadoEm: new Date(),
      ...(isArchived ? { ...archived, motivo } : {}),
    })
    .execute()
  return owned.id
}
interface Attached {
  bytes?: Buffer
  isArchived?: boolean
}

const auditOf = (acao: string) =>
  app.db.selectFrom('auditoria').select(['objeto', 'detalhes']).where('acao', '=', acao).execute()

test('the JSON export contains everything held on one beneficiary, with versions, archived entries and files', async () => {
  const person = await createBeneficiary(app, { nome_beneficiario: 'Joana Exemplo', plano: 'Pleno' })
  const other = await createBeneficiary(app)
  const first = await createEntity(person)
  const second = await createEntity(person, { descricao_hd: 'Outra "descrição"\ncom linhas.' })
  await createEntity(other)
  await officer.put(`/beneficiarios/${person.id}`, { plano: 'Máximo' })
  await officer.put(`/prontuarios/${first.id}`, { ...content, descricao_hd: 'Mudou.' })
  await officer.del(`/prontuarios/${second.id}`, { 'x-motivo': encodeURIComponent('Registrado por engano') })
  const bytes = Buffer.from('%PDF-1.7 de exemplo %%EOF')
  const file = await createAttachment(person.id, { bytes })
  const bare = await createAttachment(person.id, { isArchived: true })

  const { status, headers, body } = await officer.get(
    `/protecao-de-dados/beneficiarios/${person.id}/exportacao`,
    purpose,
  )
  expect([status, headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual(
    [
      200,
      'application/json; charset=utf-8',
      `attachment; filename="beneficiario-${person.id}.json"`,
      'no-store',
    ],
  )
  const held = BeneficiaryExport.strict().parse(body)
  expect(held.geradoPor).toBe('Rita Prado · usuário 1')
  expect(held.beneficiario).toMatchObject({ ...person, plano: 'Máximo', versao: 2 })
  expect(held.beneficiario.versoes.map(({ versao, plano, autor }) => [versao, plano, autor])).toEqual([
    [2, 'Máximo', 'Rita Prado'],
    [1, 'Pleno', 'Quem registrou'],
  ])
  expect(held.prontuarios.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(held.prontuarios[0]).toMatchObject({
    descricao_hd: 'Outra "descrição"\ncom linhas.',
    arquivado: {
      por: 'Rita Prado',
      idUsuario: officer.signedIn.usuario_id,
      motivo: 'Registrado por engano',
    },
    idAutor: officer.signedIn.usuario_id,
    registroAutor: 'CRM 98765/SP',
  })
  expect(held.prontuarios[1]).toMatchObject({
    nome_beneficiario: 'Joana Exemplo',
    arquivado: null,
    versao: 2,
  })
  expect(held.prontuarios[1]?.versoes.map(({ versao, descricao_hd }) => [versao, descricao_hd])).toEqual([
    [2, 'Mudou.'],
    [1, 'Hipótese: hipertensão.'],
  ])
  expect(held.anexos.map(({ id }) => id)).toEqual([bare, file])
  expect(held.anexos.map(({ arquivo_ausente }) => arquivo_ausente)).toEqual([false, false])
  expect(held.anexos[0]).toMatchObject({ arquivo_base64: null, arquivado: { motivo: 'Enviado em dobro' } })
  expect(Buffer.from(held.anexos[1]?.arquivo_base64 ?? '', 'base64')).toEqual(bytes)

  // The export logs itself first: the person, two records, two attachments.
  const exported = held.acessos.filter(({ acao }) => acao === 'exportado')
  expect(exported.map(({ objeto, idObjeto }) => `${objeto} ${idObjeto}`).sort()).toEqual(
    [
      `anexo ${bare}`,
      `anexo ${file}`,
      `beneficiario ${person.id}`,
      ...[first.id, second.id].map((id) => `prontuario ${id}`),
    ].sort(),
  )
  expect(new Set(exported.map(({ finalidade }) => finalidade))).toEqual(new Set(['Outro: pedido da titular']))
  const audit = await auditOf('beneficiary.exported')
  expect(audit).toMatchObject([
    { objeto: `beneficiario:${person.id}`, detalhes: { formato: 'json', finalidade: 'outro' } },
  ])
  expect(JSON.stringify(audit)).not.toContain('Joana')
})

test('the JSON export of a beneficiary without records is empty, and an unknown id gives 404', async () => {
  const person = await createBeneficiary(app)
  const { body } = await officer.get(`/protecao-de-dados/beneficiarios/${person.id}/exportacao`)
  expect(BeneficiaryExport.parse(body)).toMatchObject({ prontuarios: [], anexos: [] })
  for (const path of ['exportacao', 'exportacao.pdf', 'acessos', 'acessos.csv']) {
    const { status } = await officer.get(`/protecao-de-dados/beneficiarios/${person.id + 1}/${path}`)
    expect([path, status]).toEqual([path, 404])
  }
  expect(await auditOf('access-log.read')).toEqual([])
})

describe('the JSON export with unreadable files', () => {
  const bytes = Buffer.from('%PDF-1.7 de exemplo %%EOF')
  const folder = () => join(app.dataDir, 'attachments')
  const pathOf = async (id: number) => {
    const { arquivo } = await app.db
      .selectFrom('anexo')
      .select('arquivo')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return join(folder(), arquivo ?? '')
  }

  test('the JSON export with unreadable files marks files that are lost, altered or without key as absent, and contains the rest', async () => {
    const person = await createBeneficiary(app)
    const [lost, altered, keyless, good] = [
      await createAttachment(person.id, { bytes }),
      await createAttachment(person.id, { bytes }),
      await createAttachment(person.id, { bytes }),
      await createAttachment(person.id, { bytes }),
    ]
    await rm(await pathOf(lost))
    await writeFile(await pathOf(altered), 'outra coisa, que ninguém cifrou')
    const gone = { chaveArquivo: '' as Encrypted }
    await app.db.updateTable('anexo').set(gone).where('id', '=', keyless).execute()
    const { status, body } = await officer.get(`/protecao-de-dados/beneficiarios/${person.id}/exportacao`)
    expect(status).toBe(200)
    const { anexos } = BeneficiaryExport.strict().parse(body)
    const told = anexos.map(({ id, arquivo_ausente, arquivo_base64 }) => [
      id,
      arquivo_ausente,
      arquivo_base64,
    ])
    expect(told).toEqual([
      [good, false, bytes.toString('base64')],
      [keyless, true, null],
      [altered, true, null],
      [lost, true, null],
    ])
    expect((await officer.get(`/anexos/${lost}/arquivo`)).status).toBe(404)
  })

  test('the JSON export with unreadable files answers 503, without an audit line, when the file store is unavailable', async () => {
    const person = await createBeneficiary(app)
    await createAttachment(person.id, { bytes })
    await rename(folder(), `${folder()}.away`)
    await writeFile(folder(), '')
    try {
      const { status, body } = await officer.get(`/protecao-de-dados/beneficiarios/${person.id}/exportacao`)
      expect([status, body.codigo]).toEqual([503, 'armazenamento_indisponivel'])
    } finally {
      await rm(folder())
      await rename(`${folder()}.away`, folder())
    }
    expect(await auditOf('beneficiary.exported')).toEqual([])
  })
})

test('the PDF export contains the same data', async () => {
  const maiden = await createBeneficiary(app, { nome_beneficiario: 'Joana Solteira' })
  const renamed = await officer.put(`/beneficiarios/${maiden.id}`, { nome_beneficiario: 'Joana Exemplo' })
  const person: Person = renamed.body
  const { id } = await createEntity(person)
  await officer.put(`/prontuarios/${id}`, { ...content, descricao_hd: 'Mudou.' })
  await createAttachment(person.id, { isArchived: true })
  const response = await app.app.inject({
    url: `/api/protecao-de-dados/beneficiarios/${person.id}/exportacao.pdf`,
    headers: { authorization: `Bearer ${officer.token}`, ...purpose },
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(response.headers['content-disposition']).toBe(`attachment; filename="beneficiario-${person.id}.pdf"`)
  const text = await textOfPdf(response.rawPayload)
  for (const part of [
    'por Rita Prado · usuário 1',
    'Joana Exemplo',
    'Joana Solteira',
    '1, de Quem registrou · usuário 1 em',
    'Registrado por Rita Prado · usuário 1 · CRM 98765/SP',
    'Alterado por Rita Prado · usuário 1 · CRM 98765/SP em ',
    '1, de Rita Prado · usuário 1 · CRM 98765/SP em ',
    'Enviado por Ana · usuário 1',
    'Arquivado por Ana · usuário 1 em ',
    'Mudou.',
    'Hipótese: hipertensão.',
    'Versão anterior',
    'Exame',
    'Enviado em dobro',
    'Exportou: Anexo nº 1',
    'Outro: pedido da titular',
  ]) {
    expect(text).toContain(part)
  }
  expect(await auditOf('beneficiary.exported')).toMatchObject([{ detalhes: { formato: 'pdf' } }])
})

const textOfPdf = async (bytes: Buffer): Promise<string> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const loading = getDocument({ data: new Uint8Array(bytes) })
  const pdf = await loading.promise
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const { items } = await (await pdf.getPage(index + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    }),
  )
  await loading.destroy()
  return pages.join(' ').replace(/\s+/g, ' ')
}

test('the access log has pages, newest first, and reading it is audited but not logged', async () => {
  const person = await createBeneficiary(app)
  const { id } = await createEntity(person)
  for (let read = 0; read < 6; read += 1) await officer.get(`/prontuarios/${id}`, purpose)
  const url = `/protecao-de-dados/beneficiarios/${person.id}/acessos`
  const first = await officer.get(`${url}?pagina=1&tamanho=5`)
  expect([first.status, first.headers['x-total-count'], first.body.length]).toEqual([200, '7', 5])
  expect(first.headers.link).toContain('pagina=2')
  expect(first.body[0]).toEqual({
    idAcesso: expect.any(Number),
    quando: expect.any(String),
    idUsuario: officer.signedIn.usuario_id,
    nomeUsuario: 'Rita Prado',
    acao: 'lido',
    objeto: 'prontuario',
    idObjeto: id,
    finalidade: 'Outro: pedido da titular',
  })
  const second = await officer.get(`${url}?pagina=2&tamanho=5`)
  expect(second.body.map(({ acao }: { acao: string }) => acao)).toEqual(['lido', 'registrado'])
  expect(second.headers['x-total-count']).toBe('7')
  expect(await auditOf('access-log.read')).toMatchObject([
    { objeto: `beneficiario:${person.id}` },
    { objeto: `beneficiario:${person.id}` },
  ])
})

test('the CSV of the access log contains no formula', async () => {
  const person = await createBeneficiary(app)
  const { id } = await createEntity(person)
  const reader = await app.as(await createUser(app, { nomeUsuario: '=SOMA(A1)', acessoProntuario: true }))
  await reader.get(`/prontuarios/${id}`, purpose)
  const { status, headers, body } = await officer.get(
    `/protecao-de-dados/beneficiarios/${person.id}/acessos.csv`,
    purpose,
  )
  expect([status, headers['content-disposition']]).toEqual([
    200,
    `attachment; filename="acessos-beneficiario-${person.id}.csv"`,
  ])
  const lines = String(body).trim().split('\r\n')
  expect(lines[0]).toContain('Nº;Quando;Quem;Nº do usuário;Ação;Objeto;Nº do objeto;Finalidade')
  expect(lines[1]).toMatch(
    /^\d+;\d\d\/\d\d\/\d{4} .*;'=SOMA\(A1\);\d+;Leu;Prontuário;\d+;Outro: pedido da titular$/,
  )
  expect(lines).toHaveLength(3)
  expect(await auditOf('access-log.exported')).toMatchObject([
    { objeto: `beneficiario:${person.id}`, detalhes: { linhas: 2, finalidade: 'outro' } },
  ])
})

test('the retention list has the earliest date first, twenty years after the last entry, with archived entries', async () => {
  const [recent, old, leap, never] = [
    await createBeneficiary(app, { nome_beneficiario: 'Recente' }),
    await createBeneficiary(app, { nome_beneficiario: 'Antiga' }),
    await createBeneficiary(app),
    await createBeneficiary(app),
  ]
  const { id } = await createEntity(recent)
  await createEntity(recent)
  await officer.del(`/prontuarios/${id}`)
  await createAttachment(recent.id, { isArchived: true })
  const today = dayOf(new Date())
  const due = `${Number(today.slice(0, 4)) - 20}${today.slice(4)}`
  await setLastEntry(old.id, due)
  await setLastEntry(leap.id, '2080-02-29')
  const { status, headers, body } = await officer.get('/protecao-de-dados/retencao?pagina=1', purpose)
  expect([status, headers['x-total-count']]).toEqual([200, '3'])
  expect(body.map(({ beneficiario }: { beneficiario: number }) => beneficiario)).toEqual([
    old.id,
    recent.id,
    leap.id,
  ])
  expect(body[0]).toMatchObject({ nome_beneficiario: 'Antiga', prontuarios: 0, anexos: 0, vencido: true })
  expect(isoDayOf(body[0].descartavel_em)).toBe(today)
  expect(body[1]).toMatchObject({ prontuarios: 2, anexos: 1, vencido: false })
  expect(body[2]).toMatchObject({ ultimo_registro: '29/02/2080', descartavel_em: '01/03/2100' })
  expect(await auditOf('retention.read')).toMatchObject([{ objeto: 'retencao' }])
  const log = await officer.get(`/protecao-de-dados/beneficiarios/${old.id}/acessos`)
  expect(log.body).toMatchObject([{ acao: 'lido', objeto: 'beneficiario', idObjeto: old.id }])
  const none = await officer.get(`/protecao-de-dados/beneficiarios/${never.id}/acessos`)
  expect(none.body).toEqual([])
})

const setLastEntry = (id: number, ultimoRegistro: string) =>
  app.db.updateTable('beneficiario').set({ ultimoRegistro }).where('id', '=', id).execute()
