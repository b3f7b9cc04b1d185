import type { z } from '@bi-manager/contract'
import { type Beneficiary, type BeneficiaryDraft, beneficiariesApi } from '@bi-manager/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'

export const beneficiariesKey = ['beneficiarios'] as const

/** Refetches all lists that show names of beneficiaries. */
export const refreshBeneficiaries = (client: QueryClient): void => {
  for (const key of ['beneficiarios', 'prontuarios', 'anexos']) {
    void client.invalidateQueries({ queryKey: [key, 'lista'] })
  }
}

export const getBeneficiary = ({ id }: Pick<Beneficiary, 'id'>): Promise<Beneficiary> =>
  call(beneficiariesApi.get, { params: { id } })

/**
 * Saves a beneficiary.
 * @param base the beneficiary that was opened; undefined creates a new one
 */
export const saveBeneficiary = (
  body: WholeBody<BeneficiaryInput>,
  base: Pick<Beneficiary, 'id' | 'versao'> | undefined,
): Promise<Beneficiary> =>
  base
    ? call(beneficiariesApi.update, { params: { id: base.id }, body }, { ifMatch: base.versao })
    : call(beneficiariesApi.create, { body })

type BeneficiaryInput = z.input<typeof BeneficiaryDraft>
