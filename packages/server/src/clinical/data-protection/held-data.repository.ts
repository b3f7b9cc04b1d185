import { type BeneficiaryExport, NO_REASON } from '@bi-manager/contract'
import { type Selectable, sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Archiving } from '../../platform/db/tables/clinical-tables.ts'
import type { Services } from '../../platform/http/services.ts'
import {
  FileLost,
  openAttachment,
  readAttachmentFile,
  selectAttachments,
} from '../attachments/attachments.ts'
import { findBeneficiary } from '../beneficiaries/beneficiaries.ts'
import { listBeneficiaryVersions } from '../beneficiaries/beneficiary-versions.ts'
import { decryptText } from '../health-data/encrypted-json.ts'
import {
  attachmentReasonContext,
  type EncryptionContext,
  recordReasonContext,
} from '../health-data/encryption-contexts.ts'
import { decryptRecord, decryptVersion } from '../health-data/records.ts'

type Person = BeneficiaryExport['beneficiario']
export type HeldRecord = BeneficiaryExport['prontuarios'][number]
export type HeldAttachment = BeneficiaryExport['anexos'][number]

/** The data held on a beneficiary, archived or not: ids, newest first. */
export interface HeldData {
  beneficiario: Person
  prontuarios: number[]
  anexos: number[]
}

export const findHeldData = async (tx: Db, secrets: Secrets, id: number): Promise<HeldData | undefined> => {
  const person = await findBeneficiary(tx, secrets, id)
  if (!person) return undefined
  return {
    beneficiario: { ...person, versoes: await listBeneficiaryVersions(tx, secrets, id) },
    prontuarios: await idsOf(tx, 'prontuario', id),
    anexos: await idsOf(tx, 'anexo', id),
  }
}

/** Newest first. */
const idsOf = async (tx: Db, table: 'prontuario' | 'anexo', beneficiario: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where beneficiario = ${beneficiario}
    order by ${sql.ref(`data_${table}`)} desc, id desc`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Records per query: each may have 20,000 characters, in several versions. */
const recordsAtOnce = 50

/** Yields each record with all its versions, read in batches. */
export async function* heldRecords(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  { beneficiario, prontuarios }: HeldData,
): AsyncGenerator<HeldRecord> {
  for (let start = 0; start < prontuarios.length; start += recordsAtOnce) {
    const ids = prontuarios.slice(start, start + recordsAtOnce)
    const rows = await db
      .selectFrom('prontuario')
      .selectAll()
      .where(sql<boolean>`id = any(${ids}::int[])`)
      .orderBy('dataProntuario', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const earlier = await earlierVersions(db, ids)
    for (const row of rows) {
      const { versao, conteudo, alteradoEm } = row
      const current = {
        versao,
        conteudo,
        autor: row.alteradoPor ?? row.autor,
        idAutor: row.idAlteradoPor ?? row.idAutor,
        registroAutor: alteradoEm ? row.registroAlteradoPor : row.registroAutor,
        em: alteradoEm ?? row.registradoEm,
      }
      const versions = [current, ...earlier.filter(({ prontuario }) => prontuario === row.id)]
      yield {
        ...decryptRecord(secrets, row, beneficiario),
        arquivado: archivingOf(secrets, row, recordReasonContext(row)),
        versoes: versions.map((version) => decryptVersion(secrets, row, version)),
      }
    }
  }
}

const earlierVersions = (db: Db, ids: number[]) =>
  db
    .selectFrom('prontuarioVersao')
    .select(['prontuario', 'versao', 'conteudo', 'idAutor', 'autor', 'registroAutor', 'em'])
    .where(sql<boolean>`prontuario = any(${ids}::int[])`)
    .orderBy('prontuario')
    .orderBy('versao', 'desc')
    .execute()

const attachmentsAtOnce = 100

export interface AttachmentOptions {
  /**
   * Adds the files' bytes, one at a time; `onLost` is called for each lost file, which is left out.
   */
  withFiles: false | { onLost: (anexo: number, error: FileLost) => void }
}

/**
 * Yields each attachment, read in batches.
 * @throws Problem 503 when the file store is unavailable
 */
export async function* heldAttachments(
  { db, secrets, files }: Pick<Services, 'db' | 'secrets' | 'files'>,
  { anexos }: HeldData,
  { withFiles }: AttachmentOptions,
): AsyncGenerator<HeldAttachment> {
  for (let start = 0; start < anexos.length; start += attachmentsAtOnce) {
    const ids = anexos.slice(start, start + attachmentsAtOnce)
    const rows = await selectAttachments(db)
      .select(['anexo.idArquivadoPor', 'anexo.arquivadoPor', 'anexo.arquivadoEm', 'anexo.motivo'])
      .where(sql<boolean>`anexo.id = any(${ids}::int[])`)
      .orderBy('anexo.dataAnexo', 'desc')
      .orderBy('anexo.id', 'desc')
      .execute()
    for (const row of rows) {
      const bytes =
        withFiles &&
        (await readAttachmentFile({ files, secrets }, row).catch((error: unknown) => {
          if (!(error instanceof FileLost)) throw error
          withFiles.onLost(row.id, error)
          return null
        }))
      yield {
        ...openAttachment(secrets, row),
        arquivado: archivingOf(secrets, row, attachmentReasonContext(row)),
        arquivo_base64: bytes ? bytes.toString('base64') : null,
        arquivo_ausente: bytes === null && row.arquivo !== null,
      }
    }
  }
}

/**
 * Checks the file store before anything is sent, if the beneficiary has a file. @throws Problem 503
 */
export const assertFilesInReach = async (
  { db, files }: Pick<Services, 'db' | 'files'>,
  beneficiario: number,
): Promise<void> => {
  const first = await db
    .selectFrom('anexo')
    .select('id')
    .where('beneficiario', '=', beneficiario)
    .where('arquivo', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (first) await files.check()
}

const archivingOf = (
  secrets: Secrets,
  { arquivadoEm, idArquivadoPor, arquivadoPor, motivo }: Selectable<Archiving>,
  context: EncryptionContext,
) =>
  arquivadoEm && {
    em: arquivadoEm.toISOString(),
    por: arquivadoPor ?? '',
    idUsuario: idArquivadoPor ?? 0,
    motivo: motivo === null ? NO_REASON : decryptText(secrets, motivo, context),
  }
