import type { Insertable } from 'kysely'
import sharp from 'sharp'
import { storeUploadedFile } from '../../src/clinical/attachments/uploaded-files.ts'
import { encryptJson } from '../../src/clinical/health-data/encrypted-json.ts'
import { attachmentContext } from '../../src/clinical/health-data/encryption-contexts.ts'
import { reserveId } from '../../src/clinical/health-data/row-numbers.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import { keepPendingFile } from '../../src/platform/files/pending-files.ts'
import type { TestApp } from '../test-app.ts'

/** A PNG of four pixels. */
export const tinyPng = sharp({ create: { width: 2, height: 2, channels: 3, background: '#036' } })
  .png()
  .toBuffer()

/** The text fields of a valid image upload. */
export const attachmentDraft = { titulo_anexo: 'Raio X', tipo_anexo: 'IMG', descricao_anexo: 'Tórax, em pé' }

/**
 * Inserts an attachment, with these bytes as its PNG if given; `fields` overrides columns.
 * @returns its id
 */
export const createAttachment = async (
  { app, caller }: { app: Pick<TestApp, 'db' | 'services'>; caller: { idUsuario: number } },
  bytes?: Buffer,
  fields: Partial<Insertable<Tables['anexo']>> = {},
): Promise<number> => {
  const { db, secrets, now } = app.services
  const id = await reserveId(db, 'anexo')
  const owned = { id, beneficiario: fields.beneficiario ?? null }
  const kept = bytes && (await storeUploadedFile(app.services, bytes, owned))
  if (kept) await keepPendingFile(db, kept.arquivo)
  const { titulo_anexo, descricao_anexo } = attachmentDraft
  await db
    .insertInto('anexo')
    .values({
      ...owned,
      dados: encryptJson(secrets, { titulo_anexo, descricao_anexo }, attachmentContext(owned)),
      tipoAnexo: 'IMG',
      tipoUsuario: 'USER',
      dataAnexo: '2026-11-21',
      arquivo: null,
      chaveArquivo: null,
      ...kept,
      formato: bytes ? 'image/png' : null,
      tamanhoBytes: bytes?.length ?? null,
      idAutor: caller.idUsuario,
      autor: 'Pessoa',
      enviadoEm: now(),
      idArquivadoPor: null,
      arquivadoPor: null,
      arquivadoEm: null,
      motivo: null,
      ...fields,
    })
    .execute()
  return id
}
