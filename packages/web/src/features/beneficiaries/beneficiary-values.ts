import type { Beneficiary, Sex } from '@bi-manager/contract'

/** The form's values as typed. */
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

/** Prefills the form from a search text: the id when it has a digit, otherwise the name. */
export const prefilledBy = (text: string): Partial<BeneficiaryValues> =>
  /\d/.test(text) ? { id_beneficiario: text.slice(0, 60) } : { nome_beneficiario: text.slice(0, 120) }
