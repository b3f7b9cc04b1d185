import {
  AlertFrequency,
  type AlertOptions,
  type AlertSource,
  ApiProblem,
  alertsApi,
  type Alert as ReportAlert,
} from '@bi-manager/contract'
import { Alert, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useFaultFocus } from '../../lib/forms/use-fault-focus.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RecurrenceFields } from '../../ui/recurrence/recurrence-fields.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from '../subscriptions/subscription.module.css'
import { alertOptionsQuery, refreshAlerts } from './alert-queries.ts'
import {
  type AlertScreen,
  type AlertValues,
  draftOf,
  newValues,
  type PartProps,
  valuesOf,
} from './alert-values.ts'
import { ChannelFields } from './channel-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { QueryField } from './query-field.tsx'
import { SourceFields } from './source-fields.tsx'

/** What the server stored, with the secret of a new webhook. */
export interface SavedAlert {
  alert: ReportAlert
  segredo: string | null
  isNew: boolean
}

interface AlertFormProps {
  idRelatorio: number
  /** The alert to change; undefined creates one. */
  alert: ReportAlert | undefined
  /** What is on the screen; undefined outside of the viewer. */
  screen?: AlertScreen | undefined
  onSaved: (saved: SavedAlert) => void
  onCancel: () => void
}

/** Creates or changes an alert, once it is known what it may be. */
export const AlertForm = (props: AlertFormProps) => {
  const { data, error, isFetching, refetch } = useQuery({
    ...alertOptionsQuery(props.idRelatorio),
    staleTime: 0,
  })
  if (data?.origem) return <Fields {...props} options={data} origem={data.origem} />
  if (data) return <Alert color="yellow">{data.impedimento}</Alert>
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return <SkeletonLines label="Carregando o formulário" />
}

const Fields = (props: AlertFormProps & { options: AlertOptions; origem: AlertSource }) => {
  const { idRelatorio, alert: base, screen, options, origem, onSaved, onCancel } = props
  const client = useQueryClient()
  const [values, setValues] = useState<AlertValues>(() =>
    base ? valuesOf(base) : newValues(screen ?? { pagina: null, filtros: {} }),
  )
  /** The format of the chosen column, and the name that its visual suggests. */
  const [chosen, setChosen] = useState({ formato: base?.formato ?? null, nome: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  const nomeAlerta = values.nomeAlerta || (base ? '' : chosen.nome)
  const { draft, faults: own } = draftOf({ ...values, nomeAlerta }, { base, origem, formato: chosen.formato })
  const saving = useSubmission(
    () => {
      if (!draft) throw new Error('O formulário tem campos por corrigir.')
      return base
        ? call(alertsApi.update, { params: { id: base.idAlerta }, body: draft }, { ifMatch: base.versao })
        : call(alertsApi.create, { params: { id: idRelatorio }, body: draft })
    },
    ({ alerta, segredo }) => {
      refreshAlerts(client)
      onSaved({ alert: alerta, segredo, isNew: base === undefined })
    },
  )
  const faults = { ...saving.faults, ...(isSubmitted ? own : {}) }
  const set = (changes: Partial<AlertValues>) => {
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
    <Form ref={element} onSubmit={submit} className={classes.form} autoComplete="off" aria-label="Alerta">
      {origem === 'DAX' ? (
        <QueryField {...part} idRelatorio={idRelatorio} />
      ) : (
        <SourceFields {...part} idRelatorio={idRelatorio} onChosen={setChosen} />
      )}
      <ConditionFields {...part} formato={chosen.formato} />
      <fieldset className={classes.part}>
        <legend className={shared.heading}>Quando avaliar</legend>
        <div className={shared.columns}>
          <RecurrenceFields frequencies={AlertFrequency.options} {...part} />
        </div>
      </fieldset>
      <ChannelFields {...part} options={options} />
      <TextInput
        label="Nome do alerta"
        name="nomeAlerta"
        maxLength={120}
        placeholder={base ? undefined : chosen.nome}
        value={values.nomeAlerta}
        error={faults.nomeAlerta}
        onChange={({ currentTarget: { value } }) => set({ nomeAlerta: value })}
      />
      <ErrorAlert error={saving.problem ?? faults.origem ?? faults.filtros} />
      {saving.error instanceof ApiProblem && saving.error.status === 412 && (
        <p className={classes.hint}>Feche e abra de novo para ver o que está gravado agora.</p>
      )}
      <FormAnswers
        submit={base ? 'Salvar' : 'Criar alerta'}
        isPending={saving.isPending}
        onCancel={onCancel}
      />
    </Form>
  )
}
