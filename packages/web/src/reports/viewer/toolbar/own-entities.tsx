import { Alert, Anchor } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import shared from '../../../ui/shared.module.css'
import { callFailureSentence } from '../problems/embed-problem.ts'

/** Reads what the report shows when a dialog opens over it. */
export const useScreen = <T,>(idRelatorio: number, read: () => Promise<T>, isWanted = true) =>
  // The dialog covers the report: what is on the screen does not change while it is open.
  useQuery({
    queryKey: ['tela', idRelatorio, useId()],
    queryFn: read,
    enabled: isWanted,
    networkMode: 'always',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

interface ScreenFailureProps {
  screen: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** In place of a form that needs to know what the report shows. */
export const ScreenFailure = ({ screen: { error, isFetching, refetch } }: ScreenFailureProps) => (
  <>
    <ErrorAlert error={error && callFailureSentence(error)} mb="md" />
    <ActionButton label="Tentar novamente" loading={isFetching} onClick={() => void refetch()} />
  </>
)

interface OwnEntitiesProps {
  label: string
  /** A sentence about the entity that was just saved. */
  saved: string | undefined
  /** The page with those of all reports. */
  all: { label: string; to: string }
  add: { label: string; onClick: () => void }
  /** The items of the list. */
  children: ReactNode
}

/** The person's own alerts or subscriptions of the report on the screen, in a dialog over it. */
export const OwnEntities = ({ label, saved, all, add, children }: OwnEntitiesProps) => (
  <div className={shared.stackMd}>
    <div role="status">{saved && <Alert color="teal">{saved}</Alert>}</div>
    <ul className={shared.divided} aria-label={label}>
      {children}
    </ul>
    <div className={shared.spread}>
      <Anchor component={Link} to={all.to} size="sm">
        {all.label}
      </Anchor>
      <ActionButton isMain icon={IconPlus} {...add} />
    </div>
  </div>
)
