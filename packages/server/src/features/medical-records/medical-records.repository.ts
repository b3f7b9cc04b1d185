import {
  isoDayOf,
  type MedicalRecord,
  type MedicalRecordDraft,
  type MedicalRecordVersion,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import { type Author, registrationOf } from '../../clinical/author.ts'
import { openData } from '../../clinical/beneficiaries.ts'
import { recordReasonPlace } from '../../clinical/places.ts'
import { type RecordContent, sealContent } from '../../clinical/record-content.ts'
import { openRecord, openVersion } from '../../clinical/records.ts'
import { reserveId } from '../../clinical/row-numbers.ts'
import type { Sealed, Secrets } from '../../config/secrets.ts'
import { type ListPage, listPage, type Orders } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'
import { dayOf } from '../../lib/local-day.ts'

export interface RecordFilter {
  /** First and last day (dd/mm/yyyy), both included. */
  de?: string | undefined
  ate?: string | undefined
  beneficiario?: number | undefined
  pagina?: number | undefined
  tamanho?: number | undefined
}

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
    .select(['alteradoEm', 'prontuario.versao'])
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
  { de, ate, beneficiario, ...query }: RecordFilter,
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
  return { ...page, rows: page.rows.map((row) => openRecord(secrets, row, personOf(secrets, row))) }
}

/** Returns undefined for an archived record too. */
export const findRecord = async (
  db: Db,
  secrets: Secrets,
  id: number,
): Promise<MedicalRecord | undefined> => {
  const row = await records(db).where('prontuario.id', '=', id).executeTakeFirst()
  return row && openRecord(secrets, row, personOf(secrets, row))
}

const personOf = (
  secrets: Secrets,
  {
    beneficiario: id,
    dados,
    versaoBeneficiario: versao,
  }: {
    beneficiario: number
    dados: Sealed
    versaoBeneficiario: number
  },
) => openData(secrets, { id, dados, versao })

export const insertRecord = async (
  tx: Db,
  secrets: Secrets,
  {
    beneficiario,
    draft,
    author,
    now,
  }: { beneficiario: number; draft: MedicalRecordDraft; author: Author; now: Date },
): Promise<number> => {
  const id = await reserveId(tx, 'prontuario')
  await tx
    .insertInto('prontuario')
    .values({
      id,
      beneficiario,
      conteudo: sealContent(secrets, draft, { id, beneficiario, versao: 1 }),
      dataProntuario: dayOf(now),
      idAutor: author.idUsuario,
      autor: author.nomeUsuario,
      registroAutor: registrationOf(author),
      registradoEm: now,
    })
    .execute()
  return id
}

/**
 * SQL: the registration of the current version's author, who may have none although the first
 * author had one.
 */
const registrationOfStanding = sql<string | null>`
  case when alterado_em is null then registro_autor else registro_alterado_por end`

interface Replacing {
  /** The current version. */
  record: Pick<MedicalRecord, 'id' | 'beneficiario' | 'versao'>
  content: RecordContent
  author: Author
  now: Date
}

/**
 * Stores the current version with its author and time, and replaces it. The caller must hold a lock
 * of the row.
 */
export const replaceContent = async (
  tx: Db,
  secrets: Secrets,
  { record, content, author, now }: Replacing,
): Promise<void> => {
  await tx
    .insertInto('prontuarioVersao')
    .columns(['prontuario', 'versao', 'conteudo', 'idAutor', 'autor', 'registroAutor', 'em'])
    .expression((eb) =>
      eb
        .selectFrom('prontuario')
        .select(['id', 'versao', 'conteudo'])
        .select(({ fn }) => [
          fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
          fn.coalesce('alteradoPor', 'autor').as('autor'),
          registrationOfStanding.as('registroAutor'),
          fn.coalesce('alteradoEm', 'registradoEm').as('em'),
        ])
        .where('id', '=', record.id),
    )
    .execute()
  const versao = record.versao + 1
  await tx
    .updateTable('prontuario')
    .set({
      conteudo: sealContent(secrets, content, { id: record.id, beneficiario: record.beneficiario, versao }),
      idAlteradoPor: author.idUsuario,
      alteradoPor: author.nomeUsuario,
      registroAlteradoPor: registrationOf(author),
      alteradoEm: now,
      versao,
    })
    .where('id', '=', record.id)
    .execute()
}

export const archiveRecord = async (
  tx: Db,
  secrets: Secrets,
  {
    record,
    reason,
    author,
    now,
  }: { record: Pick<MedicalRecord, 'id' | 'beneficiario'>; reason: string; author: Author; now: Date },
): Promise<void> => {
  await tx
    .updateTable('prontuario')
    .set({
      idArquivadoPor: author.idUsuario,
      arquivadoPor: author.nomeUsuario,
      arquivadoEm: now,
      motivo: secrets.seal(reason, recordReasonPlace(record)),
    })
    .where('id', '=', record.id)
    .execute()
}

interface VersionsOf {
  record: Pick<MedicalRecord, 'id' | 'beneficiario'>
  query: Pick<RecordFilter, 'pagina' | 'tamanho'>
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
  const all = db
    .selectFrom('prontuario')
    .select(['versao', 'conteudo'])
    .select(({ fn }) => [
      fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
      fn.coalesce('alteradoPor', 'autor').as('autor'),
      registrationOfStanding.as('registroAutor'),
      fn.coalesce('alteradoEm', 'registradoEm').as('em'),
    ])
    .where('id', '=', record.id)
    .unionAll(earlier)
  const page = await listPage(db, db.selectFrom(all.as('versoes')).selectAll(), {
    query,
    orders: { versao: ['versao'] },
    byDefault: '-versao',
  })
  return { ...page, rows: page.rows.map((row) => openVersion(secrets, record, row)) }
}
