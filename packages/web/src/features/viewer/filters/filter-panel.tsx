import { Button, CloseButton, NativeSelect } from '@mantine/core'
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
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLSelectElement>(null)

  useEffect(() => first.current?.focus(), [])

  const send = async (wanted: PanelChoice, onDone: () => void) => {
    if (isBusy) return
    setBusy(true)
    setMessages(['Aplicando filtros…'])
    try {
      const missing = await apply(wanted)
      if (missing.length === 0) return onDone()
      setMessages(missing.map(missingSentence))
      setChoice(without(wanted, missing))
    } catch (error) {
      setMessages([`Os filtros não puderam ser aplicados. ${callFailureSentence(error)}`])
    } finally {
      setBusy(false)
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void send(choice, close)
  }

  const clear = () => {
    if (isBusy) return
    setChoice(emptyPanelChoice)
    void send(emptyPanelChoice, () => setMessages(['Filtros removidos.']))
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
        <Button type="button" variant="default" aria-disabled={isBusy} onClick={clear}>
          Limpar
        </Button>
        <Button type="submit" aria-disabled={isBusy}>
          Filtrar
        </Button>
      </div>
    </form>
  )
}
