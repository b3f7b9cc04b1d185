import { FILTER_EXPRESSION_EXAMPLE } from '@bi-manager/contract'
import { Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ChangeEvent, type KeyboardEvent, useState } from 'react'
import { checkFilter } from './filter-check.ts'
import classes from './report-form.module.css'

interface FilterFieldProps {
  name: string
  value: string
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void
  error: string | undefined
}

/** Delays the message on blur: it moves 'Gravar' down, away from the click that left the field. */
const CLICK_MS = 250
/** An error is shown after this pause in typing, or on blur. */
const PAUSE_MS = 800

/** The field 'Filtro', checked with the server's parser. */
export const FilterField = ({ value, error, ...field }: FilterFieldProps) => {
  const [paused] = useDebouncedValue(value, PAUSE_MS)
  const [left, setLeft] = useState(value)
  const { fault, targets } = checkFilter(value)
  const isSettled = paused === value || left === value
  return (
    <div>
      <Textarea
        label="Filtro"
        description={
          <>
            Opcional. Sempre aplicado ao abrir o relatório. Exemplo:{' '}
            <code className={classes.code}>{FILTER_EXPRESSION_EXAMPLE}</code>
          </>
        }
        rows={1}
        maxLength={4000}
        spellCheck={false}
        autoCapitalize="none"
        classNames={{ input: classes.filter ?? '' }}
        value={value}
        error={error ?? (isSettled ? fault : undefined)}
        onBlur={() => setTimeout(() => setLeft(value), CLICK_MS)}
        onKeyDown={submitOnEnter}
        {...field}
      />
      <p role="status" className={classes.valid}>
        {targets.length > 0 && `Filtro válido, sobre ${targets.join(' e ')}.`}
      </p>
    </div>
  )
}

/** Submits on Enter, as in other fields; Shift+Enter inserts a line break. */
const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
