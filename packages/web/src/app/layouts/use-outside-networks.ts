import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUserQuery, isOutsideNetworks } from '../../lib/api/queries.ts'

/**
 * Reads the person, and says that the server refuses their network until it answers them. A refused
 * query forgets its error while it is sent again: without memory, the shell would appear, whose
 * queries are refused and sent again without end.
 */
export const useOutsideNetworks = ({ enabled }: { enabled: boolean }) => {
  const { error, status, isFetching, refetch } = useQuery({ ...currentUserQuery, enabled })
  const [wasOutside, setWasOutside] = useState(false)
  const isOutside = isOutsideNetworks(error) || (wasOutside && status === 'pending')
  if (isOutside !== wasOutside) setWasOutside(isOutside)
  return { isOutside, isChecking: isFetching, check: () => void refetch() }
}
