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
  beneficiary: Beneficiary | undefined,
  typed: Partial<BeneficiaryValues> = {},
): BeneficiaryValues => ({
  nome_beneficiario: beneficiary?.nome_beneficiario ?? '',
  id_beneficiario: beneficiary?.id_beneficiario ?? '',
  data_nascimento: beneficiary?.data_nascimento ?? '',
  sexo: beneficiary?.sexo ?? '',
  plano: beneficiary?.plano ?? '',
  operadora: beneficiary?.operadora ?? '',
  ...typed,
})

/** Prefills the form from a search text: the id when it has a digit, otherwise the name. */
export const prefilledBy = (text: string): Partial<BeneficiaryValues> =>
  /\d/.test(text) ? { id_beneficiario: text.slice(0, 60) } : { nome_beneficiario: text.slice(0, 120) }
