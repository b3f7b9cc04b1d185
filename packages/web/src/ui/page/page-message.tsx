import { Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './page-message.module.css'

interface PageMessageProps {
  icon: Icon
  heading: string
  /** One or two sentences: the fact and what to do. */
  children: ReactNode
  actions?: ReactNode
  /** 2 on a page that already has a heading. */
  level?: 1 | 2
}

/** A message that fills a page or replaces its content. */
export const PageMessage = ({ icon: IconOf, heading, children, actions, level = 1 }: PageMessageProps) => {
  const Heading = `h${level}` as const
  return (
    <section className={classes.message}>
      <span className={classes.icon}>
        <IconOf size={28} stroke={1.6} aria-hidden />
      </span>
      <Heading className={classes.heading}>{heading}</Heading>
      <Text c="dimmed" maw="34rem" textWrap="balance">
        {children}
      </Text>
      {actions && <div className={classes.actions}>{actions}</div>}
    </section>
  )
}
