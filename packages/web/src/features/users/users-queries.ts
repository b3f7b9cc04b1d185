import { profilesApi, type User, type UserImport, usersApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, callList } from '../../lib/api/api.ts'
import { callForQuery } from '../../lib/api/background-refresh.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const usersKey = ['usuarios'] as const

export const getUser = (id: number, signal?: AbortSignal): Promise<User> =>
  call(usersApi.get, { params: { id } }, signal && { signal })

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

export const previewImport = (linhas: UserImport['linhas'], signal: AbortSignal) =>
  call(usersApi.previewImport, { body: { linhas } }, { signal })

export const importUsers = (linhas: UserImport['linhas']) => call(usersApi.import, { body: { linhas } })
