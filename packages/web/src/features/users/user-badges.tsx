import type { User } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import { IconClock, IconLock, IconShieldHalf, IconUser } from '@tabler/icons-react'
import classes from './users.module.css'

/** Profile, and the situation where it keeps the person out; in words and icons, so that colour only helps. */
export const UserBadges = ({ tipoUsuario, situacao }: Pick<User, 'tipoUsuario' | 'situacao'>) => (
  <span className={classes.badges}>
    {tipoUsuario === 'ADMIN' ? (
      <Badge className={classes.admin} leftSection={<IconShieldHalf size={14} aria-hidden />}>
        ADMIN
      </Badge>
    ) : (
      <Badge className={classes.user} leftSection={<IconUser size={14} aria-hidden />}>
        USER
      </Badge>
    )}
    {situacao === 'PENDENTE' && (
      <Badge className={classes.pending} leftSection={<IconClock size={14} aria-hidden />}>
        Pendente
      </Badge>
    )}
    {situacao === 'BLOQUEADO' && (
      <Badge className={classes.blocked} leftSection={<IconLock size={14} aria-hidden />}>
        Bloqueado
      </Badge>
    )}
  </span>
)
