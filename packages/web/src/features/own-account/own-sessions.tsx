import { ApiProblem, type OwnSession, ownSessionsApi } from '@bi-manager/contract'
import { Alert, Badge, Button, Skeleton } from '@mantine/core'
import '@mantine/core/styles/Badge.layer.css'
import '@mantine/core/styles/Skeleton.layer.css'
import { IconDeviceDesktop, IconDeviceMobile, IconPlugConnectedX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { activityQuery } from '../../lib/api/queries.ts'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { deviceName, isHandheld } from './device-name.ts'
import { EndAllDialog } from './end-all-dialog.tsx'
import classes from './own-account.module.css'
import { ownSessionsQuery } from './own-sessions-queries.ts'

interface OwnSessionsProps {
  /** Called with a Portuguese sentence on the ended sessions. */
  onEnded: (text: string) => void
}

export const OwnSessions = ({ onEnded }: OwnSessionsProps) => {
  const client = useQueryClient()
  const { data: sessions, error, isFetching, refetch } = useQuery(ownSessionsQuery)
  const [isAsking, setAsking] = useState(false)
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
      client.invalidateQueries({ queryKey: activityQuery.queryKey }),
    ])

  const ending = useMutation({
    mutationFn: ({ idSessao }: OwnSession) =>
      call(ownSessionsApi.end, { params: { idSessao } }).catch((failure: unknown) => {
        // 404: the session has already ended.
        if (!(failure instanceof ApiProblem && failure.status === 404)) throw failure
      }),
    networkMode: 'always',
    onSuccess: async (_, session) => {
      await refresh()
      onEnded(`Acesso encerrado: ${deviceName(session.dispositivo)}.`)
    },
  })

  if (!sessions)
    return error ? (
      <section className={classes.card}>
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    ) : (
      <div role="status" aria-label="Carregando os seus acessos">
        <Skeleton height={170} radius="lg" />
      </div>
    )
  return (
    <section className={classes.card} aria-labelledby="acessos">
      <div className={shared.spread}>
        <h2 id="acessos" className={shared.heading}>
          {sessions.length === 1 ? '1 acesso aberto' : `${sessions.length} acessos abertos`}
        </h2>
        {sessions.length > 1 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlugConnectedX size={17} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            Encerrar todas
          </Button>
        )}
      </div>
      {ending.error && (
        <Alert color="red" role="alert">
          {messageOf(ending.error)}
        </Alert>
      )}
      <ul className={classes.rows}>
        {/* The others keep the server's order, last used first. */}
        {sessions
          .toSorted((a, b) => Number(b.atual) - Number(a.atual))
          .map((session) => (
            <SessionRow
              key={session.idSessao}
              session={session}
              isEnding={ending.isPending && ending.variables.idSessao === session.idSessao}
              onEnd={() => ending.mutate(session)}
            />
          ))}
      </ul>
      <EndAllDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onEnded={() => {
          setAsking(false)
          void refresh()
          onEnded('Os outros acessos foram encerrados. Só este aparelho continua conectado.')
        }}
      />
    </section>
  )
}

interface SessionRowProps {
  session: OwnSession
  isEnding: boolean
  onEnd: () => void
}

const SessionRow = ({ session, isEnding, onEnd }: SessionRowProps) => {
  const { dispositivo, criadaEm, ultimoUso, atual } = session
  const name = deviceName(dispositivo)
  const IconOf = isHandheld(dispositivo) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <span className={shared.tileIcon}>
        <IconOf size={21} stroke={1.6} aria-hidden />
      </span>
      <div className={classes.rowText}>
        <p className={classes.rowTitle}>
          <span title={dispositivo ?? undefined}>{name}</span>
          {atual && (
            <Badge variant="light" size="sm" className={classes.badge}>
              Este aparelho
            </Badge>
          )}
        </p>
        <p className={shared.smallNote}>
          {methodText(session)}, desde {fullTime(criadaEm)}
        </p>
        <p className={shared.smallNote}>
          {atual ? 'Em uso agora' : `Último uso ${relativeTime(ultimoUso, Date.now())}`}
        </p>
      </div>
      {!atual && (
        <Button
          variant="default"
          size="xs"
          loading={isEnding}
          aria-label={`Encerrar ${name}, aberto desde ${fullTime(criadaEm)}`}
          onClick={onEnd}
        >
          Encerrar
        </Button>
      )}
    </li>
  )
}

const methodText = ({ metodo, segundoFator }: OwnSession): string => {
  if (metodo === 'provedor') return 'Pelo provedor de identidade'
  if (segundoFator === null) return 'Com senha'
  return segundoFator === 'codigo' ? 'Com senha e código' : 'Com senha e código de recuperação'
}
