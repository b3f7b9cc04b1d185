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
  /** What is wrong with the day that there is, such as its place in a period. */
  error?: string | undefined
  /** Hears whether the field tells of a day that there is not (31/02), for which the value is none. */
  onWrong?: (isWrong: boolean) => void
  isRequired?: boolean
  className?: string
}

/**
 * A day typed as dd/mm/aaaa, whatever language the browser speaks, or chosen in the browser's own calendar. Tells a day when it
 * is whole, and none when it is emptied or is no day that there is.
 */
export const DayField = (props: DayFieldProps) => {
  const { label, value, onChange, min, max, error, onWrong, isRequired = false, className } = props
  const calendar = useRef<HTMLInputElement>(null)
  /** What stands in the field while it is not the value: a day half typed, or none that there is. */
  const [draft, setDraft] = useState<string>()
  const typed = draft ?? textOfDay(value)
  const told = useRef(value)
  const tell = (day: string | undefined) => {
    told.current = day
    onChange(day)
  }
  // A value from outside takes the draft's place; what was told comes back as none for 31/02, which stays to be mended.
  useEffect(() => {
    if (value !== told.current) setDraft(undefined)
    told.current = value
  }, [value])
  const isWrong = isNoDay(typed)
  return (
    <div className={className ? `${classes.field} ${className}` : classes.field}>
      <TextInput
        label={label}
        required={isRequired}
        placeholder="dd/mm/aaaa"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        value={typed}
        error={isWrong ? 'Informe uma data válida.' : error}
        onChange={({ currentTarget }) => {
          const text = maskDay(currentTarget.value, typed)
          setDraft(text)
          if (isNoDay(text) !== isWrong) onWrong?.(!isWrong)
          const day = dayOfText(text)
          const isWhole = text === '' || text.length === 10
          // Not `value`: what was told last may still be on its way there.
          if (day !== told.current && isWhole) tell(day)
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
          if (isWrong) onWrong?.(false)
          tell(currentTarget.value || undefined)
        }}
      />
    </div>
  )
}

const isNoDay = (typed: string): boolean => typed.length === 10 && dayOfText(typed) === undefined
