import { Button, CloseButton, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { callFailureSentence } from '../problems/embed-problem.ts'
import classes from './filter-panel.module.css'
import {
  emptyPanelChoice,
  missingSentence,
  type PanelChoice,
  type PanelField,
  panelFields,
  without,
} from './panel-filters.ts'

interface FilterPanelProps {
  /** The filters in force. */
  choice: PanelChoice
  /** Applies a choice; returns the fields whose column the report lacks. */
  apply: (choice: PanelChoice) => Promise<PanelField[]>
  close: () => void
}

export const FilterPanel = ({ choice: inForce, apply, close }: FilterPanelProps) => {
  const [choice, setChoice] = useState(inForce)
  const [messages, setMessages] = useState<string[]>([])
  const first = useRef<HTMLSelectElement>(null)

  useEffect(() => first.current?.focus(), [])

  const { mutate, isPending } = useMutation({
    mutationFn: ({ wanted }: { wanted: PanelChoice; onDone: () => void }) => apply(wanted),
    networkMode: 'always',
    onMutate: () => setMessages(['Aplicando filtros…']),
    onSuccess: (missing, { wanted, onDone }) => {
      if (missing.length === 0) return onDone()
      setMessages(missing.map(missingSentence))
      setChoice(without(wanted, missing))
    },
    onError: (error) => setMessages([`Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`]),
  })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending) mutate({ wanted: choice, onDone: close })
  }

  const clear = () => {
    if (isPending) return
    setChoice(emptyPanelChoice)
    mutate({ wanted: emptyPanelChoice, onDone: () => setMessages(['Filtros removidos.']) })
  }

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }

  return (
    <form
      className={classes.panel}
      aria-label="Filtrar Relatórios"
      onSubmit={submit}
      onKeyDown={closeOnEscape}
    >
      <div className={classes.header}>
        <h2 className={classes.title}>Filtrar Relatórios</h2>
        <CloseButton aria-label="Fechar filtros" onClick={close} />
      </div>
      {panelFields.map(({ name, label, options }, index) => (
        <NativeSelect
          key={name}
          ref={index === 0 ? first : undefined}
          label={label}
          name={name}
          value={choice[name]}
          onChange={(event) => setChoice({ ...choice, [name]: event.currentTarget.value })}
          data={[
            { value: '', label: 'Selecione' },
            ...options.map((o) => ({ value: o.value, label: o.label })),
          ]}
        />
      ))}
      <div role="status" className={classes.messages}>
        {messages.length > 0 && (
          <ul>
            {messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      <div className={classes.buttons}>
        {/* `aria-disabled` instead of `disabled`, which would move the focus out of the panel. */}
        <Button type="button" variant="default" aria-disabled={isPending} onClick={clear}>
          Limpar
        </Button>
        <Button type="submit" aria-disabled={isPending}>
          Filtrar
        </Button>
      </div>
    </form>
  )
}
