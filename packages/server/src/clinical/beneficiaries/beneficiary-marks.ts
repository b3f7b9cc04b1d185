import { type RawBuilder, sql } from 'kysely'
import { ConfigError } from '../../platform/config/config.ts'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import { beneficiaryContext } from '../health-data/encryption-contexts.ts'
import { type BeneficiaryData, nameMarks, planIdIndex } from './beneficiaries.ts'

/* The blind indexes of beneficiaries use the oldest key of the ring. With another key no search
   would match, and every beneficiary could be registered twice. */

/** @throws ConfigError when the blind indexes were made with another key than the ring's oldest */
export const assertBlindIndexesMatch = async (db: Db, secrets: Secrets): Promise<void> => {
  if (await doMarksFit(db, secrets)) return
  throw new ConfigError(
    'A chave mais antiga da lista não é a que achava os beneficiários. Devolva-a ao fim de APP_SECRET_PREVIOUS ou do arquivo app-secret.key; se ela saiu de propósito, rode "npm run secrets:rotate", que faz as marcas de busca com a chave mais antiga que ficou.',
  )
}

/**
 * Rebuilds blind indexes that versions before the HMAC made with the same key, at the first start
 * after the update.
 */
export const upgradeBlindIndexes = async (db: Db, secrets: Secrets): Promise<number> => {
  const isOurs = await doMarksFit(db, secrets, [secrets.digest, secrets.earlierDigest])
  return isOurs ? rebuildBlindIndexes(db, secrets) : 0
}

/**
 * Rebuilds the blind indexes with the ring's oldest key. @returns how many, 0 when they fit already
 */
export const rebuildBlindIndexes = async (db: Db, secrets: Secrets): Promise<number> => {
  if (await doMarksFit(db, secrets)) return 0
  return markAll(db, secrets, sql`true`)
}

/**
 * Computes the search digest of each name that the previous version wrote (ADR 0102).
 * @returns how many
 */
export const fillNameSearch = (db: Db, secrets: Secrets, stopped?: AbortSignal): Promise<number> =>
  markAll(db, secrets, sql`versao_busca is distinct from versao`, stopped)

const markAll = async (db: Db, secrets: Secrets, which: RawBuilder<boolean>, stopped?: AbortSignal) => {
  let marked = 0
  for (let after: number | undefined = 0; after !== undefined && !stopped?.aborted; ) {
    const batch = await inTransaction(db, (tx) => markBatch(tx, secrets, after ?? 0, which))
    marked += batch.marked
    after = batch.last
  }
  return marked
}

/**
 * Checks the first and the last row: `rebuildBlindIndexes` goes in this order, so if both fit, all
 * do. Rows that cannot be decrypted are ignored.
 */
const doMarksFit = async (db: Db, secrets: Secrets, digests = [secrets.digest]): Promise<boolean> => {
  const open = db
    .selectFrom('beneficiario')
    .select(['id', 'versao', 'dados', 'marcaId'])
    .where('dados', '<>', '' as Encrypted)
  const ends = [
    await open.orderBy('id').limit(1).executeTakeFirst(),
    await open.orderBy('id', 'desc').limit(1).executeTakeFirst(),
  ]
  return ends.every((row) =>
    digests.some((digest) => {
      const marks = row && marksOf({ ...secrets, digest }, row)
      return !marks || marks.marcaId === row.marcaId
    }),
  )
}

const batchSize = 500

const markBatch = async (tx: Db, secrets: Secrets, after: number, which: RawBuilder<boolean>) => {
  const rows = await tx
    .selectFrom('beneficiario')
    .select(['id', 'versao', 'dados'])
    .where('id', '>', after)
    .where(sql<boolean>`${which} and dados <> ''`)
    .orderBy('id')
    .limit(batchSize)
    .forUpdate()
    .execute()
  const marked = rows.flatMap((row) => {
    const marks = marksOf(secrets, row)
    return marks ? [{ id: row.id, ...marks }] : []
  })
  if (marked.length > 0) {
    await sql`update beneficiario set marca_id = marked.marca_id, marca_nome = marked.marca_nome,
        marca_busca = marked.marca_busca, versao_busca = versao
      from unnest(${marked.map(({ id }) => id)}::int[], ${marked.map(({ marcaId }) => marcaId)}::text[],
        ${marked.map(({ marcaNome }) => marcaNome)}::text[], ${marked.map(({ marcaBusca }) => marcaBusca)}::text[])
        as marked(id, marca_id, marca_nome, marca_busca)
      where beneficiario.id = marked.id`.execute(tx)
  }
  return { marked: marked.length, last: rows.at(-1)?.id }
}

/** Returns undefined for data that cannot be decrypted: altered, moved or truncated. */
const marksOf = (secrets: Secrets, row: { id: number; versao: number; dados: Encrypted }) =>
  orUndefined(() => {
    const data = JSON.parse(secrets.decrypt(row.dados, beneficiaryContext(row))) as BeneficiaryData
    return {
      marcaId: planIdIndex(secrets, data.id_beneficiario),
      ...nameMarks(secrets, data.nome_beneficiario, row.versao),
    }
  })
