import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import shared from '../../ui/shared.module.css'
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
    <div className={`${shared.surface} ${classes.card}`}>
      <h1 className={shared.pageHeading}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </div>
    <Text mt="1.25rem" ta="center">
      <Anchor component={Link} to="/" size="sm" py={4}>
        {back}
      </Anchor>
    </Text>
  </div>
)
