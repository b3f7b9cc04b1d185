import type { Activity } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconKey,
  IconLogin2,
  IconLogout,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { activityQuery } from '../../lib/api/queries.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { focusPageHeading } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from './own-account.module.css'
import { OwnSessions } from './own-sessions.tsx'

/** '/meus-acessos': the user's open sessions and account activity. */
export const SessionsPage = () => {
  const [message, setMessage] = useState<string>()
  useSuccessClose(message, () => setMessage(undefined))
  const handleEnded = (text: string) => {
    setMessage(text)
    // The focused button is unmounted with its row.
    focusPageHeading()
  }
  return (
    <AdminPage
      title="Meus acessos"
      lead="Os aparelhos em que a sua conta está aberta agora. Não reconhece algum? Encerre-o e altere a senha."
      narrow
    >
      <div role="status">{message && <Alert color="teal">{message}</Alert>}</div>
      <OwnSessions onEnded={handleEnded} />
      <AccountActivity />
    </AdminPage>
  )
}

type Event = Activity['eventos'][number]

/** Recent events of the account; refused attempts are highlighted. */
const AccountActivity = () => {
  const { data, error, isFetching, refetch } = useQuery(activityQuery)
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="atividade">
      <h2 id="atividade" className={shared.heading}>
        Atividade da conta
      </h2>
      {data ? (
        <ol className={shared.stackSm}>
          {data.eventos.map((event) => (
            <EventRow key={`${event.data} ${event.descricao}`} event={event} />
          ))}
        </ol>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines label="Carregando a atividade da conta" />
      )}
    </section>
  )
}

const EventRow = ({ event: { tipo, descricao, data } }: { event: Event }) => {
  const isRefused = tipo.endsWith('refused')
  const IconOf = isRefused ? IconAlertTriangle : iconOf(tipo)
  return (
    <li className={classes.event} data-refused={isRefused || undefined}>
      <IconOf size={18} stroke={1.6} aria-hidden className={classes.eventIcon} />
      <span className={classes.eventText}>{descricao}</span>
      <time dateTime={data} className={`${shared.smallNote} ${classes.eventTime}`}>
        {fullTime(data)}
      </time>
    </li>
  )
}

const icons: readonly [beginning: string, icon: Icon][] = [
  ['session.created', IconLogin2],
  ['session.', IconLogout],
  ['password.', IconKey],
  ['second-factor.', IconShieldLock],
]

const iconOf = (kind: string): Icon =>
  icons.find(([beginning]) => kind.startsWith(beginning))?.[1] ?? IconUserCircle
