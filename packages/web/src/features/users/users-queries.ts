import { type User, type UserImport, usersApi } from '@bi-manager/contract'
import { call } from '../../lib/api.ts'

export const usersKey = ['usuarios'] as const

export const getUser = (id: number, signal?: AbortSignal): Promise<User> =>
  call(usersApi.get, { params: { id } }, signal && { signal })

export const previewImport = (linhas: UserImport['linhas'], signal: AbortSignal) =>
  call(usersApi.previewImport, { body: { linhas } }, { signal })

export const importUsers = (linhas: UserImport['linhas']) => call(usersApi.import, { body: { linhas } })
