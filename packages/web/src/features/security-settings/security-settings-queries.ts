import { type SecuritySettings, securitySettingsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { callWithProof } from '../../lib/api/proof.ts'

export const securitySettingsQuery = queryOptions({
  queryKey: ['regras-de-seguranca'],
  queryFn: ({ signal }) => call(securitySettingsApi.get, {}, { signal }),
})

export const saveSecuritySettings = ({
  segundoFator,
  versao,
}: Pick<SecuritySettings, 'segundoFator' | 'versao'>) =>
  callWithProof(securitySettingsApi.update, { body: { segundoFator } }, { ifMatch: versao })
