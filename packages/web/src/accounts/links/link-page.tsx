import { ApiProblem, accountsApi, type LinkPurpose } from '@bi-manager/contract'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLinkOff, IconMailOpened } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import shared from '../../ui/shared.module.css'
import classes from './account-card.module.css'
import { useLinkToken } from './link-token.ts'
import { ResultMessage } from './result-message.tsx'

/** An e-mailed link that is being used. */
export interface LinkUse {
  token: string
  link: LinkPurpose
  onDone: () => void
  /** Called when the link was used or expired while the page was open. */
  onDead: () => void
}

interface LinkPageProps {
  /** Shown without a token; the link may still be valid. */
  withoutLink: ReactNode
  /** What to do about an invalid link. */
  deadText: string
  deadActions?: (forget: () => void) => ReactNode
  /** Shown after use. */
  done: (link: LinkPurpose) => ReactNode
  children: (use: LinkUse) => ReactNode
}

/** The target of an e-mailed link: checks the link, shows the form, then the result. */
export const LinkPage = ({ withoutLink, deadText, deadActions, done, children }: LinkPageProps) => {
  const { token, removeFromHistory, forget } = useLinkToken()
  const [isDone, setDone] = useState(false)
  if (token === undefined) return withoutLink
  const onDone = () => {
    removeFromHistory()
    setDone(true)
  }
  return (
    <LinkCheck token={token} deadText={deadText} deadActions={deadActions?.(forget) ?? toSignIn}>
      {(link, onDead) => (isDone ? done(link) : children({ token, link, onDone, onDead }))}
    </LinkCheck>
  )
}

export const toSignIn = <ActionButton isMain label="Ir para a entrada" to="/" />

export const WithoutLink = ({ children }: { children: string }) => (
  <PageMessage icon={IconMailOpened} heading="Abra de novo o link do e-mail" actions={toSignIn}>
    {children}
  </PageMessage>
)

/** Tells an invalid link from a server that could not check it. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status < 500 && error.status !== 429

/** In place of a page whose link could not be checked. */
export const LinkUnchecked = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <PageMessage
    icon={IconAlertTriangle}
    heading="O link não pôde ser conferido"
    actions={<Button onClick={retry}>Tentar novamente</Button>}
  >
    {messageOf(error)}
  </PageMessage>
)

/** Submits what a link is for. */
export const useLinkSubmission = <T,>(
  send: () => Promise<T>,
  onDone: (answer: T) => void,
  onDead: () => void,
) =>
  useSubmission(
    () =>
      send().catch((error: unknown) => {
        if (error instanceof ApiProblem && error.codigo === 'link_invalido') onDead()
        throw error
      }),
    onDone,
  )

interface LinkCheckProps {
  token: string
  /** What to do about an invalid link. */
  deadText: string
  deadActions: ReactNode
  children: (link: LinkPurpose, onDead: () => void) => ReactNode
}

/** Checks a link before the form is shown, and says what to do when it is invalid. */
const LinkCheck = ({ token, deadText, deadActions, children }: LinkCheckProps) => {
  const { data, error, isFetching, refetch } = useQuery(linkQuery(token))
  if (isRefusal(error))
    return (
      <ResultMessage icon={IconLinkOff} heading="Este link não vale mais" actions={deadActions}>
        {deadText}
      </ResultMessage>
    )
  if (data) return children(data, () => void refetch())
  if (error && !isFetching) return <LinkUnchecked error={error} retry={() => void refetch()} />
  return (
    <div className={classes.page} aria-busy>
      <div className={`${shared.surface} ${classes.card}`}>
        <Skeleton height={28} width="55%" />
        <div className={classes.form}>
          <Skeleton height={60} />
          <Skeleton height={60} />
          <Skeleton height={42} />
        </div>
        <VisuallyHidden role="status">Conferindo o link…</VisuallyHidden>
      </div>
    </div>
  )
}

/**
 * Returns the query of an e-mailed link's purpose. Fails if the link is invalid; does not use it
 * up.
 */
const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => call(accountsApi.inspectLink, { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
