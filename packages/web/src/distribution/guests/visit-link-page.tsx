import { ApiProblem, guestVisitsApi, VISIT_PATHS } from '@bi-manager/contract'
import { IconLinkOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { AccountCard, ResultMessage, useLinkToken, WithoutLink } from '../../accounts/index.ts'
import { callerOf } from '../../lib/api/bearer-call.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { startVisit } from '../../lib/session/visit.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

const call = callerOf()

/**
 * '/visita/entrar', the target of the link that a guest asked for. Opening it uses nothing: programs
 * that read e-mails open links, too. The button does.
 */
export const VisitLinkPage = () => {
  // Read before the token's hook clears the address.
  const [convite] = useState(() => new URLSearchParams(window.location.search).get('convite'))
  const { token, forget } = useLinkToken()
  const navigate = useNavigate()
  const entering = useSubmission(
    () => call(guestVisitsApi.open, { body: { token: token ?? '' } }),
    ({ credencial }) => {
      startVisit(credencial)
      forget()
      void navigate(VISIT_PATHS.report, { replace: true })
    },
  )
  const isDead = entering.error instanceof ApiProblem && entering.error.codigo === 'link_invalido'
  if (isDead)
    return (
      <ResultMessage
        icon={IconLinkOff}
        title="Link vencido"
        heading="Este link não vale mais"
        actions={
          convite && (
            <ActionButton
              isMain
              label="Pedir outro link"
              to={`${VISIT_PATHS.invitation}?convite=${encodeURIComponent(convite)}`}
            />
          )
        }
      >
        Ele já foi usado, venceu ou o convite terminou. Cada link vale por 15 minutos e uma só vez
        {convite ? '.' : ': para pedir outro, abra de novo a página do convite, pelo primeiro e-mail.'}
      </ResultMessage>
    )
  if (token === undefined)
    return <WithoutLink>Esta página só abre pelo link do e-mail que você pediu.</WithoutLink>
  return (
    <AccountCard
      title="Abrir o relatório"
      lead="A visita dura até oito horas, nesta aba do navegador, ou até você sair. O link só pode ser usado uma vez."
      back="Tenho uma conta no portal"
    >
      <ErrorAlert error={entering.problem} mb="md" />
      <Button size="md" fullWidth mt="lg" loading={entering.isPending} onClick={entering.submit}>
        Abrir o relatório
      </Button>
    </AccountCard>
  )
}
