import { randomBytes, randomUUID } from 'node:crypto'
import { insertAccesses } from '../../src/clinical/health-data/access-rows.ts'
import { encryptJson } from '../../src/clinical/health-data/encrypted-json.ts'
import {
  attachmentContext,
  attachmentReasonContext,
  beneficiaryContext,
  contentContext,
  fileKeyContext,
  incidentContext,
  recordReasonContext,
} from '../../src/clinical/health-data/encryption-contexts.ts'
import { reserveId } from '../../src/clinical/health-data/row-numbers.ts'
import { createBeneficiary } from '../clinical/beneficiaries.ts'
import type { TestApp } from '../test-app.ts'

/** Inserts a row into every table of medical records. */
export const fillClinicalTables = async (
  app: Pick<TestApp, 'db' | 'services'>,
  { idUsuario, odd }: { idUsuario: number; odd: string },
): Promise<void> => {
  const {
    db,
    services: { secrets },
  } = app
  const now = new Date('2026-03-01T12:00:00.123Z')
  const { id: beneficiario } = await createBeneficiary(app, { nome_beneficiario: odd })
  const author = { idAutor: idUsuario, autor: odd }
  await db
    .insertInto('beneficiarioVersao')
    .values({
      beneficiario,
      versao: 1,
      dados: encryptJson(
        secrets,
        { nome_beneficiario: odd },
        beneficiaryContext({ id: beneficiario, versao: 1 }),
      ),
      ...author,
      em: now,
    })
    .execute()
  const archived = { idArquivadoPor: idUsuario, arquivadoPor: odd, arquivadoEm: now }
  const prontuario = await reserveId(db, 'prontuario')
  const record = { id: prontuario, beneficiario }
  const conteudo = encryptJson(secrets, { descricao_hd: odd }, contentContext({ ...record, versao: 1 }))
  await db
    .insertInto('prontuario')
    .values({
      ...record,
      conteudo,
      motivo: secrets.encrypt('motivo', recordReasonContext(record)),
      dataProntuario: '2026-02-28',
      ...author,
      registradoEm: now,
      ...archived,
    })
    .execute()
  await db
    .insertInto('prontuarioVersao')
    .values({ prontuario, versao: 1, conteudo, ...author, em: now })
    .execute()
  const anexo = { id: await reserveId(db, 'anexo'), beneficiario, arquivo: randomUUID() }
  await db
    .insertInto('anexo')
    .values({
      ...anexo,
      dados: encryptJson(secrets, { titulo_anexo: odd }, attachmentContext(anexo)),
      motivo: secrets.encrypt('motivo', attachmentReasonContext(anexo)),
      tipoAnexo: 'PDF',
      tipoUsuario: 'USER',
      dataAnexo: '2026-02-28',
      chaveArquivo: secrets.encrypt(randomBytes(32).toString('base64'), fileKeyContext(anexo)),
      formato: 'application/pdf',
      tamanhoBytes: 4,
      ...author,
      enviadoEm: now,
      ...archived,
    })
    .execute()
  // The store notes its folder at the first use.
  await app.services.files.check()
  await db.insertInto('arquivoPendente').values({ arquivo: randomUUID(), criadoEm: now }).execute()
  await insertAccesses(db, secrets, [
    {
      quando: now,
      idUsuario,
      nomeUsuario: odd,
      acao: 'lido',
      objeto: 'prontuario',
      idObjeto: prontuario,
      beneficiario,
      finalidade: 'outro',
      texto: 'ouvidoria',
      idRequisicao: null,
    },
  ])
  const incidente = await reserveId(db, 'incidente')
  await db
    .insertInto('incidente')
    .values({
      id: incidente,
      conteudo: encryptJson(secrets, { titulo: odd }, incidentContext({ id: incidente, versao: 1 })),
      conhecidoEm: now,
      ocorridoEm: null,
      titularesAfetados: 3,
      gravidade: 'medio',
      exigeComunicacao: true,
      comunicadoAnpdEm: null,
      comunicadoTitularesEm: null,
      encerradoEm: null,
      ...author,
      registradoEm: now,
    })
    .execute()
}
