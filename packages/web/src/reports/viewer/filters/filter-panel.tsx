import { ownValue } from '@bi-manager/contract'
import { Box, CloseButton, Group, NativeSelect } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useExclusiveMutation } from '../../../lib/api/use-exclusive-mutation.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Form } from '../../../ui/form.tsx'
import shared from '../../../ui/shared.module.css'
import { callFailureSentence } from '../problems/embed-problem.ts'
import classes from './filter-panel.module.css'
import {
  emptyPanelChoice,
  missingSentence,
  type NamedField,
  type PanelChoice,
  type PanelField,
  without,
} from './panel-filters.ts'

interface FilterPanelProps {
  fields: readonly PanelField[]
  /** The filters in force. */
  choice: PanelChoice
  /** Applies a choice; returns the fields whose column the report lacks. */
  apply: (choice: PanelChoice) => Promise<NamedField[]>
  close: () => void
}

export const FilterPanel = ({ fields, choice: inForce, apply, close }: FilterPanelProps) => {
  const [choice, setChoice] = useState(inForce)
  const [messages, setMessages] = useState<string[]>([])
  const first = useRef<HTMLSelectElement>(null)

  useEffect(() => first.current?.focus(), [])

  const { mutate, isPending } = useExclusiveMutation({
    mutationFn: ({ wanted }: { wanted: PanelChoice; onDone: () => void }) => apply(wanted),
    onMutate: () => setMessages(['Aplicando filtros…']),
    onSuccess: (missing, { wanted, onDone }) => {
      if (missing.length === 0) return onDone()
      setMessages(missing.map(missingSentence))
      setChoice(without(wanted, missing))
    },
    onError: (error) => setMessages([`Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`]),
  })

  const clear = () => {
    if (isPending) return
    setChoice(emptyPanelChoice)
    mutate({ wanted: emptyPanelChoice, onDone: () => setMessages(['Filtros removidos.']) })
  }

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }

  return (
    <Form
      className={`${shared.screenOnly} ${classes.panel}`}
      aria-label="Filtrar Relatórios"
      onSubmit={() => mutate({ wanted: choice, onDone: close })}
      onKeyDown={closeOnEscape}
    >
      <div className={shared.spread}>
        <h2 className={shared.heading}>Filtrar Relatórios</h2>
        <CloseButton aria-label="Fechar filtros" onClick={close} />
      </div>
      {fields.map(({ nome, rotulo, opcoes }, index) => (
        <NativeSelect
          key={nome}
          ref={index === 0 ? first : undefined}
          label={rotulo}
          name={nome}
          value={ownValue(choice, nome) ?? ''}
          onChange={(event) => setChoice({ ...choice, [nome]: event.currentTarget.value })}
          data={[
            { value: '', label: 'Selecione' },
            ...opcoes.map((option) => ({ value: option.valor, label: option.rotulo })),
          ]}
        />
      ))}
      <div role="status">
        {messages.length > 0 && (
          <Box component="ul" fz="xs">
            {messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </Box>
        )}
      </div>
      <Group grow gap="sm" mt={4}>
        {/* `aria-disabled` instead of `disabled`, which would move the focus out of the panel. */}
        <ActionButton label="Limpar" aria-disabled={isPending} onClick={clear} />
        <ActionButton isMain label="Filtrar" type="submit" aria-disabled={isPending} />
      </Group>
    </Form>
  )
}
