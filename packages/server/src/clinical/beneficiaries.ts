import type { Beneficiary } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import type { Sealed, Secrets } from '../secrets.ts'
import type { Author } from './author.ts'
import { LOST, openJson, sealJson } from './sealed-json.ts'

/** What is sealed of a beneficiary. */
export type BeneficiaryData = Omit<Beneficiary, 'id' | 'versao'>

type Row = Pick<Selectable<Tables['beneficiario']>, 'id' | 'dados' | 'versao'>

/** Columns that `openBeneficiary` needs. */
export const beneficiaryColumns = ['beneficiario.id', 'beneficiario.dados', 'beneficiario.versao'] as const

export const openBeneficiary = (secrets: Secrets, { id, dados, versao }: Row): Beneficiary => ({
  id,
  ...openData(secrets, dados),
  versao,
})

export const openData = (secrets: Secrets, dados: Sealed): BeneficiaryData =>
  openJson<BeneficiaryData>(secrets, dados) ?? {
    nome_beneficiario: LOST,
    id_beneficiario: LOST,
    data_nascimento: null,
    sexo: null,
    plano: null,
    operadora: null,
  }

interface Writing {
  author: Author
  now: Date
}

/** The row of somebody who is registered now. */
export const newBeneficiaryValues = (secrets: Secrets, data: BeneficiaryData, { author, now }: Writing) => ({
  ...beneficiaryValues(secrets, data),
  cadastradoEm: now,
  idAutor: author.idUsuario,
  autor: author.nomeUsuario,
  ultimoRegistro: null,
})

/** What is sealed of a beneficiary, and the digests that it is found by. */
export const beneficiaryValues = (secrets: Secrets, data: BeneficiaryData) => ({
  dados: sealJson(secrets, data),
  marcaId: idMark(secrets, data.id_beneficiario),
  marcaNome: nameMark(secrets, data.nome_beneficiario),
})

export const idMark = ({ digest }: Secrets, id: string): string => digest(`beneficiario:id:${foldedId(id)}`)

export const nameMark = ({ digest }: Secrets, name: string): string =>
  digest(`beneficiario:nome:${foldedName(name)}`)

/** The plan's id in capitals: 'ex-1' and 'EX-1' are one person, who must not be registered twice. */
export const foldedId = (id: string): string => id.normalize('NFC').trim().toUpperCase()

/** A full name without accents, case and doubled spaces. */
export const foldedName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

export const findByPlanId = async (
  db: Db,
  secrets: Secrets,
  idBeneficiario: string,
): Promise<Beneficiary | undefined> => {
  const row = await db
    .selectFrom('beneficiario')
    .select(beneficiaryColumns)
    .where('marcaId', '=', idMark(secrets, idBeneficiario))
    .executeTakeFirst()
  return row && openBeneficiary(secrets, row)
}

/** @returns undefined when somebody else has registered that id, also at this very moment */
export const insertBeneficiary = async (
  tx: Db,
  secrets: Secrets,
  data: BeneficiaryData,
  writing: Writing,
): Promise<Beneficiary | undefined> => {
  const row = await tx
    .insertInto('beneficiario')
    .values(newBeneficiaryValues(secrets, data, writing))
    .onConflict((conflict) => conflict.column('marcaId').doNothing())
    .returning(beneficiaryColumns)
    .executeTakeFirst()
  return row && openBeneficiary(secrets, row)
}

/** An entry on this day: the years for which everything is kept count from the last one. @param day yyyy-mm-dd */
export const noteEntry = async (tx: Db, beneficiario: number, day: string): Promise<void> => {
  await tx
    .updateTable('beneficiario')
    .set((eb) => ({ ultimoRegistro: eb.fn('greatest', ['ultimoRegistro', eb.cast(eb.val(day), 'date')]) }))
    .where('id', '=', beneficiario)
    .execute()
}

/** The day of an instant in America/Sao_Paulo, yyyy-mm-dd. */
export const dayOf = (instant: Date): string => isoDay.format(instant)

const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' })
