import type { Beneficiary, Sex } from '@bi-manager/contract'

/** What the form holds: texts as they are typed. */
export interface BeneficiaryValues {
  nome_beneficiario: string
  id_beneficiario: string
  /** dd/mm/aaaa */
  data_nascimento: string
  sexo: Sex | ''
  plano: string
  operadora: string
}

export const valuesOf = (
  record: Beneficiary | undefined,
  typed: Partial<BeneficiaryValues> = {},
): BeneficiaryValues => ({
  nome_beneficiario: record?.nome_beneficiario ?? '',
  id_beneficiario: record?.id_beneficiario ?? '',
  data_nascimento: record?.data_nascimento ?? '',
  sexo: record?.sexo ?? '',
  plano: record?.plano ?? '',
  operadora: record?.operadora ?? '',
  ...typed,
})

/** What was searched is an id where it has a digit, and a name where it has none. */
export const prefilledBy = (text: string): Partial<BeneficiaryValues> =>
  /\d/.test(text) ? { id_beneficiario: text.slice(0, 60) } : { nome_beneficiario: text.slice(0, 120) }
