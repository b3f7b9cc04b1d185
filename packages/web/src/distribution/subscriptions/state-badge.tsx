import type { Subscription, SubscriptionRunState } from '@bi-manager/contract'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconMailOff,
  IconPlayerPause,
} from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import { type Look, LookBadge } from '../deliveries/look-badge.tsx'
import { runStateTexts, type SubscriptionState, stateOf } from './subscription-texts.ts'

const states: Record<SubscriptionState, Look> = {
  ATIVA: { text: 'Ativa', icon: IconCircleCheck, className: shared.active },
  PAUSADA: { text: 'Pausada', icon: IconPlayerPause },
  IMPEDIDA: { text: 'Não envia', icon: IconAlertTriangle, className: shared.attention },
}

export const StateBadge = ({
  subscription,
}: {
  subscription: Pick<Subscription, 'ativa' | 'impedimento'>
}) => <LookBadge {...states[stateOf(subscription)]} />

const runLooks: Record<SubscriptionRunState, Omit<Look, 'text'>> = {
  EM_ANDAMENTO: { icon: IconClock },
  CONCLUIDA: { icon: IconCircleCheck, className: shared.active },
  PARCIAL: { icon: IconAlertTriangle, className: shared.attention },
  NAO_ENVIADA: { icon: IconMailOff },
  FALHOU: { icon: IconAlertTriangle, className: shared.attention },
}

export const RunBadge = ({ estado }: { estado: SubscriptionRunState }) => (
  <LookBadge text={runStateTexts[estado]} {...runLooks[estado]} />
)
