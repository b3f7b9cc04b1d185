import { FILTRO_EXAMPLE } from '@bi-manager/contract'
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

/** The message pushes down what is below it: 'Gravar' must not move away under the click that left the field. */
const CLICK_MS = 250
/** A fault is told after this pause, or on leaving the field: half a filter is no mistake yet. */
const PAUSE_MS = 800

/** 'Filtro', judged by the parser that the server uses. */
export const FilterField = ({ value, error, ...field }: FilterFieldProps) => {
  const [paused] = useDebouncedValue(value, PAUSE_MS)
  const [left, setLeft] = useState(value)
  const { fault, targets } = checkFilter(value)
  const isSettled = paused === value || left === value
  return (
    <div>
      <Textarea
        label={
          <>
            Filtro <span className={classes.optional}>(opcional)</span>
          </>
        }
        description={
          <>
            Sempre aplicado ao abrir o relatório. Exemplo:{' '}
            <code className={classes.code}>{FILTRO_EXAMPLE}</code>
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

/** Enter saves, as in every field; Shift+Enter breaks the line. */
const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
