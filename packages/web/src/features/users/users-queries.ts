import { type User, type UserImport, usersApi } from '@bi-manager/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

export const usersKey = ['usuarios'] as const

export const getUser = (id: number, signal?: AbortSignal): Promise<User> =>
  call(usersApi.get, { params: { id } }, signal && { signal })

/** What shows users: their lists, and the names in a connection's column 'Client ID'. */
export const refreshUsers = (queryClient: QueryClient): void => {
  void queryClient.invalidateQueries({ queryKey: usersKey })
  void queryClient.invalidateQueries({ queryKey: ['powerbis'] })
}

export const previewImport = (linhas: UserImport['linhas'], signal: AbortSignal) =>
  call(usersApi.previewImport, { body: { linhas } }, { signal })

export const importUsers = (linhas: UserImport['linhas']) => call(usersApi.import, { body: { linhas } })
