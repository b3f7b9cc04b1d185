import type { AccessExplanation, User } from '@bi-manager/contract'
import { Anchor, Badge } from '@mantine/core'
import { IconMailQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import shared from '../../ui/shared.module.css'
import classes from './explainer.module.css'

interface RowIdentityProps {
  identity: AccessExplanation['identidade']
  /** Whether the e-mail is confirmed; otherwise the portal sends no effective identity. */
  isProven: boolean
  user: User
  /** Whether the user can view the report. */
  can: boolean
}

/** The effective identity in the embed token of a report with row-level security. */
export const RowIdentity = ({ identity, isProven, user, can }: RowIdentityProps) => (
  <div className={classes.part}>
    <h3 className={shared.subheading}>{can ? 'Linhas que a pessoa vê' : 'Linhas que a pessoa veria'}</h3>
    {identity === null ? (
      <p className={shared.note}>Este relatório não tem papéis de segurança: todos veem as mesmas linhas.</p>
    ) : (
      <>
        <p className={shared.note}>
          {isProven
            ? 'O modelo escolhe as linhas pela identidade que o portal envia com o relatório:'
            : 'O modelo escolhe as linhas por esta identidade. Sem o e-mail confirmado, o portal não a envia e o relatório não abre:'}
        </p>
        <dl className={classes.identity}>
          <dt>Usuário</dt>
          <dd>
            <code>{identity.usuario}</code> {!isProven && <Unproven />}
          </dd>
          <dt>Papéis</dt>
          <dd>{identity.papeis.join(', ')}</dd>
          <dt>customData</dt>
          <dd>
            {identity.customData === null ? (
              <>
                não definida.{' '}
                <Anchor component={Link} underline="always" to={`/cadastrar-usuario/${user.idUsuario}`}>
                  Definir no cadastro
                </Anchor>
              </>
            ) : (
              <code>{identity.customData}</code>
            )}
          </dd>
        </dl>
      </>
    )}
  </div>
)

const Unproven = () => (
  <Badge className={classes.unproven} leftSection={<IconMailQuestion size={14} aria-hidden />}>
    E-mail não confirmado
  </Badge>
)
