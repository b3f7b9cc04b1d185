import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './account-card.module.css'

interface AccountCardProps {
  title: string
  lead: ReactNode
  /** Text of the link to the sign-in page, below the card. */
  back: string
  children: ReactNode
}

/** A card with a form, on a page without a session. */
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
