import { useEffect } from 'react'
import { focusPageHeading } from '../../ui/page-focus.ts'

/** For what takes the place of a form that was sent: the button that had the focus is gone, and the result is to be heard. */
export const useHeadingFocus = (): void => {
  useEffect(focusPageHeading, [])
}
