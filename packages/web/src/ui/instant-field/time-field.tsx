import { TextInput, type TextInputProps } from '@mantine/core'
import { maskTime, wholeTime } from './instant-text.ts'

export interface TimeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** 'hh:mm', or the part that is typed. */
  value: string
  onChange: (typed: string) => void
}

/**
 * A field for a time of 24 hours, whatever the browser's language. The digits are enough, so a
 * phone's keypad needs no colon. Leaving the field and Enter complete an hour alone.
 */
export const TimeField = ({ value, onChange, ...props }: TimeFieldProps) => {
  const complete = () => {
    if (wholeTime(value) !== value) onChange(wholeTime(value))
  }
  return (
    <TextInput
      placeholder="hh:mm"
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      {...props}
      value={value}
      onChange={({ currentTarget }) => onChange(maskTime(currentTarget.value, value))}
      onBlur={complete}
      // The form is sent without a blur.
      onKeyDown={({ key }) => key === 'Enter' && complete()}
    />
  )
}
