import {
  PORTAL_ZONE,
  recurrenceText,
  type Subscription,
  SubscriptionFrequency,
  type SubscriptionOptions,
  subscriptionsApi,
} from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api/api.ts'
import { useSession } from '../../../lib/session/session.ts'
import { savedViewsQuery } from '../../../reports/index.ts'
import { RecurrenceFields } from '../../../ui/recurrence/recurrence-fields.tsx'
import shared from '../../../ui/shared.module.css'
import classes from '../../deliveries/delivery.module.css'
import { DeliveryForm, FormPart, useDeliveryForm } from '../../deliveries/delivery-form.tsx'
import { QueryContent } from '../../deliveries/own-deliveries.tsx'
import { subscriptionKind } from '../subscription-kind.ts'
import { subscriptionOptionsQuery } from '../subscription-queries.ts'
import { ContentFields } from './content-fields.tsx'
import { MailFields } from './mail-fields.tsx'
import { RecipientFields } from './recipient-fields.tsx'
import { draftOf, newValues, type PartProps, type ScreenContent, valuesOf } from './subscription-values.ts'

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
  onSaved: (saved: Subscription) => void
  onCancel: () => void
}

/** Creates or changes a subscription, once its options are loaded. */
export const SubscriptionForm = (props: SubscriptionFormProps) => {
  const query = useQuery({ ...subscriptionOptionsQuery(props.idRelatorio), staleTime: 0 })
  return (
    <QueryContent query={query} label="Carregando o formulário">
      {(options) => <Fields {...props} options={options} />}
    </QueryContent>
  )
}

const Fields = (props: SubscriptionFormProps & { options: SubscriptionOptions }) => {
  const { idRelatorio, nomeRelatorio, isPaginated, subscription: base, screen, options } = props
  const { parametros = [], onSaved, onCancel } = props
  const session = useSession()
  const isOwn = base === undefined || base.dono.idUsuario === session?.usuario_id
  const views = useQuery({ ...savedViewsQuery(idRelatorio), enabled: isOwn && !isPaginated })
  const form = useDeliveryForm({
    kind: subscriptionKind,
    initial: () => (base ? valuesOf(base) : newValues({ options, nomeRelatorio, screen, parametros })),
    draftOf: (values) => draftOf(values, { base, screen }),
    save: (body) =>
      base
        ? call(subscriptionsApi.update, { params: { id: base.idAssinatura }, body }, { ifMatch: base.versao })
        : call(subscriptionsApi.create, { params: { id: idRelatorio }, body }),
    onSaved,
  })
  const { part } = form
  return (
    <DeliveryForm
      form={form}
      submit={base ? 'Salvar' : 'Assinar'}
      problem={unseenFault(part.faults)}
      onCancel={onCancel}
    >
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
    </DeliveryForm>
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
    <FormPart title="Quando">
      <div className={shared.columns}>
        <RecurrenceFields frequencies={offered} {...part} />
      </div>
      <p className={classes.sentence} role="status">
        {recurrenceText({ ...part.values, fuso: fuso?.value ?? PORTAL_ZONE })}.
        {(frequencia === 'DIAS_UTEIS' || frequencia === 'MENSAL') && ' Feriados contam como dias úteis.'}
      </p>
    </FormPart>
  )
}
