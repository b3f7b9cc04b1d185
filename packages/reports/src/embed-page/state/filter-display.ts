import type { Filter } from '../../wire/embed-contract.ts'

interface Display {
  isLockedInViewMode?: boolean
  isHiddenInViewMode?: boolean
  displayName?: string
}

/** Returns whether readers may see the filter. */
export const isVisible = (filter: Filter): boolean => !display(filter).isHiddenInViewMode

export const display = (filter: Filter): Display =>
  typeof filter.displaySettings === 'object' && filter.displaySettings !== null ? filter.displaySettings : {}
