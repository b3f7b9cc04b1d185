import { ApiProblem, type GuestSettings, guestEntity, guestsApi } from '@bi-manager/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'

export const guestsKey = [guestEntity.list] as const

export const guestRulesQuery = queryOptions({
  queryKey: [...guestsKey, 'regras'],
  queryFn: ({ signal }) => call(guestsApi.getSettings, {}, { signal }),
})

export const useSaveGuestRules = () => {
  const client = useQueryClient()
  const { queryKey } = guestRulesQuery
  return useExclusiveMutation({
    mutationFn: ({ versao, ...body }: GuestSettings) =>
      call(guestsApi.updateSettings, { body }, { ifMatch: versao }),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved)
      // The list says whom the rules keep out.
      void client.invalidateQueries({ queryKey: guestsKey })
    },
    onError: (error) => {
      // Another ADMIN changed the rules: show the current ones.
      if (error instanceof ApiProblem && error.status === 412) void client.invalidateQueries({ queryKey })
    },
  })
}
