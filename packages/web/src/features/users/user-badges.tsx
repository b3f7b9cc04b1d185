import type { User } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import {
  IconClock,
  IconLock,
  IconMail,
  IconMailQuestion,
  IconMailX,
  IconShieldCheck,
  IconShieldHalf,
  IconUser,
} from '@tabler/icons-react'
import { fullTime } from '../../lib/text/relative-time.ts'
import classes from './users.module.css'

/** Badges for role and state, with text and icons, so that colour is not the only cue. */
export const UserBadges = ({
  tipoUsuario,
  situacao,
  convitePendente,
  segundoFator,
  emailComprovado,
  emailFalhouEm,
  emailFalhaMotivo,
}: Pick<
  User,
  | 'tipoUsuario'
  | 'situacao'
  | 'convitePendente'
  | 'segundoFator'
  | 'emailComprovado'
  | 'emailFalhouEm'
  | 'emailFalhaMotivo'
>) => (
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
    {convitePendente && !emailFalhouEm && (
      <Badge className={classes.invited} leftSection={<IconMail size={14} aria-hidden />}>
        Convite enviado
      </Badge>
    )}
    {situacao === 'BLOQUEADO' && (
      <Badge className={classes.blocked} leftSection={<IconLock size={14} aria-hidden />}>
        Bloqueado
      </Badge>
    )}
    {emailFalhouEm && (
      <>
        <Badge className={classes.blocked} leftSection={<IconMailX size={14} aria-hidden />}>
          E-mail não entregue
        </Badge>
        <span className={classes.reason}>
          {emailFalhaMotivo} {fullTime(emailFalhouEm)}
        </span>
      </>
    )}
  </span>
)

const UnprovenBadge = () => (
  <Badge className={classes.pending} leftSection={<IconMailQuestion size={14} aria-hidden />}>
    E-mail não confirmado
  </Badge>
)
