import type { AccessExplanation, User } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import classes from './explainer.module.css'

interface RowIdentityProps {
  identity: AccessExplanation['identidade']
  user: User
  /** Whether the person sees the report at all. */
  can: boolean
}

/** Whom the embed token names where the report's rows depend on who looks. */
export const RowIdentity = ({ identity, user, can }: RowIdentityProps) => (
  <div className={classes.part}>
    <h3 className={classes.heading}>{can ? 'Linhas que a pessoa vê' : 'Linhas que a pessoa veria'}</h3>
    {identity === null ? (
      <p className={classes.dimmed}>
        Este relatório não tem papéis de segurança: todos veem as mesmas linhas.
      </p>
    ) : (
      <>
        <p className={classes.dimmed}>
          O modelo escolhe as linhas pela identidade que o portal envia com o relatório:
        </p>
        <dl className={classes.identity}>
          <dt>Usuário</dt>
          <dd>
            <code>{identity.usuario}</code>
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
