import type { ReactNode } from 'react'
import classes from './entrance-message.module.css'

interface EntranceMessageProps {
  /** An error, announced at once; otherwise a notice. */
  isProblem?: boolean
  children: ReactNode
}

/** Looks like Mantine's Alert, without the script of one: everybody waits for the sign-in page. */
export const EntranceMessage = ({ isProblem = false, children }: EntranceMessageProps) => (
  <div
    role={isProblem ? 'alert' : 'status'}
    className={classes.message}
    data-problem={isProblem || undefined}
  >
    {children}
  </div>
)
