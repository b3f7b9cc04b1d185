import { receivedSubscriptionsApi, type UnsubscribePage as UnsubscribeData } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AccountCard,
  isRefusal,
  LinkUnchecked,
  ResultMessage,
  useLinkToken,
  WithoutLink,
} from '../../../accounts/index.ts'
import classes from '../../../accounts/links/account-card.module.css'
import { call } from '../../../lib/api/api.ts'
import { useSubmission } from '../../../lib/forms/use-submission.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import shared from '../../../ui/shared.module.css'

/**
 * '/cancelar-assinatura', the target of the link in each e-mail of a subscription. Opening it
 * changes nothing: mail scanners open links, too. The link is valid for a second use.
 */
export const UnsubscribePage = () => {
  const { token } = useLinkToken()
  if (token === undefined)
    return <WithoutLink>Esta página só abre pelo link no fim do e-mail que você recebeu.</WithoutLink>
  return <Loaded token={token} />
}

const Loaded = ({ token }: { token: string }) => {
  const { data, error, isFetching, refetch } = useQuery(pageQuery(token))
  const [hasLeft, setLeft] = useState(false)
  if (data && (hasLeft || data.saiu)) return <Left page={data} isNew={hasLeft} />
  if (data) return <Question token={token} page={data} onLeft={() => setLeft(true)} />
  if (isRefusal(error))
    return (
      <ResultMessage icon={IconLinkOff} heading="Este link não é válido" actions={toAccount}>
        Ele pode ter sido cortado pelo programa de e-mail. Entre no portal e abra “Assinaturas”, na sua conta,
        para deixar de receber.
      </ResultMessage>
    )
  if (error && !isFetching) return <LinkUnchecked error={error} retry={() => void refetch()} />
  return (
    <div className={classes.page} role="status" aria-label="Conferindo o link">
      <div className={`${shared.surface} ${classes.card}`}>
        <Skeleton height={28} width="60%" />
        <Skeleton height={60} mt="lg" />
        <Skeleton height={42} mt="lg" />
      </div>
    </div>
  )
}

const toAccount = <ActionButton isMain label="Entrar no portal" to="/" />

const nameOf = ({ assunto }: UnsubscribeData) => (assunto ? <strong>{assunto}</strong> : 'esta assinatura')

interface QuestionProps {
  token: string
  page: UnsubscribeData
  onLeft: () => void
}

const Question = ({ token, page, onLeft }: QuestionProps) => {
  const leaving = useSubmission(
    () => call(receivedSubscriptionsApi.unsubscribe, { query: { token } }),
    onLeft,
  )
  return (
    <AccountCard
      title="Cancelar assinatura"
      lead={
        <>
          {page.email} não vai mais receber {nameOf(page)} por e-mail. Se outras pessoas também recebem, nada
          muda para elas.
        </>
      }
      back="Ir para o portal"
    >
      <ErrorAlert error={leaving.problem} mb="md" />
      <Button size="md" fullWidth mt="lg" loading={leaving.isPending} onClick={leaving.submit}>
        Deixar de receber
      </Button>
    </AccountCard>
  )
}

const Left = ({ page, isNew }: { page: UnsubscribeData; isNew: boolean }) => (
  <ResultMessage
    icon={IconCircleCheck}
    title="Assinatura cancelada"
    heading={isNew ? 'Pronto: assinatura cancelada' : 'Esta assinatura já foi cancelada'}
    actions={toAccount}
  >
    {page.email} não recebe mais {nameOf(page)}. Para voltar a receber, entre no portal e abra “Assinaturas”,
    na sua conta.
  </ResultMessage>
)

const pageQuery = (token: string) =>
  queryOptions({
    queryKey: ['cancelamento', token],
    queryFn: ({ signal }) => call(receivedSubscriptionsApi.unsubscribePage, { query: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
