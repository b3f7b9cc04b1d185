import type { Subscription } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import type { ViewedReport } from '../../../reports/index.ts'
import { DeliveryPanel } from '../../deliveries/delivery-panel.tsx'
import { SubscriptionForm } from '../form/subscription-form.tsx'
import type { ScreenContent } from '../form/subscription-values.ts'
import { subscriptionKind } from '../subscription-kind.ts'
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
const SubscribePanel = ({ report, idRelatorio, nomeRelatorio, paginated, close }: SubscribePanelProps) => (
  <DeliveryPanel
    kind={subscriptionKind}
    existing={useQuery(reportSubscriptionsQuery(idRelatorio))}
    idRelatorio={idRelatorio}
    read={paginated ? undefined : () => contentOf(report)}
    Row={SubscriptionRow}
    form={({ one, screen, onSaved, onCancel }) => (
      <SubscriptionForm
        key={one?.idAssinatura ?? 'nova'}
        idRelatorio={idRelatorio}
        nomeRelatorio={nomeRelatorio}
        isPaginated={paginated !== undefined}
        subscription={one}
        screen={screen}
        parametros={
          paginated?.painelParametros
            ? paginated.parametros.map(({ nome, valor }) => `${nome}=${valor}`)
            : undefined
        }
        onSaved={(saved) => onSaved(savedText(saved, one === undefined))}
        onCancel={onCancel}
      />
    )}
    close={close}
  />
)

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

const savedText = (subscription: Subscription, isNew: boolean): string => {
  const next = nextText(subscription)
  return `Assinatura ${isNew ? 'criada' : 'salva'}.${next ? ` Próximo envio: ${next}.` : ''}${
    isNew ? ' Use “Enviar agora” para ver como o e-mail chega.' : ''
  }`
}
