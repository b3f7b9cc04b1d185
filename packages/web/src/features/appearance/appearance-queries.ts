import { ApiProblem, type Appearance, appearanceApi, type Input } from '@bi-manager/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export const appearanceQuery = queryOptions({
  queryKey: ['aparencia'],
  queryFn: ({ signal }) => call(appearanceApi.get, {}, { signal }),
})

type Change = Input<typeof appearanceApi.update>['body']

export const useSaveAppearance = ({ versao }: Appearance, onSaved: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Change) => call(appearanceApi.update, { body }, { ifMatch: versao }),
    onSuccess: (saved) => {
      client.setQueryData(appearanceQuery.queryKey, saved)
      onSaved()
    },
    onError: (error) => {
      // Another ADMIN changed it: the next save is based on that version.
      if (error instanceof ApiProblem && error.status === 412)
        void client.invalidateQueries({ queryKey: appearanceQuery.queryKey })
    },
  })
}
