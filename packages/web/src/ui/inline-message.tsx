import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './inline-message.module.css'

interface InlineMessageProps {
  icon: Icon
  children: ReactNode
  action?: ReactNode
  /** An error is announced at once; an empty state is simply read where it stands. */
  alert?: boolean
}

/** A part of a page that has nothing to show: empty, or gone wrong. */
export const InlineMessage = ({ icon: IconOf, children, action, alert = false }: InlineMessageProps) => (
  <div className={classes.message} role={alert ? 'alert' : undefined}>
    <IconOf size={26} stroke={1.5} aria-hidden className={classes.icon} />
    <p className={classes.text}>{children}</p>
    {action}
  </div>
)
