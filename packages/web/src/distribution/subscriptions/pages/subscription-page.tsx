import { type Subscription, type SubscriptionRun, subscriptionsApi } from '@bi-manager/contract'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useList } from '../../../lib/lists/use-list.ts'
import { fullTime } from '../../../lib/text/relative-time.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { RowAction } from '../../../ui/data-table/row-action.tsx'
import { useEntityId } from '../../../ui/entity-form/entity-page.tsx'
import { DeliveryPage } from '../../deliveries/delivery-page.tsx'
import { EditSubscriptionDialog } from '../form/edit-dialog.tsx'
import { RunBadge } from '../state-badge.tsx'
import { subscriptionKind } from '../subscription-kind.ts'
import { subscriptionQuery, subscriptionsKey } from '../subscription-queries.ts'
import { SubscriptionRow } from '../subscription-row.tsx'
import { durationText, mailCounts, runCauseTexts } from '../subscription-texts.ts'
import { MailsDialog } from './mails-dialog.tsx'
import { SubscriptionFacts } from './subscription-facts.tsx'

/** '/assinaturas/:assinatura': a subscription with its runs, for its owner and ADMINs. */
export const SubscriptionPage = () => {
  const id = useEntityId('assinatura') ?? 0
  return (
    <DeliveryPage
      kind={subscriptionKind}
      id={id}
      query={useQuery({ ...subscriptionQuery(id), enabled: id > 0, staleTime: 0 })}
      Row={SubscriptionRow}
      Edit={EditSubscriptionDialog}
      about={(subscription) => <SubscriptionFacts subscription={subscription} />}
      history={(subscription) => <Runs subscription={subscription} />}
    />
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
    <>
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
    </>
  )
}
