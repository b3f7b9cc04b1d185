import type { CapacityState } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconHelp,
  IconLoader2,
  IconPlayerPause,
} from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import classes from './capacities.module.css'
import { isChanging, stateTexts } from './capacity-texts.ts'

/** The state with a text and an icon, so that colour is not the only cue. */
export const StateBadge = ({ state }: { state: CapacityState }) => {
  const { icon: IconOf, className } = badgeOf(state)
  return (
    <Badge className={className} leftSection={<IconOf size={14} aria-hidden />}>
      {stateTexts[state]}
    </Badge>
  )
}

const badgeOf = (state: CapacityState): { icon: Icon; className: string | undefined } => {
  if (isChanging(state)) return { icon: IconLoader2, className: shared.attention }
  if (state === 'ATIVA') return { icon: IconCircleCheck, className: classes.running }
  if (state === 'PAUSADA') return { icon: IconPlayerPause, className: shared.active }
  if (state === 'DESCONHECIDA') return { icon: IconHelp, className: shared.active }
  return { icon: IconAlertTriangle, className: classes.failed }
}
