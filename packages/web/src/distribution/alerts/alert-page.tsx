import { type Alert, type AlertEvaluation, alertsApi } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { IconFileUnknown, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { UnavailablePage } from '../../ui/page/unavailable-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { ReportLink } from '../subscriptions/report-link.tsx'
import { alertQuery, alertsKey } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { deliveriesText, outcomeTexts, valueText } from './alert-texts.ts'
import { DeleteAlert } from './delete-alert.tsx'
import { EditAlertDialog } from './edit-dialog.tsx'
import { NewSecret } from './new-secret.tsx'

/** '/alertas/:alerta': an alert with its evaluations, for its owner and ADMINs. */
export const AlertPage = () => {
  const id = useEntityId('alerta') ?? 0
  const { data, error, isFetching, refetch } = useQuery({ ...alertQuery(id), enabled: id > 0, staleTime: 0 })
  if (id === 0 || (error && !data))
    return (
      <UnavailablePage
        error={error}
        isFetching={isFetching}
        retry={() => void refetch()}
        gone={{
          icon: IconFileUnknown,
          heading: 'Alerta não encontrado',
          text: 'Ele pode ter sido excluído.',
          action: <ActionButton isMain label="Ver os alertas" to="/alertas" />,
        }}
        failed="O alerta não carregou"
      />
    )
  if (!data)
    return (
      <AdminPage title="Alerta">
        <SkeletonLines label="Carregando o alerta" />
      </AdminPage>
    )
  return <Loaded key={id} alert={data} />
}

const Loaded = ({ alert }: { alert: Alert }) => {
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const session = useSession()
  const isOwn = alert.dono.idUsuario === session?.usuario_id
  const list = isOwn ? '/alertas' : '/alertas/todos'
  return (
    <AdminPage
      title={alert.nomeAlerta}
      lead={isOwn ? 'Seu alerta' : `Alerta de ${alert.dono.nomeUsuario}`}
      actions={<ActionButton label={isOwn ? 'Seus alertas' : 'Alertas de todos'} to={list} />}
    >
      <section className={shared.panel} aria-label="O alerta">
        <AlertRow
          alert={alert}
          report={<ReportLink report={alert.relatorio} />}
          onEdit={() => setEditing(true)}
          onDelete={() => setDeleting(true)}
        />
        {isOwn && alert.webhook && <RenewSecret idAlerta={alert.idAlerta} />}
      </section>
      <Evaluations alert={alert} />
      <EditAlertDialog target={isEditing ? alert : undefined} onClose={() => setEditing(false)} />
      <DeleteAlert
        target={isDeleting ? alert : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate(list, { replace: true })}
      />
    </AdminPage>
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
    <section className={shared.stackMd} aria-labelledby="avaliacoes">
      <h2 id="avaliacoes" className={shared.heading}>
        Avaliações
      </h2>
      <DataTable
        list={list}
        label="Lista de avaliações"
        columns={columnsOf(alert)}
        rowKey={({ idAvaliacao }) => idAvaliacao}
        empty={{ text: 'O alerta ainda não foi avaliado.' }}
      />
    </section>
  )
}
