import type { Incident } from '@bi-manager/contract'
import { ApiProblem } from '@bi-manager/contract'
import { Modal, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { InstantField } from '../../ui/instant-field/instant-field.tsx'
import { instantOfTyped, typedOf } from '../../ui/instant-field/instant-text.ts'
import shared from '../../ui/shared.module.css'
import { refreshIncidents, saveIncident } from './data-protection-queries.ts'

export interface IncidentStep {
  incident: Incident
  field: 'comunicado_anpd_em' | 'comunicado_titulares_em' | 'encerrado_em'
}

const texts = {
  comunicado_anpd_em: { title: 'ANPD comunicada', when: 'Comunicada em', done: 'Marcar como comunicada' },
  comunicado_titulares_em: {
    title: 'Pessoas afetadas comunicadas',
    when: 'Comunicadas em',
    done: 'Marcar como comunicadas',
  },
  encerrado_em: { title: 'Encerrar o incidente', when: 'Encerrado em', done: 'Encerrar' },
}

interface IncidentStepDialogProps {
  marking: IncidentStep | undefined
  onClose: () => void
}

/** Saves the time of one step of an incident without its full form. */
export const IncidentStepDialog = ({ marking, onClose }: IncidentStepDialogProps) => (
  <Modal
    opened={marking !== undefined}
    onClose={onClose}
    title={marking && texts[marking.field].title}
    centered
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {marking && <MarkForm key={`${marking.incident.id} ${marking.field}`} {...marking} onClose={onClose} />}
  </Modal>
)

const MarkForm = ({ incident, field, onClose }: IncidentStep & { onClose: () => void }) => {
  const client = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(new Date(serverNow()).toISOString()))
  const [reason, setReason] = useState(incident.motivo_sem_comunicacao ?? '')
  const asksReason = field === 'encerrado_em' && !incident.exige_comunicacao
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () =>
      saveIncident(
        {
          ...incident,
          [field]: instantOfTyped(typed),
          ...(asksReason ? { motivo_sem_comunicacao: reason } : {}),
        },
        incident,
      ),
    gcTime: 0,
    // The next step needs this one's version: refetch before the dialog closes.
    onSuccess: async () => {
      await refreshIncidents(client)
      onClose()
    },
    // Another user has changed the incident: refetch it.
    onError: (failure) => failure instanceof ApiProblem && failure.status === 412 && refreshIncidents(client),
  })
  const faults = error instanceof ApiProblem ? error.campos : {}
  const isOfField = Object.keys(faults).some((name) => name === field || name === 'motivo_sem_comunicacao')
  return (
    <Form autoComplete="off" onSubmit={() => mutate()} className={shared.stackMd}>
      <Text size="sm">
        <strong>{incident.titulo}</strong>
      </Text>
      <InstantField
        label={texts[field].when}
        description="Dia e hora de Brasília."
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (error) reset()
        }}
        error={faults[field]}
      />
      {asksReason && (
        <Textarea
          label="Por que não se comunica"
          autosize
          minRows={3}
          maxLength={2_000}
          value={reason}
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value)
            if (error) reset()
          }}
          error={faults.motivo_sem_comunicacao}
        />
      )}
      {error && !isOfField && <ErrorAlert error={[messageOf(error), ...Object.values(faults)].join(' ')} />}
      <FormAnswers submit={texts[field].done} isPending={isPending} onCancel={onClose} />
    </Form>
  )
}
