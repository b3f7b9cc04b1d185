import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './account-card.module.css'

interface AccountCardProps {
  title: string
  lead: ReactNode
  /** Of the link under the card, to the sign-in page. */
  back: string
  children: ReactNode
}

/** One form on a page that needs no session. */
export const AccountCard = ({ title, lead, back, children }: AccountCardProps) => (
  <div className={classes.page}>
    <div className={classes.card}>
      <h1 className={classes.heading}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </div>
    <p className={classes.below}>
      <Anchor component={Link} to="/" size="sm" className={classes.link}>
        {back}
      </Anchor>
    </p>
  </div>
)
