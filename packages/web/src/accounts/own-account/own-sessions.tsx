import { ApiProblem, type OwnSession, ownSessionsApi } from '@bi-manager/contract'
import { Badge, Checkbox, Group, Skeleton } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, IconPlugConnectedX } from '@tabler/icons-react'
// biome-ignore lint/style/noRestrictedImports: each session is ended on its own
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { activityQuery } from '../../lib/api/queries.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { endSession } from '../../lib/session/session.ts'
import { deviceName, isHandheld } from '../../lib/text/device-name.ts'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from './own-account.module.css'
import '@mantine/core/styles/Checkbox.layer.css'

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
    onSuccess: async (_, session) => {
      await refresh()
      onEnded(`Acesso encerrado: ${deviceName(session.dispositivo)}.`)
    },
  })

  if (!sessions)
    return error ? (
      <section className={`${shared.panel} ${shared.stackMd}`}>
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    ) : (
      <div role="status" aria-label="Carregando os seus acessos">
        <Skeleton height={170} radius="lg" />
      </div>
    )
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="acessos">
      <div className={shared.spread}>
        <h2 id="acessos" className={shared.heading}>
          {sessions.length === 1 ? '1 acesso aberto' : `${sessions.length} acessos abertos`}
        </h2>
        {sessions.length > 1 && (
          <ActionButton
            icon={IconPlugConnectedX}
            label="Encerrar todos"
            size="sm"
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      <ErrorAlert error={ending.error} />
      <ul className={shared.divided}>
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
    <Group component="li" gap="0.875rem" py="0.875rem" wrap="nowrap">
      <span className={shared.tileIcon}>
        <IconOf size={21} stroke={1.6} aria-hidden />
      </span>
      <div className={shared.fills}>
        <p className={classes.rowTitle}>
          <span title={dispositivo ?? undefined}>{name}</span>
          {atual && (
            <Badge variant="light" size="sm" className={shared.active}>
              Este aparelho
            </Badge>
          )}
        </p>
        <p className={shared.smallNote}>
          {methodText(session)}, desde {fullTime(criadaEm)}
        </p>
        <p className={shared.smallNote}>
          {atual ? 'Em uso agora' : `Último uso ${relativeTime(ultimoUso, serverNow())}`}
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
    </Group>
  )
}

const methodText = ({ metodo, segundoFator }: OwnSession): string => {
  if (metodo === 'provedor') return 'Pelo provedor de identidade'
  if (segundoFator === null) return 'Com senha'
  return segundoFator === 'codigo' ? 'Com senha e código' : 'Com senha e código de recuperação'
}

const ownSessionsQuery = queryOptions({
  queryKey: ['meus-acessos'],
  queryFn: ({ signal }) => call(ownSessionsApi.list, {}, { signal }),
  staleTime: 0,
})

interface EndAllDialogProps {
  opened: boolean
  onClose: () => void
  /** Not called when this session ended, too, because the page is then gone. */
  onEnded: () => void
}

const EndAllDialog = ({ opened, onClose, onEnded }: EndAllDialogProps) => {
  const [includesThis, setIncludesThis] = useState(false)
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () => call(ownSessionsApi.endAll, { query: includesThis ? { atual: 'true' } : {} }),
    onSuccess: () => (includesThis ? endSession('saiu') : onEnded()),
  })
  const close = () => {
    reset()
    setIncludesThis(false)
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title="Encerrar todos os acessos?">
      <p className={dialog.lead}>
        Quem estiver usando a sua conta em outro aparelho sai na hora e precisa entrar de novo.
      </p>
      <Checkbox
        mt="md"
        label="Encerrar também neste aparelho"
        checked={includesThis}
        onChange={(event) => setIncludesThis(event.currentTarget.checked)}
      />
      <ErrorAlert error={error} mt="md" />
      <div className={dialog.answers}>
        <Button variant="default" onClick={close} data-autofocus>
          Não, cancelar
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          Sim, encerrar
        </Button>
      </div>
    </Dialog>
  )
}
