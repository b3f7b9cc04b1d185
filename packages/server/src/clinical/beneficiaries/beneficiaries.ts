import { type Beneficiary, foldForSearch } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'
import type { Writing } from '../health-data/author.ts'
import {
  decryptJson,
  encryptJson,
  isPlaceholder,
  type Placeholder,
  unreadable,
} from '../health-data/encrypted-json.ts'
import { beneficiaryContext } from '../health-data/encryption-contexts.ts'
import { reserveId } from '../health-data/row-numbers.ts'

/** The encrypted fields of a beneficiary. */
export type BeneficiaryData = Omit<Beneficiary, 'id' | 'versao'>

type Row = Pick<Selectable<Tables['beneficiario']>, 'id' | 'dados' | 'versao'>

/** The columns that `decryptBeneficiary` needs. */
export const beneficiaryColumns = ['beneficiario.id', 'beneficiario.dados', 'beneficiario.versao'] as const

export const decryptBeneficiary = (secrets: Secrets, row: Row): Beneficiary => ({
  id: row.id,
  ...decryptData(secrets, row),
  versao: row.versao,
})

/** @param row the beneficiary's id, and the version that the data belong to */
export const decryptData = (secrets: Secrets, { dados, ...row }: Row): BeneficiaryData => {
  const data = decryptJson<BeneficiaryData>(secrets, dados, beneficiaryContext(row))
  return isPlaceholder(data) ? withoutData(data) : data
}

const withoutData = (instead: Placeholder): BeneficiaryData => ({
  nome_beneficiario: instead,
  id_beneficiario: instead,
  data_nascimento: null,
  sexo: null,
  plano: null,
  operadora: null,
})

/** Returns whether the beneficiary's data could be decrypted. */
export const isKnown = ({ id_beneficiario }: Pick<Beneficiary, 'id_beneficiario'>): boolean =>
  !isPlaceholder(id_beneficiario)

/** Shown when nothing can be added to a beneficiary, because their data cannot be decrypted. */
export const UNKNOWN_PERSON =
  'Os dados deste beneficiário não podem ser lidos: corrija o cadastro dele antes, ou avise o encarregado de dados.'

/** Returns the values of a new beneficiary's row. @param id a number from `reserveId` */
export const newBeneficiaryValues = (
  secrets: Secrets,
  data: BeneficiaryData,
  { id, author, now }: Writing & { id: number },
) => ({
  id,
  ...beneficiaryValues(secrets, data, { id, versao: 1 }),
  cadastradoEm: now,
  idAutor: author.idUsuario,
  autor: author.nomeUsuario,
  ultimoRegistro: null,
})

/** Returns the encrypted data and the blind indexes of a beneficiary. */
export const beneficiaryValues = (
  secrets: Secrets,
  data: BeneficiaryData,
  row: { id: number; versao: number },
) => ({
  dados: encryptJson(secrets, data, beneficiaryContext(row)),
  marcaId: planIdIndex(secrets, data.id_beneficiario),
  ...nameMarks(secrets, data.nome_beneficiario, row.versao),
})

/** Returns the blind indexes of a name. @param versao the version of the data that it belongs to */
export const nameMarks = (secrets: Secrets, name: string, versao: number) => ({
  marcaNome: nameIndex(secrets, name),
  marcaBusca: searchIndex(secrets, name),
  versaoBusca: versao,
})

export const planIdIndex = ({ digest }: Secrets, id: string): string =>
  digest(`beneficiario:id:${foldedId(id)}`)

/** The digest that the previous version searches (record 0102). */
export const nameIndex = ({ digest }: Secrets, name: string): string =>
  digest(`beneficiario:nome:${foldedName(name)}`)

export const searchIndex = ({ digest }: Secrets, name: string): string =>
  digest(`beneficiario:busca:${searchName(name)}`)

/**
 * Returns the plan id in capitals: 'ex-1' and 'EX-1' are one person, who must not be registered
 * twice.
 */
export const foldedId = (id: string): string => id.normalize('NFC').trim().toUpperCase()

/**
 * Returns the full name as searches compare it (record 0094), without double spaces. Names that
 * `foldedName` finds equal stay equal.
 */
export const searchName = (name: string): string => foldForSearch(foldedName(name))

/** Returns the full name without accents, case and double spaces. */
export const foldedName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

export const findBeneficiary = async (
  db: Db,
  secrets: Secrets,
  id: number,
): Promise<Beneficiary | undefined> => {
  const row = await db
    .selectFrom('beneficiario')
    .select(beneficiaryColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && decryptBeneficiary(secrets, row)
}

export const findByPlanId = async (
  db: Db,
  secrets: Secrets,
  idBeneficiario: string,
): Promise<Beneficiary | undefined> => {
  const row = await db
    .selectFrom('beneficiario')
    .select(beneficiaryColumns)
    .where('marcaId', '=', planIdIndex(secrets, idBeneficiario))
    .executeTakeFirst()
  return (
    row &&
    openFound(secrets, row, ({ id_beneficiario }) => foldedId(id_beneficiario) === foldedId(idBeneficiario))
  )
}

/** Returns the beneficiaries with these ids of the plan, and how many ids are not registered. */
export const findByPlanIds = async (
  db: Db,
  secrets: Secrets,
  planIds: readonly string[],
): Promise<{ people: Beneficiary[]; unregisteredCount: number }> => {
  // Ids that differ in case or spaces are one person's.
  const wanted = new Map(planIds.map((planId) => [planIdIndex(secrets, planId), planId]))
  if (wanted.size === 0) return { people: [], unregisteredCount: 0 }
  const rows = await db
    .selectFrom('beneficiario')
    .select([...beneficiaryColumns, 'marcaId'])
    .where('marcaId', 'in', [...wanted.keys()])
    .execute()
  const people = rows.map(({ marcaId, ...row }) =>
    openFound(
      secrets,
      row,
      ({ id_beneficiario }) => foldedId(id_beneficiario) === foldedId(wanted.get(marcaId) ?? ''),
    ),
  )
  return { people, unregisteredCount: wanted.size - people.length }
}

/**
 * Decrypts a row found by a blind index. The index is not covered by the encryption: if it belongs
 * to other data, it was altered.
 */
export const openFound = (
  secrets: Secrets,
  row: Row,
  isSought: (person: Beneficiary) => boolean,
): Beneficiary => {
  const person = decryptBeneficiary(secrets, row)
  if (!isKnown(person) || isSought(person)) return person
  const err = new Error('The blind index that matched is not of this beneficiary.')
  return { ...person, ...withoutData(unreadable(beneficiaryContext(row), err)) }
}

/** @returns undefined when the plan id is registered already, also by a concurrent call */
export const insertBeneficiary = async (
  tx: Db,
  secrets: Secrets,
  data: BeneficiaryData,
  writing: Writing,
): Promise<Beneficiary | undefined> => {
  const id = await reserveId(tx, 'beneficiario')
  const row = await tx
    .insertInto('beneficiario')
    .values(newBeneficiaryValues(secrets, data, { id, ...writing }))
    .onConflict((conflict) => conflict.column('marcaId').doNothing())
    .returning(beneficiaryColumns)
    .executeTakeFirst()
  return row && decryptBeneficiary(secrets, row)
}

/**
 * Records the day of an entry: the retention period starts with the last one. @param day yyyy-mm-dd
 */
export const recordLastEntry = async (tx: Db, beneficiario: number, day: string): Promise<void> => {
  await tx
    .updateTable('beneficiario')
    .set((eb) => ({ ultimoRegistro: eb.fn('greatest', ['ultimoRegistro', eb.cast(eb.val(day), 'date')]) }))
    .where('id', '=', beneficiario)
    .execute()
}
