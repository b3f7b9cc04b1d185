import type { ReactNode } from 'react'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'

interface StepHeadingProps {
  /** Whether it takes the focus: the pressed button of another step is gone. */
  isFocused?: boolean
  children: ReactNode
}

/** The heading of a step in a dialog. */
export const StepHeading = ({ isFocused = true, children }: StepHeadingProps) => (
  <h3 className={shared.subheading} tabIndex={-1} ref={isFocused ? focusOnMount : undefined}>
    {children}
  </h3>
)
