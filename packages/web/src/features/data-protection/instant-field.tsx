import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DayField } from '../../ui/day-field/day-field.tsx'
import shared from '../../ui/shared.module.css'
import classes from './data-protection.module.css'
import { dayOfTyped, maskTime, timeOfTyped, typedFrom, typedOf } from './instant-text.ts'

interface InstantFieldProps {
  label: string
  description?: string
  name?: string
  required?: boolean
  /** In the format of instant-text.ts. */
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}

/** Fields for a day and a time of Brasília, with 'Agora'. */
export const InstantField = (props: InstantFieldProps) => {
  const { label, description, name, required, value, onChange, error } = props
  const [isBlank] = useState(value === '')
  const day = dayOfTyped(value)
  const time = timeOfTyped(value)
  return (
    <fieldset className={classes.instant}>
      <legend className={classes.instantLegend}>
        {label}
        {required && (
          <span className={classes.required} aria-hidden>
            {' '}
            *
          </span>
        )}
      </legend>
      {description && <p className={shared.smallNote}>{description}</p>}
      <div className={classes.instantFields}>
        <DayField
          label={`${label}: dia`}
          isRequired={required ?? false}
          value={day}
          onChange={(next) => onChange(typedFrom(next, time))}
          error={error}
          className={classes.instantDay}
        />
        <TextInput
          aria-label={`${label}: hora`}
          required={required ?? false}
          name={name}
          placeholder="hh:mm"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          className={classes.instantTime}
          value={time}
          error={error !== undefined}
          onChange={({ currentTarget }) => onChange(typedFrom(day, maskTime(currentTarget.value, time)))}
        />
        {isBlank && (
          <Button
            variant="default"
            className={classes.instantNow}
            aria-label={`${label}: agora`}
            onClick={() => onChange(typedOf(new Date().toISOString()))}
          >
            Agora
          </Button>
        )}
      </div>
    </fieldset>
  )
}
