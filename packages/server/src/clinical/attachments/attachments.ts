import { type Attachment, brazilianDayOf } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Archiving } from '../../platform/db/tables/clinical-tables.ts'
import type { Tables } from '../../platform/db/types.ts'
import { decryptFile } from '../../platform/files/encrypted-file.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { decryptData } from '../beneficiaries/beneficiaries.ts'
import { decryptJson, isPlaceholder, unreadable } from '../health-data/encrypted-json.ts'
import { attachmentContext, fileContext, fileKeyContext } from '../health-data/encryption-contexts.ts'

/** The encrypted fields of an attachment. */
type AttachmentData = Pick<Attachment, 'titulo_anexo' | 'descricao_anexo'>

export type AttachmentRow = Omit<Selectable<Tables['anexo']>, keyof Archiving> & {
  /** The encrypted data of the attachment's beneficiary. */
  dadosBeneficiario: Selectable<Tables['beneficiario']>['dados'] | null
  versaoBeneficiario: number | null
}

/** Selects attachments, archived ones too, with the columns that `openAttachment` needs. */
export const selectAttachments = (db: Db) =>
  db
    .selectFrom('anexo')
    .leftJoin('beneficiario', 'beneficiario.id', 'anexo.beneficiario')
    .select([
      'anexo.id',
      'anexo.beneficiario',
      'anexo.dados',
      'anexo.tipoAnexo',
      'anexo.tipoUsuario',
      'anexo.dataAnexo',
      'anexo.arquivo',
      'anexo.chaveArquivo',
      'anexo.formato',
      'anexo.tamanhoBytes',
      'anexo.idAutor',
      'anexo.autor',
      'anexo.registroAutor',
      'anexo.enviadoEm',
      'beneficiario.dados as dadosBeneficiario',
      'beneficiario.versao as versaoBeneficiario',
    ])

export const openAttachment = (secrets: Secrets, row: AttachmentRow): Attachment => {
  const data = decryptJson<AttachmentData>(secrets, row.dados, attachmentContext(row))
  const person = personOf(secrets, row)
  return {
    id: row.id,
    titulo_anexo: isPlaceholder(data) ? data : data.titulo_anexo,
    descricao_anexo: isPlaceholder(data) ? data : data.descricao_anexo,
    data_anexo: brazilianDayOf(row.dataAnexo),
    tipo_anexo: row.tipoAnexo,
    tipo_usuario: row.tipoUsuario,
    imagem_anexo: row.arquivo === null ? null : `/api/anexos/${row.id}/arquivo`,
    nome_beneficiario: person?.nome_beneficiario ?? null,
    id_beneficiario: person?.id_beneficiario ?? null,
    beneficiario: row.beneficiario,
    enviado_por: row.autor,
    idAutor: row.idAutor,
    registroAutor: row.registroAutor,
    formato: row.formato,
    tamanho_bytes: row.tamanhoBytes,
  }
}

const personOf = (
  secrets: Secrets,
  { beneficiario: id, dadosBeneficiario: dados, versaoBeneficiario: versao }: AttachmentRow,
) =>
  id === null || dados === null || versao === null ? undefined : decryptData(secrets, { id, dados, versao })

/** Thrown when the store answers but the file is missing or altered: a retry will not help. */
export class FileLost extends Problem {
  constructor(cause: unknown) {
    super('arquivo_ausente', {
      detail: 'O arquivo deste anexo se perdeu ou foi alterado fora do portal, e não pode mais ser aberto.',
      cause,
    })
  }
}

/**
 * Returns the decrypted bytes of an attachment's file; null when it has none.
 * @throws FileLost
 * @throws Problem 503 when the store is unavailable
 */
export const readAttachmentFile = async (
  { files, secrets }: { files: FileStore; secrets: Secrets },
  row: Pick<AttachmentRow, 'id' | 'beneficiario' | 'arquivo' | 'chaveArquivo'>,
): Promise<Buffer | null> => {
  const { id, arquivo, chaveArquivo } = row
  // The key is empty when it was lost with a secret: the file cannot be decrypted any more.
  if (!arquivo || !chaveArquivo) return null
  const encrypted = await files.get(arquivo)
  const lost = (err: Error) => {
    unreadable(fileContext(row), err)
    return new FileLost(err)
  }
  if (!encrypted) throw lost(new Error(`The store has no file of attachment ${id}.`))
  try {
    return decryptFile(encrypted, secrets.decrypt(chaveArquivo, fileKeyContext(row)), fileContext(row))
  } catch (cause) {
    throw lost(new Error(`The file of attachment ${id}, or its key, was altered.`, { cause }))
  }
}
