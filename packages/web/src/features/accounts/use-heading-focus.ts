import { useEffect } from 'react'
import { focusPageHeading } from '../../ui/page-focus.ts'

/** Focuses the heading of a result that replaces a form, so that screen readers announce it. */
export const useHeadingFocus = (): void => {
  useEffect(focusPageHeading, [])
}
