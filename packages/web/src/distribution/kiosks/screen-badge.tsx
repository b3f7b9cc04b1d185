import { Badge } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconClockX,
  IconDeviceTvOff,
  IconPlayerPause,
} from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import { type ScreenState, stateTexts } from './kiosk-texts.ts'
import classes from './kiosks.module.css'

const looks: Record<ScreenState, { icon: Icon; className: string | undefined }> = {
  NO_AR: { icon: IconCircleCheck, className: classes.onAir },
  SEM_SINAL: { icon: IconAlertTriangle, className: shared.attention },
  SEM_TELA: { icon: IconDeviceTvOff, className: shared.active },
  VENCIDA: { icon: IconClockX, className: shared.attention },
  INATIVO: { icon: IconPlayerPause, className: shared.active },
}

/** The state with a text and an icon, so that colour is not the only cue. */
export const ScreenBadge = ({ state }: { state: ScreenState }) => {
  const { icon: IconOf, className } = looks[state]
  return (
    <Badge className={className} leftSection={<IconOf size={14} aria-hidden />}>
      {stateTexts[state]}
    </Badge>
  )
}
