import { ApiProblem, type SecuritySettingsUpdate, securitySettingsApi } from '@bi-manager/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'

export const securitySettingsQuery = queryOptions({
  queryKey: ['regras-de-seguranca'],
  queryFn: ({ signal }) => call(securitySettingsApi.get, {}, { signal }),
})

export const useSaveSecuritySettings = (onSaved: () => void) => {
  const client = useQueryClient()
  return useExclusiveMutation({
    mutationFn: ({ versao, ...body }: SecuritySettingsUpdate & { versao: number }) =>
      call(securitySettingsApi.update, { body }, { ifMatch: versao }),
    onSuccess: (saved) => {
      client.setQueryData(securitySettingsQuery.queryKey, saved)
      onSaved()
    },
    onError: (error) => {
      // Another ADMIN changed the rules: show the current one.
      if (error instanceof ApiProblem && error.status === 412) {
        void client.invalidateQueries({ queryKey: securitySettingsQuery.queryKey })
      }
    },
  })
}
