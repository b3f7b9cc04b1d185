import { publishingApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/api/api.ts'

/** The workspaces of the local report service. No retry: the server waits long enough. */
export const publicationWorkspacesQuery = queryOptions({
  queryKey: ['publicacoes', 'workspaces'],
  queryFn: ({ signal }) => call(publishingApi.workspaces, {}, { signal }),
  retry: false,
})
