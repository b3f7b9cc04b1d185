import {
  receivedSubscriptionsApi,
  recurrenceText,
  type Subscription,
  subscriptionEntity,
} from '@bi-manager/contract'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from '../deliveries/delivery.module.css'
import { DeliveryRow, type RowProps } from '../deliveries/delivery-row.tsx'
import { ReportLink } from '../deliveries/report-link.tsx'
import { StateBadge } from './state-badge.tsx'
import { subscriptionKind } from './subscription-kind.ts'
import { contentText, nextText, runStateTexts, sendingOf, sendingTexts } from './subscription-texts.ts'
import { useTestSend } from './use-test-send.ts'

/** A subscription with its last run, and with what can be done with it. */
export const SubscriptionRow = ({ one, showsReport, ...props }: RowProps<Subscription>) => {
  const { idAssinatura, assunto, ultima, mostraEscolha } = one
  const client = useQueryClient()
  const test = useTestSend(one)
  const session = useSession()
  const hasLeft = one.sairam.some(({ idUsuario }) => idUsuario === session?.usuario_id)
  const returning = useExclusiveMutation({
    mutationFn: () => call(receivedSubscriptionsApi.returnTo, { params: { id: idAssinatura } }),
    onSuccess: () => refreshAfter(client, subscriptionEntity),
  })
  const next = nextText(one)
  return (
    <DeliveryRow
      {...props}
      kind={subscriptionKind}
      one={one}
      badge={
        <>
          <StateBadge subscription={one} />
          {hasLeft && <span className={shared.tag}>Você saiu</span>}
        </>
      }
      report={
        showsReport && (
          <ReportLink report={one.relatorio} assinatura={mostraEscolha ? idAssinatura : undefined} />
        )
      }
      facts={
        <p className={shared.smallNote}>
          {recurrenceText(one)} · {contentText(one)} · {sendingTexts[sendingOf(one)]}
        </p>
      }
      times={
        <>
          {next && `Próximo envio: ${next}.`} {ultima && `Último: ${lastText(ultima)}`}
        </>
      }
      actions={
        <>
          {hasLeft && (
            <ActionButton
              label="Voltar a receber"
              size="xs"
              aria-label={`Voltar a receber: ${assunto}`}
              loading={returning.isPending}
              onClick={() => returning.mutate()}
            />
          )}
          <ActionButton
            icon={IconSend}
            label={test.isSending ? 'Enviando…' : 'Enviar agora'}
            size="xs"
            aria-label={`Enviar agora a mim: ${assunto}`}
            disabled={!one.relatorio || !mostraEscolha}
            loading={test.isSending}
            onClick={test.send}
          />
        </>
      }
    >
      <div className={classes.rowMessage} role="status">
        {test.progress && <p className={shared.smallNote}>{test.progress}</p>}
        {test.outcome && !test.outcome.hasFailed && <p className={shared.smallNote}>{test.outcome.text}</p>}
      </div>
      {test.outcome?.hasFailed && <ErrorAlert error={test.outcome.text} className={classes.rowMessage} />}
      <ErrorAlert error={returning.error} className={classes.rowMessage} />
    </DeliveryRow>
  )
}

const lastText = ({ estado, frase, terminadaEm, previstaEm }: NonNullable<Subscription['ultima']>): string =>
  `${runStateTexts[estado].toLowerCase()} em ${fullTime(terminadaEm ?? previstaEm)}.${frase ? ` ${frase}` : ''}`
