import { profilesApi, usersApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { callList } from '../../lib/api/api.ts'
import { callForQuery } from '../../lib/api/background-refresh.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

const pendingKey = [...usersKey, 'pendentes'] as const

/** The query of the number of pending accounts; invalidated with the list. */
export const pendingCountQuery = queryOptions({
  queryKey: pendingKey,
  queryFn: async ({ signal }) => {
    const query = { situacao: 'PENDENTE', pagina: 1, tamanho: 1 } as const
    return (await callList(usersApi.list, { query }, { signal }, callForQuery(pendingKey))).total
  },
})

export const searchProfiles = searchOptions(profilesApi.list, ({ idPerfil, nomePerfil }) => ({
  value: idPerfil,
  label: nomePerfil,
}))
