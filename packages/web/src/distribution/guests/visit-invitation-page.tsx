import { guestVisitsApi } from '@bi-manager/contract'
import { IconMailForward } from '@tabler/icons-react'
import { useState } from 'react'
import { AccountCard, LateMail, ResultMessage, WithoutLink } from '../../accounts/index.ts'
import { callerOf } from '../../lib/api/bearer-call.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

const call = callerOf()

/** '/visita', the address of a guest's invitation: sends the link of a visit to the guest's e-mail. */
export const VisitInvitationPage = () => {
  const [convite] = useState(() => new URLSearchParams(window.location.search).get('convite'))
  return convite ? (
    <Invitation convite={convite} />
  ) : (
    <WithoutLink>Esta página só abre pelo botão do e-mail que convidou você.</WithoutLink>
  )
}

const Invitation = ({ convite }: { convite: string }) => {
  const [sent, setSent] = useState<string>()
  const asking = useSubmission(
    () => call(guestVisitsApi.askLink, { body: { convite } }),
    ({ mensagem }) => setSent(mensagem),
  )
  if (sent)
    return (
      <ResultMessage
        icon={IconMailForward}
        title="Confira seu e-mail"
        heading="Confira seu e-mail"
        actions={
          <Button variant="default" onClick={() => setSent(undefined)}>
            Pedir outro link
          </Button>
        }
      >
        {sent} Se ele não chegar, veja no lixo eletrônico ou fale com quem convidou você.
        <LateMail />
      </ResultMessage>
    )
  return (
    <AccountCard
      title="Ver o relatório"
      lead="Você foi convidado a ver um relatório. A cada visita, enviamos ao e-mail que recebeu o convite um link que abre o relatório. Você não precisa de conta nem de senha."
      back="Tenho uma conta no portal"
    >
      <ErrorAlert error={asking.problem} mb="md" />
      <Button size="md" fullWidth mt="lg" loading={asking.isPending} onClick={asking.submit}>
        Enviar o link ao meu e-mail
      </Button>
    </AccountCard>
  )
}
