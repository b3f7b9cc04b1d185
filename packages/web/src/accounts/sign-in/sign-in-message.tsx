import type { ReactNode } from 'react'
import classes from './sign-in-message.module.css'

interface SignInMessageProps {
  /** True for an error, which is announced at once; false for a notice. */
  isProblem?: boolean
  children: ReactNode
}

/** Looks like Mantine's Alert but is smaller, because the sign-in page must load fast. */
export const SignInMessage = ({ isProblem = false, children }: SignInMessageProps) => (
  <div
    role={isProblem ? 'alert' : 'status'}
    className={classes.message}
    data-problem={isProblem || undefined}
  >
    {children}
  </div>
)
