import type { DataFreshness } from '@bi-manager/contract'
import { Text } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { counted } from '../../lib/text/counted.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { isUnderWay, type Refreshing, type RefreshPhase } from './use-data-freshness.ts'

interface DataRefreshProps {
  freshness: DataFreshness
  refreshing: Refreshing
}

/** 'Atualizar agora', what has become of it, and how many refreshes are left. */
export const DataRefresh = ({ freshness, refreshing }: DataRefreshProps) => {
  const { phase, fault, isSending, start } = refreshing
  const isBusy = isUnderWay(phase)
  return (
    <>
      <ActionButton
        icon={IconDatabaseImport}
        label="Atualizar agora"
        size="sm"
        loading={isSending}
        // Not `disabled`, which would remove the focus from the pressed button.
        data-disabled={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && start()}
        data-autofocus
      />
      <Text role="status" mt="xs" fz="sm">
        {fault ? '' : sentences[phase]}
      </Text>
      <ErrorAlert error={fault} mt="xs" mb="xs" />
      <p className={shared.smallNote}>{limitText(freshness)}</p>
    </>
  )
}

const sentences: Record<RefreshPhase, string> = {
  nada: '',
  pedida: 'O serviço de BI aceitou o pedido. A atualização começa em instantes.',
  atualizando: 'Atualizando os dados. Pode levar minutos, e você pode continuar usando o portal.',
  concluida: 'Os dados foram atualizados.',
  falhou: 'A atualização não terminou bem. Os dados anteriores continuam valendo.',
  'sem-inicio': 'O serviço de BI aceitou o pedido, mas ainda não mostra a atualização.',
}

const limitText = ({ nasUltimas24h, limiteDiario }: DataFreshness): string => {
  const done = `Nas últimas 24 horas: ${counted(nasUltimas24h, 'atualização', 'atualizações')}.`
  return limiteDiario === null
    ? done
    : `${done} Em capacidade compartilhada, o Power BI aceita ${limiteDiario}.`
}
