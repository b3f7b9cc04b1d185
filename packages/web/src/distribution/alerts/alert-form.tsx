import {
  AlertFrequency,
  type AlertOptions,
  type AlertSource,
  alertsApi,
  type Alert as ReportAlert,
  type SavedAlert,
} from '@bi-manager/contract'
import { Alert, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { RecurrenceFields } from '../../ui/recurrence/recurrence-fields.tsx'
import shared from '../../ui/shared.module.css'
import { DeliveryForm, FormPart, useDeliveryForm } from '../deliveries/delivery-form.tsx'
import { QueryContent } from '../deliveries/own-deliveries.tsx'
import { alertKind } from './alert-kind.ts'
import { alertOptionsQuery } from './alert-queries.ts'
import { type AlertScreen, type AlertValues, draftOf, newValues, valuesOf } from './alert-values.ts'
import { ChannelFields } from './channel-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { QueryField } from './query-field.tsx'
import { SourceFields } from './source-fields.tsx'

interface AlertFormProps {
  idRelatorio: number
  /** The alert to change; undefined creates one. */
  alert: ReportAlert | undefined
  /** What is on the screen; undefined outside of the viewer. */
  screen?: AlertScreen | undefined
  /** Called with what the server stored, and the secret of a new webhook. */
  onSaved: (saved: SavedAlert) => void
  onCancel: () => void
}

/** Creates or changes an alert, once it is known what it may be. */
export const AlertForm = (props: AlertFormProps) => {
  const query = useQuery({ ...alertOptionsQuery(props.idRelatorio), staleTime: 0 })
  return (
    <QueryContent query={query} label="Carregando o formulário">
      {(options) =>
        options.origem ? (
          <Fields {...props} options={options} origem={options.origem} />
        ) : (
          <Alert color="yellow">{options.impedimento}</Alert>
        )
      }
    </QueryContent>
  )
}

const Fields = (props: AlertFormProps & { options: AlertOptions; origem: AlertSource }) => {
  const { idRelatorio, alert: base, screen, options, origem, onSaved, onCancel } = props
  /** The format of the chosen column, and the name that its visual suggests. */
  const [chosen, setChosen] = useState({ formato: base?.formato ?? null, nome: '' })
  const form = useDeliveryForm({
    kind: alertKind,
    initial: (): AlertValues => (base ? valuesOf(base) : newValues(screen ?? { pagina: null, filtros: {} })),
    draftOf: (values) => {
      const nomeAlerta = values.nomeAlerta || (base ? '' : chosen.nome)
      return draftOf({ ...values, nomeAlerta }, { base, origem, formato: chosen.formato })
    },
    save: (body) =>
      base
        ? call(alertsApi.update, { params: { id: base.idAlerta }, body }, { ifMatch: base.versao })
        : call(alertsApi.create, { params: { id: idRelatorio }, body }),
    onSaved,
  })
  const { part } = form
  const { values, set, faults } = part
  return (
    <DeliveryForm
      form={form}
      submit={base ? 'Salvar' : 'Criar alerta'}
      problem={faults.origem ?? faults.filtros}
      onCancel={onCancel}
    >
      {origem === 'DAX' ? (
        <QueryField {...part} idRelatorio={idRelatorio} />
      ) : (
        <SourceFields {...part} idRelatorio={idRelatorio} onChosen={setChosen} />
      )}
      <ConditionFields {...part} formato={chosen.formato} />
      <FormPart title="Quando avaliar">
        <div className={shared.columns}>
          <RecurrenceFields frequencies={AlertFrequency.options} {...part} />
        </div>
      </FormPart>
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
    </DeliveryForm>
  )
}
