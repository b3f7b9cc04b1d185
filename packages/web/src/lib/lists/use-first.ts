import { useState } from 'react'

/**
 * Shows a long list in steps: rendering thousands of nodes is slow.
 * @param isKept selects items shown regardless of position, such as the current report
 */
export const useLimitedList = <T>(items: readonly T[], step: number, isKept?: (item: T) => boolean) => {
  const [limit, setLimit] = useState(step)
  const shown = items.filter((item, index) => index < limit || isKept?.(item))
  return { shown, hidden: items.length - shown.length, showMore: () => setLimit(limit + step) }
}
