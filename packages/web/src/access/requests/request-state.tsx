import type { AccessRequestState } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import { type Icon, IconCircleCheck, IconClock, IconLock, IconUsersGroup } from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'

export const stateNames: Record<AccessRequestState, string> = {
  ABERTO: 'Aguardando',
  LIBERADO: 'Liberado',
  PERFIL: 'Liberado por perfil',
  RECUSADO: 'Recusado',
}

const looks: Record<AccessRequestState, { icon: Icon; className?: string | undefined }> = {
  ABERTO: { icon: IconClock, className: shared.attention },
  LIBERADO: { icon: IconCircleCheck, className: shared.active },
  PERFIL: { icon: IconUsersGroup, className: shared.active },
  RECUSADO: { icon: IconLock },
}

/** What became of a request, with an icon, so that colour is not the only cue. */
export const RequestState = ({ state }: { state: AccessRequestState }) => {
  const { icon: IconOf, className } = looks[state]
  return (
    <Badge
      {...(className ? { className } : { variant: 'default' })}
      leftSection={<IconOf size={14} aria-hidden />}
    >
      {stateNames[state]}
    </Badge>
  )
}
