import { type Capacity, type CapacityStatus, capacitiesApi } from '@bi-manager/contract'
import { Alert, Skeleton } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconResize } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { capacitiesKey } from '../../lib/api/query-keys.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import classes from './capacities.module.css'
import { statusQuery } from './capacities-queries.ts'
import { nextText } from './capacity-texts.ts'
import { type Change, ChangeDialog } from './change-dialog.tsx'
import { StateBadge } from './state-badge.tsx'

/** The state of a capacity in Azure, and the buttons that change it. */
export const StateSection = ({ capacity }: { capacity: Capacity }) => {
  const client = useQueryClient()
  const { idCapacidade: id } = capacity
  const query = statusQuery(id)
  const { data: status, error, isFetching, refetch } = useQuery(query)
  const [change, setChange] = useState<Change>()
  const handleChanged = (changed: CapacityStatus) => {
    client.setQueryData(query.queryKey, changed)
    void client.invalidateQueries({ queryKey: capacitiesKey })
  }
  return (
    <section className={shared.panel} aria-labelledby="estado">
      <div className={shared.spread}>
        <h2 id="estado" className={shared.subheading}>
          Estado no Azure
        </h2>
        <div role="status">{status && <StateBadge state={status.estado} />}</div>
      </div>
      {status ? (
        <>
          {error && (
            <Alert color="yellow" mt="sm" title="O estado pode estar desatualizado">
              {messageOf(error)}
            </Alert>
          )}
          {status.falha && (
            <Alert color="red" mt="sm" title="O estado não pôde ser lido">
              {status.falha}
            </Alert>
          )}
          {status.naoPausada && (
            <Alert color="yellow" mt="sm" title="Não foi pausada">
              {status.naoPausada}
            </Alert>
          )}
          <Facts className={classes.facts} rows={factsOf(status)} />
          <div className={`${shared.buttons} ${classes.actions}`}>
            <ActionButton
              icon={IconPlayerPlay}
              label="Iniciar"
              disabled={status.estado !== 'PAUSADA'}
              onClick={() => setChange('iniciar')}
            />
            <ActionButton
              icon={IconPlayerPause}
              label="Pausar"
              disabled={status.estado !== 'ATIVA'}
              onClick={() => setChange('pausar')}
            />
            <ActionButton
              icon={IconResize}
              label="Mudar o tamanho"
              disabled={status.estado !== 'ATIVA' && status.estado !== 'PAUSADA'}
              onClick={() => setChange('redimensionar')}
            />
          </div>
        </>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={120} mt="0.75rem" radius="md" />
      )}
      <ChangeDialog
        change={change}
        capacity={capacity}
        sku={status?.sku ?? null}
        onClose={() => setChange(undefined)}
        onChanged={handleChanged}
        send={(wanted, sku) => {
          const params = { id }
          if (wanted === 'redimensionar') return call(capacitiesApi.resize, { params, body: { sku } })
          return call(wanted === 'iniciar' ? capacitiesApi.start : capacitiesApi.pause, { params })
        }}
      />
    </section>
  )
}

const factsOf = (status: CapacityStatus) =>
  [
    ['Tamanho', status.sku ?? '—'],
    ['Agenda', nextText(status)],
    ['Último relatório aberto', status.usadaEm ? relativeTime(status.usadaEm, serverNow()) : 'Nenhum ainda'],
    ['Lido do Azure', status.lidoEm ? fullTime(status.lidoEm) : 'Ainda não'],
  ] as const
