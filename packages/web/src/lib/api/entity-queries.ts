import {
  connectionsApi,
  grantsApi,
  reportRegistrationsApi,
  type Workspace,
  workspacesApi,
} from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import { entityQuery } from './entities.ts'
import { connectionsKey, reasonsKey, reportsKey, workspacesKey } from './query-keys.ts'

/* Queries about entities that several features share. */

/** Returns the query of a registered workspace, with its connection and its id at the provider. */
export const workspaceQuery = (id: number | undefined) =>
  queryOptions({ ...entityQuery(workspacesKey, workspacesApi.get, id), staleTime: 30_000 })

/**
 * Returns the query of a workspace's reports at the provider, with registered ones marked. No
 * retry: the server waits long enough.
 */
export const groupReportsQuery = ({ idPowerBi, idGrupo }: Pick<Workspace, 'idPowerBi' | 'idGrupo'>) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBi, 'grupos', idGrupo, 'relatorios'],
    queryFn: ({ signal }) =>
      call(connectionsApi.groupReports, { params: { id: idPowerBi, idGrupo } }, { signal }),
    retry: false,
    staleTime: 30_000,
  })

/** The query of the operadoras of registered reports, which forms suggest. */
export const operadorasQuery = queryOptions({
  queryKey: [...reportsKey, 'operadoras'],
  queryFn: ({ signal }) => call(reportRegistrationsApi.operadoras, {}, { signal }),
  staleTime: 30_000,
})

/** Returns the query of the reasons why a user can view a report, or cannot. */
export const reasonsQuery = (idUsuario: number, idRelatorio: number) =>
  queryOptions({
    queryKey: [...reasonsKey, idUsuario, idRelatorio],
    queryFn: ({ signal }) => call(grantsApi.explain, { params: { idUsuario, idRelatorio } }, { signal }),
  })
