import { ApiProblem, type Appearance, appearanceApi } from '@bi-manager/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { base64Of } from '../../lib/browser/logo-file.ts'
import type { Changes } from './use-appearance-draft.ts'

export const appearanceQuery = queryOptions({
  queryKey: ['aparencia'],
  queryFn: ({ signal }) => call(appearanceApi.get, {}, { signal }),
})

/** @param onSaved gets what was sent: the person may have changed more by then */
export const useSaveAppearance = ({ versao }: Appearance, onSaved: (sent: Changes) => void) => {
  const client = useQueryClient()
  return useExclusiveMutation({
    mutationFn: async ({ imagem, ...texts }: Changes & { nome: string; cor: string }) => {
      const image = imagem ? await base64Of(imagem) : imagem
      const body = { ...texts, ...(image === undefined ? {} : { imagem: image }) }
      return call(appearanceApi.update, { body }, { ifMatch: versao })
    },
    onSuccess: (saved, sent) => {
      client.setQueryData(appearanceQuery.queryKey, saved)
      onSaved(sent)
    },
    onError: (error) => {
      // Another ADMIN changed it: the next save is based on that version.
      if (error instanceof ApiProblem && error.status === 412)
        void client.invalidateQueries({ queryKey: appearanceQuery.queryKey })
    },
  })
}
