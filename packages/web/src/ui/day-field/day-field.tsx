import { ActionIcon, Box, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { OptionalLabel } from '../fields/optional-label.tsx'
import classes from './day-field.module.css'
import { dayOfText, maskDay, textOfDay, wholeDay } from './day-text.ts'

interface DayFieldProps {
  label: string
  /** yyyy-mm-dd; undefined for none. */
  value: string | undefined
  onChange: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
  /** Error about a valid day, such as its position in a period. */
  error?: string | undefined
  /** Called when the field starts or stops holding an impossible day (31/02). */
  onWrong?: (isWrong: boolean) => void
  isRequired?: boolean
  /** Says so next to the label. */
  isOptional?: boolean
  /** The label is for screen readers only. */
  isLabelHidden?: boolean
  className?: string
}

/**
 * A date field: typed as dd/mm/aaaa regardless of the browser's locale, or picked in the browser's
 * calendar. Emits a complete day; emits undefined when cleared or when the day does not exist.
 */
export const DayField = (props: DayFieldProps) => {
  const { label, value, onChange, min, max, error, onWrong, isRequired = false, className } = props
  const { isLabelHidden = false, isOptional = false } = props
  const shownLabel = isOptional ? <OptionalLabel>{label}</OptionalLabel> : label
  const calendar = useRef<HTMLInputElement>(null)
  /** The field's text while it is not the value: an incomplete or impossible day. */
  const [draft, setDraft] = useState<string>()
  const typed = draft ?? textOfDay(value)
  const emitted = useRef(value)
  const emit = (day: string | undefined) => {
    emitted.current = day
    onChange(day)
  }
  // A value set from outside replaces the draft. For 31/02 undefined was emitted: its text is kept.
  useEffect(() => {
    if (value !== emitted.current) setDraft(undefined)
    emitted.current = value
  }, [value])
  const isWrong = isNoDay(typed)
  const type = (text: string) => {
    setDraft(text)
    if (isNoDay(text) !== isWrong) onWrong?.(!isWrong)
    const day = dayOfText(text)
    const isWhole = text === '' || text.length === 10
    // Compares with the last emitted day: `value` may not have rendered yet.
    if (day !== emitted.current && isWhole) emit(day)
  }
  const whole = wholeDay(typed)
  const complete = () => {
    if (whole !== typed) type(whole)
  }
  return (
    <Box pos="relative" className={className}>
      <TextInput
        label={isLabelHidden ? undefined : shownLabel}
        aria-label={isLabelHidden ? label : undefined}
        required={isRequired}
        placeholder="dd/mm/aaaa"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        value={typed}
        error={isWrong ? 'Informe uma data válida.' : error}
        onChange={({ currentTarget }) => type(maskDay(currentTarget.value, typed))}
        onBlur={() => {
          complete()
          // An incomplete day is discarded: the field returns to the current value.
          if (!isNoDay(whole)) setDraft(undefined)
        }}
        // The form is sent without a blur.
        onKeyDown={({ key }) => key === 'Enter' && complete()}
        rightSection={
          <ActionIcon
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
          emit(currentTarget.value || undefined)
        }}
      />
    </Box>
  )
}

const isNoDay = (typed: string): boolean => typed.length === 10 && dayOfText(typed) === undefined
