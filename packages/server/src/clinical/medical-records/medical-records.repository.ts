import {
  isoDayOf,
  type MedicalRecord,
  type MedicalRecordDraft,
  type MedicalRecordVersion,
  type medicalRecordsApi,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ListPage, listPage, type Orders } from '../../platform/db/queries/list-page.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { decryptData } from '../beneficiaries/beneficiaries.ts'
import { councilRegistrationOf, type Writing } from '../health-data/author.ts'
import { recordReasonContext } from '../health-data/encryption-contexts.ts'
import { encryptContent, type RecordContent } from '../health-data/record-content.ts'
import { decryptRecord, decryptVersion } from '../health-data/records.ts'
import { reserveId } from '../health-data/row-numbers.ts'

export type RecordQuery = z.output<typeof medicalRecordsApi.list.query>

const orders: Orders<'data'> = { data: ['prontuario.dataProntuario', 'prontuario.id'] }

/**
 * Selects records that are not archived. Subqueries read the beneficiary for the page's rows only:
 * counting needs no join.
 */
const records = (db: Db) =>
  db
    .selectFrom('prontuario')
    .select(['prontuario.id', 'prontuario.beneficiario', 'conteudo', 'dataProntuario', 'autor'])
    .select(['prontuario.idAutor', 'registroAutor', 'alteradoPor', 'idAlteradoPor', 'registroAlteradoPor'])
    .select(['registradoEm', 'alteradoEm', 'prontuario.versao'])
    .select((eb) => {
      const person = eb.selectFrom('beneficiario').whereRef('beneficiario.id', '=', 'prontuario.beneficiario')
      return [
        person.select('beneficiario.dados').$asScalar().$notNull().as('dados'),
        person.select('beneficiario.versao').$asScalar().$notNull().as('versaoBeneficiario'),
      ]
    })
    .where('prontuario.arquivadoEm', 'is', null)

export const listRecords = async (
  db: Db,
  secrets: Secrets,
  { de, ate, beneficiario, ...query }: RecordQuery,
): Promise<ListPage<MedicalRecord>> => {
  const matching = records(db)
    .$if(de !== undefined, (rows) => rows.where('dataProntuario', '>=', isoDayOf(de ?? '') ?? ''))
    .$if(ate !== undefined, (rows) => rows.where('dataProntuario', '<=', isoDayOf(ate ?? '') ?? ''))
    .$if(beneficiario !== undefined, (rows) => rows.where('prontuario.beneficiario', '=', beneficiario ?? 0))
  const isNarrowed = (de ?? ate ?? beneficiario) !== undefined
  const page = await listPage(db, matching, {
    query,
    orders,
    byDefault: '-data',
    large: { name: 'prontuario', key: 'prontuario.id', isNarrowed },
  })
  return { ...page, rows: page.rows.map((row) => decrypted(secrets, row)) }
}

/** Returns undefined for an archived record too. */
export const findRecord = async (
  db: Db,
  secrets: Secrets,
  id: number,
): Promise<MedicalRecord | undefined> => {
  const row = await records(db).where('prontuario.id', '=', id).executeTakeFirst()
  return row && decrypted(secrets, row)
}

type Row = Awaited<ReturnType<ReturnType<typeof records>['executeTakeFirstOrThrow']>>

const decrypted = (secrets: Secrets, row: Row): MedicalRecord => {
  const { beneficiario: id, dados, versaoBeneficiario: versao } = row
  return decryptRecord(secrets, row, decryptData(secrets, { id, dados, versao }))
}

export const insertRecord = async (
  tx: Db,
  secrets: Secrets,
  { beneficiario, draft, author, now }: Writing & { beneficiario: number; draft: MedicalRecordDraft },
): Promise<number> => {
  const id = await reserveId(tx, 'prontuario')
  await tx
    .insertInto('prontuario')
    .values({
      id,
      beneficiario,
      conteudo: encryptContent(secrets, draft, { id, beneficiario, versao: 1 }),
      dataProntuario: dayOf(now),
      idAutor: author.idUsuario,
      autor: author.nomeUsuario,
      registroAutor: councilRegistrationOf(author),
      registradoEm: now,
    })
    .execute()
  return id
}

/** Selects the current version with its author, registration and time. */
const currentVersion = (db: Db, id: number) =>
  db
    .selectFrom('prontuario')
    .select(['versao', 'conteudo'])
    .select(({ fn }) => [
      fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
      fn.coalesce('alteradoPor', 'autor').as('autor'),
      // The current version's author may have none although the first author had one.
      sql<string | null>`case when alterado_em is null then registro_autor else registro_alterado_por end`.as(
        'registroAutor',
      ),
      fn.coalesce('alteradoEm', 'registradoEm').as('em'),
    ])
    .where('id', '=', id)

/**
 * Stores the current version with its author and time, and replaces it. The caller must hold a lock
 * of the row.
 * @param record its current version
 */
export const replaceContent = async (
  tx: Db,
  secrets: Secrets,
  record: Pick<MedicalRecord, 'id' | 'beneficiario' | 'versao'>,
  { content, author, now }: Writing & { content: RecordContent },
): Promise<void> => {
  // Columns and selected values match by position: those of `currentVersion`, then the record.
  await tx
    .insertInto('prontuarioVersao')
    .columns(['versao', 'conteudo', 'idAutor', 'autor', 'registroAutor', 'em', 'prontuario'])
    .expression(currentVersion(tx, record.id).select('id'))
    .execute()
  const versao = record.versao + 1
  await tx
    .updateTable('prontuario')
    .set({
      conteudo: encryptContent(secrets, content, {
        id: record.id,
        beneficiario: record.beneficiario,
        versao,
      }),
      idAlteradoPor: author.idUsuario,
      alteradoPor: author.nomeUsuario,
      registroAlteradoPor: councilRegistrationOf(author),
      alteradoEm: now,
      versao,
    })
    .where('id', '=', record.id)
    .execute()
}

export const archiveRecord = async (
  tx: Db,
  secrets: Secrets,
  record: Pick<MedicalRecord, 'id' | 'beneficiario'>,
  { reason, author, now }: Writing & { reason: string },
): Promise<void> => {
  await tx
    .updateTable('prontuario')
    .set({
      idArquivadoPor: author.idUsuario,
      arquivadoPor: author.nomeUsuario,
      arquivadoEm: now,
      motivo: secrets.encrypt(reason, recordReasonContext(record)),
    })
    .where('id', '=', record.id)
    .execute()
}

interface VersionsOf {
  record: Pick<MedicalRecord, 'id' | 'beneficiario'>
  query: Pick<RecordQuery, 'pagina' | 'tamanho'>
}

/** Returns all versions, from the current one to the first. */
export const listVersions = async (
  db: Db,
  secrets: Secrets,
  { record, query }: VersionsOf,
): Promise<ListPage<MedicalRecordVersion>> => {
  const earlier = db
    .selectFrom('prontuarioVersao')
    .select(['versao', 'conteudo', 'idAutor', 'autor', 'registroAutor', 'em'])
    .where('prontuario', '=', record.id)
  const all = currentVersion(db, record.id).unionAll(earlier)
  const page = await listPage(db, db.selectFrom(all.as('versoes')).selectAll(), {
    query,
    orders: { versao: ['versao'] },
    byDefault: '-versao',
  })
  return { ...page, rows: page.rows.map((row) => decryptVersion(secrets, record, row)) }
}
