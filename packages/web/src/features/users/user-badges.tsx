import type { User } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import {
  IconClock,
  IconLock,
  IconMail,
  IconMailQuestion,
  IconShieldCheck,
  IconShieldHalf,
  IconUser,
} from '@tabler/icons-react'
import classes from './users.module.css'

/** Profile, and the situation where it keeps the person out; in words and icons, so that colour only helps. */
export const UserBadges = ({
  tipoUsuario,
  situacao,
  convitePendente,
  segundoFator,
  emailComprovado,
}: Pick<User, 'tipoUsuario' | 'situacao' | 'convitePendente' | 'segundoFator' | 'emailComprovado'>) => (
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
    {segundoFator && (
      <Badge className={classes.secured} leftSection={<IconShieldCheck size={14} aria-hidden />}>
        2 fatores
      </Badge>
    )}
    {situacao === 'PENDENTE' && (
      <Badge className={classes.pending} leftSection={<IconClock size={14} aria-hidden />}>
        Pendente
      </Badge>
    )}
    {!emailComprovado && <UnprovenBadge />}
    {convitePendente && (
      <Badge className={classes.invited} leftSection={<IconMail size={14} aria-hidden />}>
        Convite enviado
      </Badge>
    )}
    {situacao === 'BLOQUEADO' && (
      <Badge className={classes.blocked} leftSection={<IconLock size={14} aria-hidden />}>
        Bloqueado
      </Badge>
    )}
  </span>
)

const UnprovenBadge = () => (
  <Badge className={classes.pending} leftSection={<IconMailQuestion size={14} aria-hidden />}>
    E-mail não confirmado
  </Badge>
)
