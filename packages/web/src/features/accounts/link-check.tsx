import { ApiProblem, type LinkPurpose } from '@bi-manager/contract'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import classes from './account-card.module.css'
import { linkQuery } from './accounts-queries.ts'
import { useHeadingFocus } from './use-heading-focus.ts'

interface LinkCheckProps {
  token: string
  /** What to do about an invalid link. */
  deadText: string
  deadActions: ReactNode
  children: (link: LinkPurpose, onDead: () => void) => ReactNode
}

/** Checks a link before the form is shown, and says what to do when it is invalid. */
export const LinkCheck = ({ token, deadText, deadActions, children }: LinkCheckProps) => {
  const { data, error, isFetching, refetch } = useQuery(linkQuery(token))
  if (error instanceof ApiProblem && error.status < 500 && error.status !== 429)
    return <DeadLink text={deadText} actions={deadActions} />
  if (data) return children(data, () => void refetch())
  if (error && !isFetching)
    return (
      <PageMessage
        icon={IconAlertTriangle}
        heading="O link não pôde ser conferido"
        actions={<Button onClick={() => void refetch()}>Tentar novamente</Button>}
      >
        {messageOf(error)}
      </PageMessage>
    )
  return (
    <div className={classes.page} aria-busy>
      <div className={classes.card}>
        <Skeleton height={28} width="55%" />
        <div className={classes.skeleton}>
          <Skeleton height={60} />
          <Skeleton height={60} />
          <Skeleton height={42} />
        </div>
        <VisuallyHidden role="status">Conferindo o link…</VisuallyHidden>
      </div>
    </div>
  )
}

const DeadLink = ({ text, actions }: { text: string; actions: ReactNode }) => {
  useHeadingFocus()
  return (
    <PageMessage icon={IconLinkOff} heading="Este link não vale mais" actions={actions}>
      {text}
    </PageMessage>
  )
}
