import { usersApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export const auditKey = ['auditoria'] as const
export const usersKey = ['usuarios'] as const

export const userQuery = (id: number | undefined) =>
  queryOptions({
    queryKey: [...usersKey, id],
    queryFn: ({ signal }) => call(usersApi.get, { params: { id: id ?? 0 } }, { signal }),
    enabled: id !== undefined,
    // A deleted user will not come back.
    retry: false,
  })
