import {
  ApiProblem,
  PORTAL_ZONE,
  recurrenceText,
  type Subscription,
  SubscriptionFrequency,
  type SubscriptionOptions,
  subscriptionEntity,
  subscriptionsApi,
} from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { refreshAfter } from '../../../lib/api/refresh-after.ts'
import { useFaultFocus } from '../../../lib/forms/use-fault-focus.ts'
import { useSubmission } from '../../../lib/forms/use-submission.ts'
import { useSession } from '../../../lib/session/session.ts'
import { savedViewsQuery } from '../../../reports/index.ts'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { FormAnswers } from '../../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { Form } from '../../../ui/form.tsx'
import { RecurrenceFields } from '../../../ui/recurrence/recurrence-fields.tsx'
import shared from '../../../ui/shared.module.css'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'
import classes from '../subscription.module.css'
import { subscriptionOptionsQuery } from '../subscription-queries.ts'
import { ContentFields } from './content-fields.tsx'
import { MailFields } from './mail-fields.tsx'
import { RecipientFields } from './recipient-fields.tsx'
import {
  draftOf,
  newValues,
  type PartProps,
  type ScreenContent,
  type SubscriptionValues,
  valuesOf,
} from './subscription-values.ts'

interface SubscriptionFormProps {
  idRelatorio: number
  nomeRelatorio: string
  isPaginated: boolean
  /** The subscription to change; undefined creates one. */
  subscription: Subscription | undefined
  /** What is on the screen; undefined outside of the viewer. */
  screen?: ScreenContent | undefined
  /** The parameters of a paginated report that a new subscription begins with, as 'name=value'. */
  parametros?: string[] | undefined
  onSaved: (saved: Subscription, isNew: boolean) => void
  onCancel: () => void
}

/** Creates or changes a subscription, once its options are loaded. */
export const SubscriptionForm = (props: SubscriptionFormProps) => {
  const options = useQuery({ ...subscriptionOptionsQuery(props.idRelatorio), staleTime: 0 })
  if (options.data && !options.isPlaceholderData) return <Fields {...props} options={options.data} />
  if (options.error)
    return (
      <ListFailure
        error={options.error}
        isFetching={options.isFetching}
        onRetry={() => void options.refetch()}
      />
    )
  return <SkeletonLines label="Carregando o formulário" />
}

const Fields = (props: SubscriptionFormProps & { options: SubscriptionOptions }) => {
  const { idRelatorio, nomeRelatorio, isPaginated, subscription: base, screen, options } = props
  const { parametros = [], onSaved, onCancel } = props
  const session = useSession()
  const client = useQueryClient()
  const isOwn = base === undefined || base.dono.idUsuario === session?.usuario_id
  const views = useQuery({ ...savedViewsQuery(idRelatorio), enabled: isOwn && !isPaginated })
  const [values, setValues] = useState(() =>
    base ? valuesOf(base) : newValues({ options, nomeRelatorio, screen, parametros }),
  )
  const [isSubmitted, setSubmitted] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  const { draft, faults: own } = draftOf(values, { base, screen })
  const saving = useSubmission(
    () => {
      if (!draft) throw new Error('O formulário tem campos por corrigir.')
      return base
        ? call(
            subscriptionsApi.update,
            { params: { id: base.idAssinatura }, body: draft },
            { ifMatch: base.versao },
          )
        : call(subscriptionsApi.create, { params: { id: idRelatorio }, body: draft })
    },
    (saved) => {
      refreshAfter(client, subscriptionEntity)
      onSaved(saved, base === undefined)
    },
  )
  const faults = { ...saving.faults, ...(isSubmitted ? own : {}) }
  const set = (changes: Partial<SubscriptionValues>) => {
    saving.forget()
    setValues((before) => ({ ...before, ...changes }))
  }
  const focusFault = useFaultFocus(element, saving.faults)

  const submit = () => {
    setSubmitted(true)
    if (Object.keys(own).length === 0) saving.submit()
    else focusFault()
  }
  const part: PartProps = { values, set, faults }
  return (
    <Form ref={element} onSubmit={submit} className={classes.form} autoComplete="off" aria-label="Assinatura">
      {options.impedimento && (
        <Alert color="yellow" title="Você não receberia este e-mail">
          {options.impedimento}
        </Alert>
      )}
      <ContentFields
        {...part}
        base={base}
        screen={screen}
        isPaginated={isPaginated}
        options={options}
        views={isOwn ? (views.data ?? []) : []}
      />
      <ScheduleFields {...part} options={options} />
      <MailFields {...part} options={options} />
      {session?.tipo === 'ADMIN' && (isOwn || base?.relatorio) && <RecipientFields {...part} />}
      <ErrorAlert error={saving.problem ?? unseenFault(faults)} />
      {saving.error instanceof ApiProblem && saving.error.status === 412 && (
        <p className={classes.hint}>Feche e abra de novo para ver o que está gravado agora.</p>
      )}
      <FormAnswers submit={base ? 'Salvar' : 'Assinar'} isPending={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}

/** Returns an error of what the form has no field for, such as selections that cannot be stored. */
const unseenFault = ({ marcador, filtros, pulaVazio, pulaInalterado }: Record<string, string>) =>
  marcador ?? filtros ?? pulaVazio ?? pulaInalterado

/** When the e-mails are sent. */
const ScheduleFields = ({ options, ...part }: PartProps & { options: SubscriptionOptions }) => {
  const { frequencia, fuso } = part.values
  const offered = SubscriptionFrequency.options.filter(
    (one) => one !== 'ATUALIZACAO' || options.sabeAtualizacao,
  )
  return (
    <fieldset className={classes.part}>
      <legend className={shared.heading}>Quando</legend>
      <div className={shared.columns}>
        <RecurrenceFields frequencies={offered} {...part} />
      </div>
      <p className={classes.sentence} role="status">
        {recurrenceText({ ...part.values, fuso: fuso?.value ?? PORTAL_ZONE })}.
        {(frequencia === 'DIAS_UTEIS' || frequencia === 'MENSAL') && ' Feriados contam como dias úteis.'}
      </p>
    </fieldset>
  )
}
