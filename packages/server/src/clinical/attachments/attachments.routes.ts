import {
  type Attachment,
  type AttachmentDraft,
  type AttachmentType,
  attachmentEntity,
  attachmentsApi,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { keepPendingFile } from '../../platform/files/pending-files.ts'
import { type ValidatedFile, validateFile } from '../../platform/files/uploads/validate-file.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { findByPlanId, isKnown, recordLastEntry, UNKNOWN_PERSON } from '../beneficiaries/beneficiaries.ts'
import { recordLookUp } from '../beneficiaries/beneficiary-access.ts'
import { councilRegistrationOf } from '../health-data/author.ts'
import { assertReadable, encryptJson } from '../health-data/encrypted-json.ts'
import { attachmentContext, attachmentReasonContext } from '../health-data/encryption-contexts.ts'
import { orFirstPage } from '../health-data/first-page.ts'
import { reasonOf } from '../health-data/purpose.ts'
import { accessOf, type CallContext, createRecordAccess } from '../health-data/record-access.ts'
import { reserveId } from '../health-data/row-numbers.ts'
import {
  archiveAttachment,
  findAttachment,
  insertAttachment,
  listAttachments,
  typesLike,
} from './attachments.repository.ts'
import { openAttachment, readAttachmentFile } from './attachments.ts'
import { storeUploadedFile } from './uploaded-files.ts'

export const attachmentsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  serve(app, attachmentsApi.list, async ({ query }, context) => {
    const page = await inTransaction(db, async (tx) => {
      const found = await listAttachments(tx, orFirstPage(query))
      await recordAccess(
        tx,
        context,
        found.rows.map((row) => accessOf('lido', 'anexo', row)),
        { action: 'attachment.read', subject: 'anexos', details: filterOf(query) },
      )
      return found
    })
    const rows = page.rows.map((row) => openAttachment(secrets, row))
    return answerList({ ...page, rows }, orFirstPage(query), context)
  })

  serve(app, attachmentsApi.create, async (input, context) => {
    const { id_beneficiario } = input.body
    if (id_beneficiario === undefined) return attach(input, context, undefined)
    const person = await findByPlanId(db, secrets, id_beneficiario)
    const recordFound = () =>
      context.write((tx) => recordLookUp(recordAccess, tx, context, person ? [person] : []))
    if (!person) {
      await recordFound()
      throw new Problem('campos_invalidos', { campos: { id_beneficiario: 'Beneficiário não encontrado.' } })
    }
    if (!isKnown(person)) {
      await recordFound()
      throw new Problem('campos_invalidos', { campos: { id_beneficiario: UNKNOWN_PERSON } })
    }
    try {
      return await attach(input, context, person.id)
    } catch (refusal) {
      // Even a refusal here reveals that the person is registered, so the look-up is logged.
      await recordFound()
      throw refusal
    }
  })

  const attach = async (
    { body, file }: NewAttachment,
    context: CallContext & { write: Write },
    beneficiario: number | undefined,
  ): Promise<Attachment> => {
    const { titulo_anexo, descricao_anexo, tipo_anexo } = body
    assertReadable(body)
    const validated = file && (await validateFile(file.bytes))
    if (validated) refuseOtherType(tipo_anexo, validated)
    const id = await reserveId(db, 'anexo')
    const owned = { id, beneficiario: beneficiario ?? null }
    const kept = validated && (await storeUploadedFile(services, validated.bytes, owned))
    // If this transaction fails, the cleanup of pending files deletes the file.
    const { user } = context
    return context.write(async (tx) => {
      const instant = now()
      const dataAnexo = dayOf(instant)
      const row = await insertAttachment(tx, {
        ...owned,
        dados: encryptJson(secrets, { titulo_anexo, descricao_anexo }, attachmentContext(owned)),
        tipoAnexo: tipo_anexo,
        tipoUsuario: user.tipo,
        dataAnexo,
        arquivo: kept?.arquivo ?? null,
        chaveArquivo: kept?.chaveArquivo ?? null,
        formato: validated?.formato ?? null,
        tamanhoBytes: validated?.bytes.length ?? null,
        idAutor: user.idUsuario,
        autor: user.nomeUsuario,
        registroAutor: councilRegistrationOf(user),
        enviadoEm: instant,
        idArquivadoPor: null,
        arquivadoPor: null,
        arquivadoEm: null,
        motivo: null,
      })
      if (kept) await keepPendingFile(tx, kept.arquivo)
      if (beneficiario !== undefined) await recordLastEntry(tx, beneficiario, dataAnexo)
      await recordAccess(tx, context, [accessOf('registrado', 'anexo', row)], {
        action: 'attachment.created',
        subject: subjectOf(row.id),
        details: { tipo_anexo, formato: row.formato, tamanho_bytes: row.tamanhoBytes },
      })
      return openAttachment(secrets, row)
    })
  }

  serve(app, attachmentsApi.file, async ({ params, query }, context) => {
    const row = orNotFound(await findAttachment(db, params.id))
    const bytes = await readAttachmentFile(services, row)
    if (!bytes || !row.formato) throw new Problem('arquivo_ausente')
    const isDownload = query.baixar !== undefined
    await inTransaction(db, (tx) =>
      recordAccess(tx, context, [accessOf(isDownload ? 'baixado' : 'lido', 'anexo', row)], {
        action: isDownload ? 'attachment.downloaded' : 'attachment.read',
        subject: subjectOf(row.id),
      }),
    )
    context.reply.headers({
      // An unexpected type was written into the database by other means: never serve it as such.
      'content-type': row.formato in extensions ? row.formato : 'application/octet-stream',
      'content-disposition': `attachment; filename="anexo-${row.id}.${extensions[row.formato] ?? 'bin'}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    return bytes
  })

  serve(app, attachmentsApi.archive, ({ params }, { user, request, write }) =>
    write(async (tx) => {
      await lockRow(tx, attachmentEntity, params.id)
      const row = orNotFound(await findAttachment(tx, params.id))
      await archiveAttachment(tx, row.id, {
        idArquivadoPor: user.idUsuario,
        arquivadoPor: user.nomeUsuario,
        arquivadoEm: now(),
        motivo: secrets.encrypt(reasonOf(request), attachmentReasonContext(row)),
      })
      await recordAccess(tx, { user, request }, [accessOf('arquivado', 'anexo', row)], {
        action: 'attachment.archived',
        subject: subjectOf(row.id),
      })
    }),
  )
}

interface NewAttachment {
  body: AttachmentDraft
  file?: { bytes: Buffer } | undefined
}

const subjectOf = (id: number): string => `anexo:${id}`

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/** The chosen type decides how the file is shown: a PDF shown as an image would look broken. */
const refuseOtherType = (chosen: AttachmentType, { formato }: ValidatedFile): void => {
  const isPdf = formato === 'application/pdf'
  if (isPdf === (chosen === 'PDF')) return
  throw new Problem('arquivo_recusado', {
    detail: isPdf
      ? 'O tipo escolhido é IMG, mas o arquivo é um PDF. Escolha PDF ou envie uma imagem.'
      : 'O tipo escolhido é PDF, mas o arquivo é uma imagem. Escolha IMG ou envie um PDF.',
  })
}

/**
 * Returns the filters for the audit, so that a search without results is audited too. Records the
 * matching types, never the typed text, which may name a person.
 */
const filterOf = ({ busca, beneficiario }: z.output<typeof attachmentsApi.list.query>) => {
  const filtro = { ...(busca ? { tipos: typesLike(busca) } : {}), ...(beneficiario ? { beneficiario } : {}) }
  return Object.keys(filtro).length > 0 ? { filtro } : {}
}
