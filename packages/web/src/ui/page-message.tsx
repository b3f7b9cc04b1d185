import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './page-message.module.css'

interface PageMessageProps {
  icon: Icon
  heading: string
  /** One or two sentences: what is so, and what to do. */
  children: ReactNode
  actions?: ReactNode
}

/** A whole page that says one thing. Its heading is the page's h1. */
export const PageMessage = ({ icon: IconOf, heading, children, actions }: PageMessageProps) => (
  <section className={classes.message}>
    <span className={classes.icon}>
      <IconOf size={28} stroke={1.6} aria-hidden />
    </span>
    <h1 className={classes.heading}>{heading}</h1>
    <p className={classes.text}>{children}</p>
    {actions && <div className={classes.actions}>{actions}</div>}
  </section>
)
