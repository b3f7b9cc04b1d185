import {
  receivedSubscriptionsApi,
  recurrenceText,
  type Subscription,
  subscriptionEntity,
  subscriptionsApi,
} from '@bi-manager/contract'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { StateBadge } from './state-badge.tsx'
import classes from './subscription.module.css'
import { contentText, nextText, runStateTexts, sendingOf, sendingTexts } from './subscription-texts.ts'
import { useTestSend } from './use-test-send.ts'

interface SubscriptionRowProps {
  subscription: Subscription
  /** The report's name, where the list has several reports. */
  report?: ReactNode
  onEdit: () => void
  onDelete: () => void
}

/** One of one's own subscriptions, with what can be done with it. */
export const SubscriptionRow = ({ subscription, report, onEdit, onDelete }: SubscriptionRowProps) => {
  const { idAssinatura, assunto, ativa, impedimento, ultima } = subscription
  const client = useQueryClient()
  const test = useTestSend(subscription)
  const pausing = useExclusiveMutation({
    mutationFn: () =>
      call(subscriptionsApi.setActive, { params: { id: idAssinatura }, body: { ativa: !ativa } }),
    onSuccess: () => refreshAfter(client, subscriptionEntity),
  })
  const session = useSession()
  const hasLeft = subscription.sairam.some(({ idUsuario }) => idUsuario === session?.usuario_id)
  const returning = useExclusiveMutation({
    mutationFn: () => call(receivedSubscriptionsApi.returnTo, { params: { id: idAssinatura } }),
    onSuccess: () => refreshAfter(client, subscriptionEntity),
  })
  const next = nextText(subscription)
  return (
    <div className={classes.row} aria-busy={pausing.isPending}>
      <div className={classes.rowText}>
        <div className={classes.rowTitle}>
          {assunto}
          <StateBadge subscription={subscription} />
          {hasLeft && <span className={shared.tag}>Você saiu</span>}
        </div>
        {report && <p className={shared.smallNote}>{report}</p>}
        <p className={shared.smallNote}>
          {recurrenceText(subscription)} · {contentText(subscription)} ·{' '}
          {sendingTexts[sendingOf(subscription)]}
        </p>
        {impedimento && ativa && <p className={shared.fieldWarning}>{impedimento}</p>}
        <p className={shared.smallNote}>
          {next && `Próximo envio: ${next}.`} {ultima && `Último: ${lastText(ultima)}`}
        </p>
      </div>
      <div className={classes.rowActions}>
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
          disabled={!subscription.relatorio || !subscription.mostraEscolha}
          loading={test.isSending}
          onClick={test.send}
        />
        {/* Fixed, to avoid clipping by a dialog. */}
        <Menu position="bottom-end" shadow="md" floatingStrategy="fixed" withinPortal={false} returnFocus>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={`Ações da assinatura ${assunto}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={`/assinaturas/${idAssinatura}`}>
              Ver envios
            </Menu.Item>
            {subscription.relatorio && subscription.mostraEscolha && (
              <Menu.Item onClick={onEdit}>Editar</Menu.Item>
            )}
            <Menu.Item onClick={() => pausing.mutate()}>{ativa ? 'Pausar' : 'Retomar'}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
              Excluir
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={classes.rowMessage} role="status">
        {test.progress && <p className={shared.smallNote}>{test.progress}</p>}
        {test.outcome && !test.outcome.hasFailed && <p className={shared.smallNote}>{test.outcome.text}</p>}
      </div>
      {test.outcome?.hasFailed && <ErrorAlert error={test.outcome.text} className={classes.rowMessage} />}
      <ErrorAlert error={pausing.error ?? returning.error} className={classes.rowMessage} />
    </div>
  )
}

const lastText = ({ estado, frase, terminadaEm, previstaEm }: NonNullable<Subscription['ultima']>): string =>
  `${runStateTexts[estado].toLowerCase()} em ${fullTime(terminadaEm ?? previstaEm)}.${frase ? ` ${frase}` : ''}`
