import { useState } from 'react'

interface First<T> {
  shown: T[]
  /** How many are not shown; 0 when there is no more to show. */
  hidden: number
  showMore: () => void
}

/**
 * The first of a long list, in steps: nobody reads five hundred cards, and a page of thousands of nodes is slow.
 * @param isKept what is shown wherever it stands, such as the report on the screen
 */
export const useFirst = <T>(items: readonly T[], step: number, isKept?: (item: T) => boolean): First<T> => {
  const [limit, setLimit] = useState(step)
  const shown = items.filter((item, index) => index < limit || isKept?.(item))
  return { shown, hidden: items.length - shown.length, showMore: () => setLimit(limit + step) }
}
