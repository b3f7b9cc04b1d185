import { type DependantGroup, dependantsApi, type Entity } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { readEntity } from '../../lib/api/entities.ts'

/** Entities of these kinds can have others that prevent their deletion. */
export interface Blocked<R> {
  by: Entity & { kind: keyof typeof dependantsApi }
  idOf: (entity: R) => number
}

/**
 * Reads what prevents a deletion before it is confirmed. If that fails, the deletion is offered: the
 * server refuses it all the same.
 */
export const useBlockers = <R>(
  blocked: Blocked<R> | undefined,
  target: R | undefined,
  { isDeleting }: { isDeleting: boolean },
) => {
  const id = blocked && target !== undefined ? blocked.idOf(target) : undefined
  const { data, isFetching } = useQuery({
    queryKey: [blocked?.by.list, id, 'dependentes'],
    queryFn: ({ signal }): Promise<DependantGroup[]> =>
      blocked && id !== undefined
        ? readEntity(dependantsApi[blocked.by.kind], id, signal)
        : Promise.resolve([]),
    // A deleted entity has no dependants to ask for.
    enabled: id !== undefined && !isDeleting,
    // Asked again each time: another ADMIN may have removed them.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return { groups: isFetching ? [] : (data ?? []), isAsking: isFetching }
}
