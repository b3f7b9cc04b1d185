import { accountsApi } from '@bi-manager/contract'
import { Alert, Anchor } from '@mantine/core'
import { type Icon, IconCircleCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { Form } from '../../ui/form.tsx'
import classes from './account-card.module.css'
import { AccountCard } from './account-card.tsx'
import { LinkPage, type LinkUse, toSignIn, useLinkSubmission, WithoutLink } from './link-page.tsx'
import { ResultMessage } from './result-message.tsx'

interface Outcome {
  icon: Icon
  heading: string
  children: string
}

/**
 * The target of the confirmation link. Opening it changes nothing: mail scanners open links, too.
 */
export const ConfirmEmailPage = () => {
  const [outcome, setOutcome] = useState<Outcome>()
  return (
    <LinkPage
      withoutLink={<WithoutLink>Esta página só abre pelo link de confirmação que você recebeu.</WithoutLink>}
      deadText="O link já foi usado, venceu ou foi trocado por um mais novo, ou um administrador já decidiu o pedido. Para receber outro, peça a conta de novo. Se você já tem um pedido e não conhece a senha dele, use “Recuperar senha” na tela de entrada."
      done={() =>
        outcome && <ResultMessage title={outcome.heading.replace('!', '')} {...outcome} actions={toSignIn} />
      }
    >
      {({ onDone, ...use }) => (
        <Question
          {...use}
          onOutcome={(reached) => {
            setOutcome(reached)
            onDone()
          }}
        />
      )}
    </LinkPage>
  )
}

interface QuestionProps extends Omit<LinkUse, 'onDone'> {
  onOutcome: (outcome: Outcome) => void
}

const Question = ({ token, link, onOutcome, onDead }: QuestionProps) => {
  const { nomeUsuario, emailUsuario, aguardaAprovacao, pedeSenha, provedor } = link
  const [password, setPassword] = useState('')
  const confirming = useLinkSubmission(
    () => call(accountsApi.confirmEmail, { body: { token, ...(pedeSenha ? { password } : {}) } }),
    ({ mensagem }) => onOutcome({ icon: IconCircleCheck, heading: 'E-mail confirmado!', children: mensagem }),
    onDead,
  )
  const disowning = useLinkSubmission(
    () => call(accountsApi.disownRequest, { body: { token } }),
    () => onOutcome({ icon: IconTrash, heading: 'Pedido descartado', children: disowned }),
    onDead,
  )
  const problem = confirming.problem ?? disowning.problem
  return (
    <AccountCard
      title="Confirmar e-mail"
      lead={
        <>
          <strong>{nomeUsuario}</strong> pediu uma conta no BI Manager com o e-mail{' '}
          <strong>{emailUsuario}</strong>.
        </>
      }
      back="Ir para a entrada"
    >
      <p className={classes.lead}>
        Confirme só se foi você quem pediu: depois de confirmada
        {aguardaAprovacao ? ' e aprovada por um administrador' : ''}, a conta mostra os dados que são seus. Se
        não foi você, quem pediu passaria a vê-los no seu lugar.
      </p>
      {provedor !== null && (
        <Alert color="yellow" mt="md">
          A conta foi pedida em “Entrar com {provedor}”, com o nome <strong>{nomeUsuario}</strong>. Quem
          entrou lá abrirá a conta. Não confirme se não foi você, ou se o nome não é o seu.
        </Alert>
      )}
      <Form onSubmit={confirming.submit} className={classes.form}>
        {pedeSenha && (
          <div>
            {/* Tells password managers which account the password belongs to. */}
            <input type="text" name="username" autoComplete="username" value={emailUsuario} readOnly hidden />
            <SecretField
              label="Senha que você escolheu no cadastro"
              name="password"
              autoComplete="current-password"
              maxLength={1024}
              value={password}
              onChange={(typed) => {
                confirming.forget()
                setPassword(typed ?? '')
              }}
              error={confirming.faults.password}
            />
            <Anchor component={Link} to="/recovery-password" size="sm" py={4}>
              Não lembro ou não escolhi esta senha: recuperar senha
            </Anchor>
          </div>
        )}
        <ErrorAlert error={problem} />
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={confirming.isPending}
          disabled={disowning.isPending || (pedeSenha && password === '')}
        >
          Fui eu: confirmar meu e-mail
        </Button>
        {aguardaAprovacao && (
          <Button
            size="md"
            fullWidth
            variant="default"
            loading={disowning.isPending}
            disabled={confirming.isPending}
            onClick={disowning.submit}
          >
            Não fui eu: descartar o pedido
          </Button>
        )}
      </Form>
    </AccountCard>
  )
}

const disowned = 'O pedido de conta foi excluído. Ninguém entra no portal com ele, e o seu e-mail está livre.'
