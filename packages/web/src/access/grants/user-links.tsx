import { IconEye, IconHelpCircle } from '@tabler/icons-react'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import classes from './grants.module.css'

/** Links to 'Por que vê?' and 'Ver como' of a user. */
export const UserLinks = ({ idUsuario }: { idUsuario: number }) => (
  <div className={`${shared.buttons} ${classes.links}`}>
    <ActionButton icon={IconHelpCircle} label="Por que vê?" to={`/permissoes/porque?usuario=${idUsuario}`} />
    <ActionButton icon={IconEye} label="Ver como" to={`/permissoes/ver-como/${idUsuario}`} />
  </div>
)
