import type { Beneficiary, BeneficiaryVersion } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Writing } from '../health-data/author.ts'
import { beneficiaryValues, decryptData } from './beneficiaries.ts'

/** Selects the current version with its author and time. */
const currentVersion = (db: Db, id: number) =>
  db
    .selectFrom('beneficiario')
    .select(['versao', 'dados'])
    .select(({ fn }) => [
      fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
      fn.coalesce('alteradoPor', 'autor').as('autor'),
      fn.coalesce('alteradoEm', 'cadastradoEm').as('em'),
    ])
    .where('id', '=', id)

/**
 * Stores the current version with its author and time, and replaces it. The caller must hold a lock
 * of the row.
 * @param beneficiary its new data, with the current version
 */
export const replaceData = async (
  tx: Db,
  secrets: Secrets,
  { id, versao, ...data }: Beneficiary,
  { author, now }: Writing,
): Promise<void> => {
  await tx
    .insertInto('beneficiarioVersao')
    .columns(['versao', 'dados', 'idAutor', 'autor', 'em', 'beneficiario'])
    .expression(currentVersion(tx, id).select('id'))
    .execute()
  await tx
    .updateTable('beneficiario')
    .set({
      ...beneficiaryValues(secrets, data, { id, versao: versao + 1 }),
      idAlteradoPor: author.idUsuario,
      alteradoPor: author.nomeUsuario,
      alteradoEm: now,
      versao: versao + 1,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns all versions, from the current one to the first. */
export const listBeneficiaryVersions = async (
  db: Db,
  secrets: Secrets,
  id: number,
): Promise<BeneficiaryVersion[]> => {
  const earlier = db
    .selectFrom('beneficiarioVersao')
    .select(['versao', 'dados', 'idAutor', 'autor', 'em'])
    .where('beneficiario', '=', id)
  const rows = await currentVersion(db, id).unionAll(earlier).orderBy(sql.ref('versao'), 'desc').execute()
  return rows.map(({ versao, dados, idAutor, autor, em }) => ({
    ...decryptData(secrets, { id, dados, versao }),
    versao,
    autor,
    idAutor,
    em: em.toISOString(),
  }))
}
