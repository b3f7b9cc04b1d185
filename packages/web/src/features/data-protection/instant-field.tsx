import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DayField } from '../../ui/day-field.tsx'
import classes from './data-protection.module.css'
import { dayOfTyped, maskTime, timeOfTyped, typedFrom, typedOf } from './instant-text.ts'

interface InstantFieldProps {
  label: string
  description?: string
  name?: string
  /** As in instant-text.ts. */
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}

/** A day and an hour of Brasília, with 'Agora'. */
export const InstantField = ({ label, description, name, value, onChange, error }: InstantFieldProps) => {
  const [isBlank] = useState(value === '')
  const day = dayOfTyped(value)
  const time = timeOfTyped(value)
  return (
    <fieldset className={classes.instant}>
      <legend className={classes.instantLegend}>{label}</legend>
      {description && <p className={classes.instantHelp}>{description}</p>}
      <div className={classes.instantFields}>
        <DayField
          label={`${label}: dia`}
          value={day}
          onChange={(next) => onChange(typedFrom(next, time))}
          error={error}
          className={classes.instantDay}
        />
        <TextInput
          aria-label={`${label}: hora`}
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
