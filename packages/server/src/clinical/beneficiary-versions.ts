import type { BeneficiaryVersion } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import type { Author } from './author.ts'
import { type BeneficiaryData, beneficiaryValues, openData } from './beneficiaries.ts'

/**
 * Stores the current version with its author and time, and replaces it. The caller must hold a lock
 * of the row.
 * @param versao the current version
 */
export const replaceData = async (
  tx: Db,
  secrets: Secrets,
  {
    id,
    versao,
    data,
    author,
    now,
  }: { id: number; versao: number; data: BeneficiaryData; author: Author; now: Date },
): Promise<void> => {
  await tx
    .insertInto('beneficiarioVersao')
    .columns(['beneficiario', 'versao', 'dados', 'idAutor', 'autor', 'em'])
    .expression((eb) =>
      eb
        .selectFrom('beneficiario')
        .select(['id', 'versao', 'dados'])
        .select(({ fn }) => [
          fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
          fn.coalesce('alteradoPor', 'autor').as('autor'),
          fn.coalesce('alteradoEm', 'cadastradoEm').as('em'),
        ])
        .where('id', '=', id),
    )
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
  const rows = await db
    .selectFrom('beneficiario')
    .select(['versao', 'dados'])
    .select(({ fn }) => [
      fn.coalesce('idAlteradoPor', 'idAutor').as('idAutor'),
      fn.coalesce('alteradoPor', 'autor').as('autor'),
      fn.coalesce('alteradoEm', 'cadastradoEm').as('em'),
    ])
    .where('id', '=', id)
    .unionAll(earlier)
    .orderBy(sql.ref('versao'), 'desc')
    .execute()
  return rows.map(({ versao, dados, idAutor, autor, em }) => ({
    ...openData(secrets, { id, dados, versao }),
    versao,
    autor,
    idAutor,
    em: em.toISOString(),
  }))
}
