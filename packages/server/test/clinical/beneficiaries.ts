import type { Beneficiary } from '@bi-manager/contract'
import { type BeneficiaryData, insertBeneficiary } from '../../src/clinical/beneficiaries/beneficiaries.ts'
import type { AuthorAccount } from '../../src/clinical/health-data/author.ts'
import type { TestApp } from '../test-app.ts'

let last = 0

/** Inserts a fictitious beneficiary; `fields` overrides the data. */
export const createBeneficiary = async (
  { db, services: { secrets } }: Pick<TestApp, 'db' | 'services'>,
  fields: Partial<BeneficiaryData> = {},
  author: AuthorAccount = { idUsuario: 1, nomeUsuario: 'Quem registrou' },
): Promise<Beneficiary> => {
  last += 1
  const data = {
    nome_beneficiario: `Beneficiário ${last}`,
    id_beneficiario: `9000${last}`,
    data_nascimento: null,
    sexo: null,
    plano: null,
    operadora: null,
    ...fields,
  }
  const made = await insertBeneficiary(db, secrets, data, { author, now: new Date() })
  if (!made) throw new Error(`${data.id_beneficiario} is registered already`)
  return made
}
