import type { Alert } from '@bi-manager/contract'
import {
  IconAlertTriangle,
  IconBellRinging,
  IconCircleCheck,
  IconClock,
  IconPlayerPause,
} from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import { type Look, LookBadge } from '../deliveries/look-badge.tsx'

const lookOf = ({ ativo, impedimento, falha, estado }: Alert): Look => {
  if (!ativo) return { text: 'Pausado', icon: IconPlayerPause }
  if (impedimento) return { text: 'Não avalia', icon: IconAlertTriangle, className: shared.attention }
  if (falha) return { text: 'Com falha', icon: IconAlertTriangle, className: shared.attention }
  if (estado === 'ATINGIDA') return { text: 'Atingido', icon: IconBellRinging, className: shared.attention }
  if (estado === 'AGUARDA') return { text: 'Aguarda um valor', icon: IconClock }
  return { text: 'Normal', icon: IconCircleCheck, className: shared.active }
}

export const AlertBadge = ({ alert }: { alert: Alert }) => <LookBadge {...lookOf(alert)} />
