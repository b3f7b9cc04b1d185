import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './inline-message.module.css'

interface InlineMessageProps {
  icon: Icon
  children: ReactNode
  action?: ReactNode
  /** True announces an error at once; an empty state is not announced. */
  alert?: boolean
}

/** Shown in a part of a page that has no content: empty or failed. */
export const InlineMessage = ({ icon: IconOf, children, action, alert = false }: InlineMessageProps) => (
  <div className={classes.message} role={alert ? 'alert' : undefined}>
    <IconOf size={26} stroke={1.5} aria-hidden className={classes.icon} />
    <p className={classes.text}>{children}</p>
    {action}
  </div>
)
