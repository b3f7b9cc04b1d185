import { useState } from 'react'

interface First<T> {
  shown: T[]
  /** Number of items not shown. */
  hidden: number
  showMore: () => void
}

/**
 * Shows a long list in steps: rendering thousands of nodes is slow.
 * @param isKept selects items shown regardless of position, such as the current report
 */
export const useLimitedList = <T>(
  items: readonly T[],
  step: number,
  isKept?: (item: T) => boolean,
): First<T> => {
  const [limit, setLimit] = useState(step)
  const shown = items.filter((item, index) => index < limit || isKept?.(item))
  return { shown, hidden: items.length - shown.length, showMore: () => setLimit(limit + step) }
}
