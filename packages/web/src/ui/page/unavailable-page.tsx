import { ApiProblem } from '@bi-manager/contract'
import type { Icon } from '@tabler/icons-react'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { ActionButton } from '../action-button.tsx'
import { Button } from '../button.tsx'
import { PageMessage } from './page-message.tsx'

interface UnavailablePageProps {
  /** Undefined for an address that names no entity. */
  error: unknown
  isFetching: boolean
  retry: () => void
  /** Shown when the entity is gone, or out of the person's reach. */
  gone: { icon: Icon; heading: string; text: string; action?: ReactNode }
  /** The heading of a failure that a retry may solve. */
  failed: string
}

/** In place of a page whose entity could not be read. */
export const UnavailablePage = ({ error, isFetching, retry, gone, failed }: UnavailablePageProps) => {
  const isGone = !error || (error instanceof ApiProblem && error.status === 404)
  return (
    <PageMessage
      icon={isGone ? gone.icon : IconAlertTriangle}
      heading={isGone ? gone.heading : failed}
      actions={
        isGone ? (
          (gone.action ?? <ActionButton isMain label="Ir para o início" to={HOME} />)
        ) : (
          <Button loading={isFetching} onClick={retry}>
            Tentar novamente
          </Button>
        )
      }
    >
      {isGone ? gone.text : messageOf(error)}
    </PageMessage>
  )
}
