import type { ExternalGroup } from '@bi-manager/contract'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { groupReportsQuery } from '../../lib/api/entity-queries.ts'

/** Groups read at the same time: the provider limits the calls per minute. */
const AT_ONCE = 3

/**
 * Reads the reports of several groups, a few at a time; each has its own answer or error.
 * @param isWanted reads only then; afterwards, what changed before is read again
 */
export const useGroupsReports = (idPowerBi: number, groups: ExternalGroup[], isWanted: boolean) => {
  const [ended, setEnded] = useState(0)
  const results = useQueries({
    queries: groups.map(({ idGrupo }, index) => ({
      ...groupReportsQuery({ idPowerBi, idGrupo }),
      enabled: isWanted && index < ended + AT_ONCE,
      // Refetching would move the rows while a person edits them.
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  // Stale: an import has changed what the answer marks as registered.
  const count = results
    .slice(0, ended + AT_ONCE)
    .filter(
      ({ isFetching, isError, isSuccess, isStale }) => !isFetching && (isError || (isSuccess && !isStale)),
    ).length
  if (isWanted && count > ended) setEnded(count)
  if (!isWanted && ended > 0) setEnded(0)
  return groups.map((group, index) => ({ group, result: results[index] }))
}
