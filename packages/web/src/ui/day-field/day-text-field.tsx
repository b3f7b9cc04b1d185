import { TextInput, type TextInputProps } from '@mantine/core'
import { maskDay, wholeDay } from './day-text.ts'

interface DayTextFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** 'dd/mm/aaaa', or the part that is typed. */
  value: string
  onChange: (typed: string) => void
}

/**
 * A field for a day whose form reads its text, also an incomplete one. Leaving the field and Enter
 * write the zeros of a day and a month of one digit.
 */
export const DayTextField = ({ value, onChange, ...props }: DayTextFieldProps) => {
  const complete = () => {
    if (wholeDay(value) !== value) onChange(wholeDay(value))
  }
  return (
    <TextInput
      placeholder="dd/mm/aaaa"
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      {...props}
      value={value}
      onChange={({ currentTarget }) => onChange(maskDay(currentTarget.value, value))}
      onBlur={complete}
      // The form is sent without a blur.
      onKeyDown={({ key }) => key === 'Enter' && complete()}
    />
  )
}
