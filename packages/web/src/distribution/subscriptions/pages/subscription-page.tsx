import { type Subscription, type SubscriptionRun, subscriptionsApi } from '@bi-manager/contract'
import { IconFileUnknown, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useList } from '../../../lib/lists/use-list.ts'
import { useSession } from '../../../lib/session/session.ts'
import { fullTime } from '../../../lib/text/relative-time.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { RowAction } from '../../../ui/data-table/row-action.tsx'
import { useEntityId } from '../../../ui/entity-form/entity-page.tsx'
import { AdminPage } from '../../../ui/page/admin-page.tsx'
import { UnavailablePage } from '../../../ui/page/unavailable-page.tsx'
import shared from '../../../ui/shared.module.css'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'
import { DeleteSubscription } from '../delete-subscription.tsx'
import { EditSubscriptionDialog } from '../form/edit-dialog.tsx'
import { ReportLink } from '../report-link.tsx'
import { RunBadge } from '../state-badge.tsx'
import { subscriptionQuery, subscriptionsKey } from '../subscription-queries.ts'
import { SubscriptionRow } from '../subscription-row.tsx'
import { durationText, mailCounts, runCauseTexts } from '../subscription-texts.ts'
import { MailsDialog } from './mails-dialog.tsx'
import { SubscriptionFacts } from './subscription-facts.tsx'

/** '/assinaturas/:assinatura': a subscription with its runs, for its owner and ADMINs. */
export const SubscriptionPage = () => {
  const id = useEntityId('assinatura') ?? 0
  const { data, error, isFetching, refetch } = useQuery({
    ...subscriptionQuery(id),
    enabled: id > 0,
    staleTime: 0,
  })
  if (id === 0 || (error && !data))
    return (
      <UnavailablePage
        error={error}
        isFetching={isFetching}
        retry={() => void refetch()}
        gone={{
          icon: IconFileUnknown,
          heading: 'Assinatura não encontrada',
          text: 'Ela pode ter sido excluída.',
          action: <ActionButton isMain label="Ver as assinaturas" to="/assinaturas" />,
        }}
        failed="A assinatura não carregou"
      />
    )
  if (!data)
    return (
      <AdminPage title="Assinatura">
        <SkeletonLines label="Carregando a assinatura" />
      </AdminPage>
    )
  return <Loaded key={id} subscription={data} />
}

const Loaded = ({ subscription }: { subscription: Subscription }) => {
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const session = useSession()
  const isOwn = subscription.dono.idUsuario === session?.usuario_id
  const list = isOwn ? '/assinaturas' : '/assinaturas/todas'
  return (
    <AdminPage
      title={subscription.assunto}
      lead={isOwn ? 'Sua assinatura' : `Assinatura de ${subscription.dono.nomeUsuario}`}
      actions={<ActionButton label={isOwn ? 'Suas assinaturas' : 'Assinaturas de todos'} to={list} />}
    >
      <section className={shared.panel} aria-label="A assinatura">
        <SubscriptionRow
          subscription={subscription}
          report={
            <ReportLink
              report={subscription.relatorio}
              assinatura={subscription.mostraEscolha ? subscription.idAssinatura : undefined}
            />
          }
          onEdit={() => setEditing(true)}
          onDelete={() => setDeleting(true)}
        />
        <SubscriptionFacts subscription={subscription} />
      </section>
      <Runs subscription={subscription} />
      <EditSubscriptionDialog
        target={isEditing ? subscription : undefined}
        onClose={() => setEditing(false)}
      />
      <DeleteSubscription
        target={isDeleting ? subscription : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate(list, { replace: true })}
      />
    </AdminPage>
  )
}

const columns: Column<SubscriptionRun, never>[] = [
  {
    label: 'Quando',
    isName: true,
    width: '14%',
    render: ({ previstaEm }) => fullTime(previstaEm),
    detail: ({ causa }) => runCauseTexts[causa],
  },
  {
    label: 'Resultado',
    width: '19%',
    render: ({ estado }) => <RunBadge estado={estado} />,
  },
  {
    label: 'O que houve',
    render: ({ frase }) => frase ?? '–',
    detail: ({ repeticoes }) =>
      repeticoes > 0 && `Tentado de novo ${repeticoes === 1 ? 'uma vez' : `${repeticoes} vezes`}`,
  },
  { label: 'E-mails', width: '13%', render: mailCounts },
  {
    label: 'Duração',
    width: '9%',
    sharesCardLine: true,
    render: (run) => durationText(run) ?? '–',
  },
  {
    label: 'Dados de',
    width: '12%',
    sharesCardLine: true,
    render: ({ dadosDe }) => (dadosDe ? fullTime(dadosDe) : '–'),
  },
]

const Runs = ({ subscription: { idAssinatura } }: { subscription: Subscription }) => {
  const [shown, setShown] = useState<SubscriptionRun>()
  const list = useList({
    queryKey: [...subscriptionsKey, 'execucoes', idAssinatura],
    endpoint: subscriptionsApi.runs,
    params: { id: idAssinatura },
    fields: [],
  })
  return (
    <section className={shared.stackMd}>
      <h2 className={shared.heading}>Envios</h2>
      <DataTable
        list={list}
        label="Envios"
        columns={columns}
        rowKey={({ idExecucao }) => idExecucao}
        actions={(run) => (
          <RowAction
            icon={IconUsers}
            label="Ver destinatários"
            of={`do envio de ${fullTime(run.previstaEm)}`}
            onClick={() => setShown(run)}
          />
        )}
        empty={{ text: 'Nada foi enviado ainda. Use “Enviar agora” para receber o e-mail você mesmo.' }}
      />
      <MailsDialog idAssinatura={idAssinatura} target={shown} onClose={() => setShown(undefined)} />
    </section>
  )
}
