import { type Alert, type AlertEvaluation, alertsApi } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { DeliveryPage } from '../deliveries/delivery-page.tsx'
import { alertKind } from './alert-kind.ts'
import { alertQuery, alertsKey } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { deliveriesText, outcomeTexts, valueText } from './alert-texts.ts'
import { EditAlertDialog } from './edit-dialog.tsx'
import { NewSecret } from './new-secret.tsx'

/** '/alertas/:alerta': an alert with its evaluations, for its owner and ADMINs. */
export const AlertPage = () => {
  const id = useEntityId('alerta') ?? 0
  return (
    <DeliveryPage
      kind={alertKind}
      id={id}
      query={useQuery({ ...alertQuery(id), enabled: id > 0, staleTime: 0 })}
      Row={AlertRow}
      Edit={EditAlertDialog}
      about={(alert, isOwn) => isOwn && alert.webhook && <RenewSecret idAlerta={alert.idAlerta} />}
      history={(alert) => <Evaluations alert={alert} />}
    />
  )
}

const RenewSecret = ({ idAlerta }: { idAlerta: number }) => {
  const [segredo, setSegredo] = useState<string>()
  const renewing = useExclusiveMutation({
    mutationFn: () => call(alertsApi.renewSecret, { params: { id: idAlerta } }),
    gcTime: 0,
    onSuccess: (answer) => setSegredo(answer.segredo),
  })
  const close = () => setSegredo(undefined)
  return (
    <>
      <ActionButton
        icon={IconKey}
        label="Trocar o segredo do webhook"
        size="xs"
        loading={renewing.isPending}
        onClick={() => renewing.mutate()}
      />
      <ErrorAlert error={renewing.error} />
      <Modal
        opened={segredo !== undefined}
        onClose={close}
        title="Segredo trocado"
        centered
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Fechar' }}
      >
        {segredo && <NewSecret segredo={segredo} onClose={close} />}
      </Modal>
    </>
  )
}

const columnsOf = ({ formato, mostraValores }: Alert): Column<AlertEvaluation, never>[] => {
  const shown = (value: number | null) => (mostraValores ? valueText(value, formato) : '–')
  return [
    { label: 'Quando', isName: true, width: '17%', render: ({ em }) => fullTime(em) },
    { label: 'Resultado', width: '14%', render: ({ resultado }) => outcomeTexts[resultado] },
    { label: 'Valor', width: '18%', render: ({ valor }) => shown(valor) },
    { label: 'Antes', width: '18%', render: ({ anterior }) => shown(anterior) },
    {
      label: 'O que houve',
      render: ({ frase, envios }) => frase ?? (deliveriesText(envios) || '–'),
    },
    {
      label: 'Duração',
      width: '6.25rem',
      sharesCardLine: true,
      render: ({ duracaoMs }) =>
        `${(duracaoMs / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`,
    },
  ]
}

const Evaluations = ({ alert }: { alert: Alert }) => {
  const list = useList({
    queryKey: [...alertsKey, 'avaliacoes', alert.idAlerta],
    endpoint: alertsApi.evaluations,
    params: { id: alert.idAlerta },
    fields: [],
  })
  return (
    <DataTable
      list={list}
      label="Lista de avaliações"
      columns={columnsOf(alert)}
      rowKey={({ idAvaliacao }) => idAvaliacao}
      empty={{ text: 'O alerta ainda não foi avaliado.' }}
    />
  )
}
