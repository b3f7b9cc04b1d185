import { ActionIcon, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './day-field.module.css'
import { dayOfText, maskDay, textOfDay } from './day-text.ts'

interface DayFieldProps {
  label: string
  /** yyyy-mm-dd; undefined for none. */
  value: string | undefined
  onChange: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
  className?: string
}

/**
 * A day typed as dd/mm/aaaa, whatever language the browser speaks, or chosen in the browser's own calendar. Tells a day when it
 * is whole, and none when it is emptied.
 */
export const DayField = ({ label, value, onChange, min, max, className }: DayFieldProps) => {
  const calendar = useRef<HTMLInputElement>(null)
  /** What stands in the field while it is not the value: a day half typed, or none that there is. */
  const [draft, setDraft] = useState<string>()
  const typed = draft ?? textOfDay(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value, wherever it comes from, takes the draft's place
  useEffect(() => setDraft(undefined), [value])
  const isWrong = typed.length === 10 && dayOfText(typed) === undefined
  return (
    <div className={className ? `${classes.field} ${className}` : classes.field}>
      <TextInput
        label={label}
        placeholder="dd/mm/aaaa"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        value={typed}
        error={isWrong ? 'Informe uma data válida.' : undefined}
        onChange={({ currentTarget }) => {
          const text = maskDay(currentTarget.value, typed)
          setDraft(text)
          const day = dayOfText(text)
          if (day !== value && (day || text === '')) onChange(day)
        }}
        // A day half typed is none: the field goes back to what holds.
        onBlur={() => !isWrong && setDraft(undefined)}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Abrir calendário: ${label}`}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden
        value={value ?? ''}
        min={min}
        max={max}
        onChange={({ currentTarget }) => {
          setDraft(undefined)
          onChange(currentTarget.value || undefined)
        }}
      />
    </div>
  )
}
