import { type Beneficiary, type ListQuery, MAX_FOUND } from '@bi-manager/contract'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ListPage, listPage } from '../../platform/db/queries/list-page.ts'
import type { Writing } from '../health-data/author.ts'
import { reserveIds } from '../health-data/row-numbers.ts'
import {
  type BeneficiaryData,
  beneficiaryColumns,
  decryptBeneficiary,
  foldedId,
  nameIndex,
  newBeneficiaryValues,
  openFound,
  planIdIndex,
  searchIndex,
  searchName,
} from './beneficiaries.ts'

export const listBeneficiaries = async (
  db: Db,
  secrets: Secrets,
  query: ListQuery,
): Promise<ListPage<Beneficiary>> => {
  const page = await listPage(db, db.selectFrom('beneficiario').select(beneficiaryColumns), {
    query,
    orders: { id: ['beneficiario.id'] },
    byDefault: '-id',
    large: { name: 'beneficiario', key: 'beneficiario.id', isNarrowed: false },
  })
  return { ...page, rows: page.rows.map((row) => decryptBeneficiary(secrets, row)) }
}

/** Finds beneficiaries by plan id or full name: a text may match both. */
export const searchBeneficiaries = async (db: Db, secrets: Secrets, text: string): Promise<Beneficiary[]> => {
  const byId = planIdIndex(secrets, text)
  const rows = await db
    .selectFrom('beneficiario')
    .select(beneficiaryColumns)
    .where((eb) =>
      eb.or([
        eb('marcaId', '=', byId),
        eb('marcaNome', '=', nameIndex(secrets, text)),
        // Old code edits a name and leaves its digest.
        eb.and([eb('marcaBusca', '=', searchIndex(secrets, text)), eb('versaoBusca', '=', eb.ref('versao'))]),
      ]),
    )
    .orderBy((eb) => eb('marcaId', '=', byId), 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_FOUND)
    .execute()
  return rows.map((row) =>
    openFound(
      secrets,
      row,
      ({ id_beneficiario, nome_beneficiario }) =>
        foldedId(id_beneficiario) === foldedId(text) || searchName(nome_beneficiario) === searchName(text),
    ),
  )
}

/** Returns the registered ones of these plan ids, each with our own number. */
export const findRegistered = async (
  db: Db,
  secrets: Secrets,
  planIds: readonly string[],
): Promise<Map<string, number>> => {
  if (planIds.length === 0) return new Map()
  const planIdOf = new Map(planIds.map((planId) => [planIdIndex(secrets, planId), planId]))
  const rows = await db
    .selectFrom('beneficiario')
    .select(['id', 'marcaId'])
    .where('marcaId', 'in', [...planIdOf.keys()])
    .execute()
  return new Map(rows.map(({ id, marcaId }) => [planIdOf.get(marcaId) ?? '', id]))
}

/**
 * Inserts all in one statement, except those whose plan id is registered already. @returns their
 * numbers
 */
export const insertBeneficiariesOfNewIds = async (
  tx: Db,
  secrets: Secrets,
  drafts: readonly BeneficiaryData[],
  writing: Writing,
): Promise<number[]> => {
  const numbers = await reserveIds(tx, 'beneficiario', drafts.length)
  const rows = await tx
    .insertInto('beneficiario')
    .values(
      drafts.map((data, index) =>
        newBeneficiaryValues(secrets, data, { id: numbers[index] ?? 0, ...writing }),
      ),
    )
    .onConflict((conflict) => conflict.column('marcaId').doNothing())
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
