import type { Attachment, AttachmentType, attachmentsApi } from '@bi-manager/contract'
import type { Insertable, InsertObject } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../platform/db/open-database.ts'
import { type ListPage, listPage } from '../../platform/db/queries/list-page.ts'
import type { Archiving } from '../../platform/db/tables/clinical-tables.ts'
import type { Tables } from '../../platform/db/types.ts'
import { type AttachmentRow, selectAttachments } from './attachments.ts'

const types: readonly AttachmentType[] = ['IMG', 'PDF']

export const listAttachments = (
  db: Db,
  query: z.output<typeof attachmentsApi.list.query>,
): Promise<ListPage<AttachmentRow>> => {
  const { pagina, tamanho, busca = '', beneficiario } = query
  const found = typesLike(busca)
  const all = selectAttachments(db).where('anexo.arquivadoEm', 'is', null)
  const ofType =
    found.length === types.length
      ? all
      : found[0]
        ? all.where('anexo.tipoAnexo', '=', found[0])
        : all.where((eb) => eb.lit(false))
  const matching = beneficiario === undefined ? ofType : ofType.where('anexo.beneficiario', '=', beneficiario)
  const isNarrowed = found.length < types.length || beneficiario !== undefined
  return listPage(db, matching, {
    query: { pagina, tamanho },
    orders: { data: ['anexo.dataAnexo', 'anexo.id'] },
    byDefault: '-data',
    large: { name: 'anexo', key: 'anexo.id', isNarrowed },
  })
}

/** Returns undefined when the attachment does not exist or is archived. */
export const findAttachment = (db: Db, id: Attachment['id']): Promise<AttachmentRow | undefined> =>
  selectAttachments(db).where('anexo.id', '=', id).where('anexo.arquivadoEm', 'is', null).executeTakeFirst()

export const insertAttachment = async (
  tx: Db,
  values: InsertObject<Tables, 'anexo'>,
): Promise<AttachmentRow> => {
  const { id } = await tx.insertInto('anexo').values(values).returning('id').executeTakeFirstOrThrow()
  return selectAttachments(tx).where('anexo.id', '=', id).executeTakeFirstOrThrow()
}

/** The caller must hold a lock of the row, which must not be archived yet. */
export const archiveAttachment = async (
  tx: Db,
  id: Attachment['id'],
  archiving: Insertable<Archiving>,
): Promise<void> => {
  await tx.updateTable('anexo').set(archiving).where('id', '=', id).execute()
}

/** Returns the attachment types that contain the text, ignoring case. */
export const typesLike = (text: string) => types.filter((type) => type.includes(text.toUpperCase()))
