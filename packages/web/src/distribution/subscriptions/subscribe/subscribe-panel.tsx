import type { Subscription } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OwnEntities, ScreenFailure, useScreen, type ViewedReport } from '../../../reports/index.ts'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'
import { DeleteSubscription } from '../delete-subscription.tsx'
import { SubscriptionForm } from '../form/subscription-form.tsx'
import type { ScreenContent } from '../form/subscription-values.ts'
import { reportSubscriptionsQuery } from '../subscription-queries.ts'
import { SubscriptionRow } from '../subscription-row.tsx'
import { nextText } from '../subscription-texts.ts'

interface SubscribePanelProps {
  report: Pick<ViewedReport, 'capture' | 'pageTitle' | 'pageVisuals'>
  idRelatorio: number
  nomeRelatorio: string
  paginated: ViewedReport['status']['paginated']
  close: () => void
}

/** One's own subscriptions of the report on the screen, or the form of one. */
const SubscribePanel = ({ report, idRelatorio, nomeRelatorio, paginated, close }: SubscribePanelProps) => {
  const existing = useQuery(reportSubscriptionsQuery(idRelatorio))
  const screen = useScreen(idRelatorio, () => contentOf(report), !paginated)
  /** 'nova', or the subscription that is edited. */
  const [form, setForm] = useState<'nova' | Subscription>()
  const [toDelete, setToDelete] = useState<Subscription>()
  const [saved, setSaved] = useState<{ subscription: Subscription; isNew: boolean }>()
  const edit = (next: 'nova' | Subscription) => {
    setSaved(undefined)
    setForm(next)
  }

  if (existing.error && !existing.data)
    return (
      <ListFailure
        error={existing.error}
        isFetching={existing.isFetching}
        onRetry={() => void existing.refetch()}
      />
    )
  if (!existing.data || (screen.isLoading && !paginated))
    return <SkeletonLines label="Carregando as assinaturas" />

  // The list stays below the dialog that confirms the deletion of the last one.
  const isFirst = existing.data.length === 0 && !saved && !toDelete
  // A subscription of nothing known would be one of the whole report.
  if (screen.error && typeof form !== 'object' && (form || isFirst)) return <ScreenFailure screen={screen} />
  if (form || isFirst)
    return (
      <SubscriptionForm
        key={typeof form === 'object' ? form.idAssinatura : 'nova'}
        idRelatorio={idRelatorio}
        nomeRelatorio={nomeRelatorio}
        isPaginated={paginated !== undefined}
        subscription={typeof form === 'object' ? form : undefined}
        screen={screen.data}
        parametros={
          paginated?.painelParametros
            ? paginated.parametros.map(({ nome, valor }) => `${nome}=${valor}`)
            : undefined
        }
        onSaved={(subscription, isNew) => {
          setSaved({ subscription, isNew })
          setForm(undefined)
        }}
        onCancel={() => (isFirst ? close() : setForm(undefined))}
      />
    )
  return (
    <>
      <OwnEntities
        label="Suas assinaturas deste relatório"
        saved={saved && savedText(saved)}
        all={{ label: 'Todas as suas assinaturas', to: '/assinaturas' }}
        add={{ label: 'Nova assinatura', onClick: () => edit('nova') }}
      >
        {existing.data.map((subscription) => (
          <li key={subscription.idAssinatura}>
            <SubscriptionRow
              subscription={subscription}
              onEdit={() => edit(subscription)}
              onDelete={() => setToDelete(subscription)}
            />
          </li>
        ))}
      </OwnEntities>
      <DeleteSubscription target={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  )
}

export default SubscribePanel

const contentOf = async (report: SubscribePanelProps['report']): Promise<ScreenContent> => {
  const content = await report.capture()
  const [title, visuais] = await Promise.all([
    // The title is only shown.
    report.pageTitle().catch(() => undefined),
    // Without them, the form offers a spreadsheet of all visuals only, and says so.
    report.pageVisuals().catch(() => undefined),
  ])
  return { ...content, tituloPagina: title ?? null, visuais }
}

const savedText = ({ subscription, isNew }: { subscription: Subscription; isNew: boolean }): string => {
  const next = nextText(subscription)
  return `Assinatura ${isNew ? 'criada' : 'salva'}.${next ? ` Próximo envio: ${next}.` : ''}${
    isNew ? ' Use “Enviar agora” para ver como o e-mail chega.' : ''
  }`
}
