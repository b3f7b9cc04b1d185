import { AccountCard } from './account-card.tsx'
import { LinkPage, WithoutLink } from './link-page.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordSet } from './password-set.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'

/** The target of an invitation's link: sets the user's first password. */
export const InvitationPage = () => (
  <PasswordSignInOnly>
    <LinkPage
      withoutLink={
        <WithoutLink>
          Esta página só abre pelo link do convite que você recebeu. Se você já definiu a senha, é só entrar.
        </WithoutLink>
      }
      deadText="O convite já foi usado, venceu ou foi trocado por um mais novo. Se você já definiu a senha, é só entrar; se não, peça outro convite a um administrador."
      done={(link) => <PasswordSet link={link} />}
    >
      {(use) => (
        <AccountCard
          title={`Olá, ${use.link.nomeUsuario}!`}
          lead={
            <>
              Você recebeu um convite para o BI Manager. Defina a senha com que vai entrar como{' '}
              <strong>{use.link.emailUsuario}</strong>.
            </>
          }
          back="Voltar para a entrada"
        >
          <NewPasswordForm {...use} labels={['Senha', 'Confirmar senha']} button="Definir senha" />
        </AccountCard>
      )}
    </LinkPage>
  </PasswordSignInOnly>
)
