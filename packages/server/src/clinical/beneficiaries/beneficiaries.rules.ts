import { type Beneficiary, type BeneficiaryDraft, isoDayOf, problems } from '@bi-manager/contract'
import { Problem } from '../../platform/lib/problem.ts'
import type { BeneficiaryData } from './beneficiaries.ts'

export const KNOWN_ID = problems.beneficiario_ja_cadastrado.detail

export const knownIdProblem = (): Problem =>
  new Problem('beneficiario_ja_cadastrado', { campos: { id_beneficiario: KNOWN_ID } })

/** Returns the stored fields of a draft; omitted ones become null. */
export const dataOf = ({
  nome_beneficiario,
  id_beneficiario,
  data_nascimento = null,
  sexo = null,
  plano = null,
  operadora = null,
}: BeneficiaryDraft): BeneficiaryData => ({
  nome_beneficiario,
  id_beneficiario,
  data_nascimento,
  sexo,
  plano,
  operadora,
})

export const changedFieldsOf = (before: Beneficiary, after: Beneficiary): string[] =>
  (Object.keys(after) as (keyof Beneficiary)[]).filter(
    (field) => field !== 'versao' && before[field] !== after[field],
  )

/** Returns the error of a birth date in the future. @param today yyyy-mm-dd */
export const birthDateFault = (
  { data_nascimento }: Pick<BeneficiaryDraft, 'data_nascimento'>,
  today: string,
): string | undefined => {
  const born = data_nascimento ? isoDayOf(data_nascimento) : undefined
  return born !== undefined && born > today ? 'A data de nascimento não pode ser depois de hoje.' : undefined
}

/** @throws Problem 422 */
export const assertBirthDate = (draft: Partial<BeneficiaryDraft>, today: string): void => {
  const fault = birthDateFault(draft, today)
  if (fault) throw new Problem('campos_invalidos', { campos: { data_nascimento: fault } })
}
