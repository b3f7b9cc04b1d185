import type { User } from '@bi-manager/contract'
import { Badge, Group } from '@mantine/core'
import {
  type Icon,
  IconCalendarTime,
  IconClock,
  IconLock,
  IconMail,
  IconMailQuestion,
  IconMailX,
  IconShieldCheck,
  IconShieldHalf,
  IconUser,
} from '@tabler/icons-react'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { daysUntil, fullTime } from '../../lib/text/relative-time.ts'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import shared from '../../ui/shared.module.css'
import classes from './users.module.css'

type BadgedUser = Pick<
  User,
  | 'tipoUsuario'
  | 'situacao'
  | 'convitePendente'
  | 'segundoFator'
  | 'emailComprovado'
  | 'emailFalhouEm'
  | 'emailFalhaMotivo'
  | 'validoAte'
>

/** Badges for role and state, with text and icons, so that colour is not the only cue. */
export const UserBadges = (user: BadgedUser) => (
  <Group component="span" gap="0.375rem">
    {user.tipoUsuario === 'ADMIN' ? (
      <State look={classes.admin} icon={IconShieldHalf} text="ADMIN" />
    ) : (
      <State look={shared.active} icon={IconUser} text="USER" />
    )}
    {user.segundoFator && <State look={classes.secured} icon={IconShieldCheck} text="2 fatores" />}
    {user.situacao === 'PENDENTE' && <State look={shared.attention} icon={IconClock} text="Pendente" />}
    {!user.emailComprovado && (
      <State look={shared.attention} icon={IconMailQuestion} text="E-mail não confirmado" />
    )}
    {user.convitePendente && !user.emailFalhouEm && (
      <State look={classes.invited} icon={IconMail} text="Convite pendente" />
    )}
    {user.situacao === 'BLOQUEADO' && <State look={classes.blocked} icon={IconLock} text="Bloqueado" />}
    {user.validoAte && <End validoAte={user.validoAte} />}
    {user.emailFalhouEm && (
      <>
        <State look={classes.blocked} icon={IconMailX} text="E-mail não entregue" />
        <span className={`${shared.smallNote} ${classes.reason}`}>
          {user.emailFalhaMotivo} {fullTime(user.emailFalhouEm)}
        </span>
      </>
    )}
  </Group>
)

/** From so many days before the end, as from the first notice, the badge asks for attention. */
const soonDays = 7

/** Until when the account may be used. */
const End = ({ validoAte }: { validoAte: string }) => {
  const days = daysUntil(validoAte, serverNow())
  const isOver = days < 0
  return (
    <State
      look={isOver ? classes.blocked : days <= soonDays ? shared.attention : shared.active}
      icon={IconCalendarTime}
      text={`${isOver ? 'Venceu em' : 'Até'} ${textOfDay(validoAte)}`}
    />
  )
}

interface StateProps {
  look: string | undefined
  icon: Icon
  text: string
}

const State = ({ look, icon: IconOf, text }: StateProps) => (
  <Badge className={look} leftSection={<IconOf size={14} aria-hidden />}>
    {text}
  </Badge>
)
