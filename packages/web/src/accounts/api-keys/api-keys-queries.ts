import { type ApiKeySettings, ApiProblem, apiKeysApi } from '@bi-manager/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'

/** The keys of all people. */
export const apiKeysKey = ['chaves-de-api'] as const

export const ownKeysQuery = queryOptions({
  queryKey: [...apiKeysKey, 'minhas'],
  queryFn: ({ signal }) => call(apiKeysApi.listOwn, {}, { signal }),
  staleTime: 0,
})

export const keySettingsQuery = queryOptions({
  queryKey: [...apiKeysKey, 'regras'],
  queryFn: ({ signal }) => call(apiKeysApi.getSettings, {}, { signal }),
})

export const useSaveKeySettings = () => {
  const client = useQueryClient()
  const { queryKey } = keySettingsQuery
  return useExclusiveMutation({
    mutationFn: ({ versao, ...body }: ApiKeySettings) =>
      call(apiKeysApi.updateSettings, { body }, { ifMatch: versao }),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved)
      // The list says which keys the rules refuse.
      void client.invalidateQueries({ queryKey: apiKeysKey })
    },
    onError: (error) => {
      // Another ADMIN changed the rules: show the current ones.
      if (error instanceof ApiProblem && error.status === 412) void client.invalidateQueries({ queryKey })
    },
  })
}
