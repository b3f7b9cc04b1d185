import { type Attachment, brazilianDayOf } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFile } from '../files/sealed-file.ts'
import { Problem } from '../problem.ts'
import type { Secrets } from '../secrets.ts'
import { openData } from './beneficiaries.ts'
import { LOST, openJson } from './sealed-json.ts'

/** What is sealed of an attachment. */
export type AttachmentData = Pick<Attachment, 'titulo_anexo' | 'descricao_anexo'>

export type AttachmentRow = Omit<
  Selectable<Tables['anexo']>,
  'idArquivadoPor' | 'arquivadoPor' | 'arquivadoEm' | 'motivo'
> & {
  /** Sealed, of its beneficiary. */
  dadosBeneficiario: Selectable<Tables['beneficiario']>['dados'] | null
}

/** Attachments, archived ones too, with what `openAttachment` needs. */
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
      'anexo.enviadoEm',
      'beneficiario.dados as dadosBeneficiario',
    ])

export const openAttachment = (secrets: Secrets, row: AttachmentRow): Attachment => {
  const data = openJson<AttachmentData>(secrets, row.dados)
  const person = row.dadosBeneficiario === null ? undefined : openData(secrets, row.dadosBeneficiario)
  return {
    id: row.id,
    titulo_anexo: data?.titulo_anexo ?? LOST,
    descricao_anexo: data?.descricao_anexo ?? LOST,
    data_anexo: brazilianDayOf(row.dataAnexo),
    tipo_anexo: row.tipoAnexo,
    tipo_usuario: row.tipoUsuario,
    imagem_anexo: row.arquivo === null ? null : `/api/anexos/${row.id}/arquivo`,
    nome_beneficiario: person?.nome_beneficiario ?? null,
    id_beneficiario: person?.id_beneficiario ?? null,
    beneficiario: row.beneficiario,
    enviado_por: row.autor,
    formato: row.formato,
    tamanho_bytes: row.tamanhoBytes,
  }
}

/** The store answers, but the file is gone or altered: trying again will not bring it back. */
export class FileLost extends Problem {
  constructor(cause: unknown) {
    super('armazenamento_indisponivel', { cause })
  }
}

/**
 * The bytes of an attachment's file, as they were judged good; null where it has none.
 * @throws FileLost
 * @throws Problem 503 when the store cannot be reached
 */
export const readAttachmentFile = async (
  { files, secrets }: { files: FileStore; secrets: Secrets },
  { id, arquivo, chaveArquivo }: Pick<AttachmentRow, 'id' | 'arquivo' | 'chaveArquivo'>,
): Promise<Buffer | null> => {
  // An empty key went with a lost secret: nobody can read the file any more.
  if (!arquivo || !chaveArquivo) return null
  const sealed = await files.get(arquivo)
  if (!sealed) throw new FileLost(new Error(`The store has no file of attachment ${id}.`))
  const fileKey = secrets.open(chaveArquivo)
  try {
    return openFile(sealed, fileKey)
  } catch (cause) {
    throw new FileLost(new Error(`The file of attachment ${id} was altered.`, { cause }))
  }
}
