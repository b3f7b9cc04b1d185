import { Button, Group, Input } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { DayField } from '../day-field/day-field.tsx'
import shared from '../shared.module.css'
import classes from './instant-field.module.css'
import { dayOfTyped, timeOfTyped, typedFrom, typedOf } from './instant-text.ts'
import { TimeField } from './time-field.tsx'

interface InstantFieldProps {
  label: string
  description?: string
  name?: string
  required?: boolean
  /** A text in the format of instant-text.ts. */
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
    <fieldset>
      <legend>
        <Input.Label labelElement="div" required={required ?? false}>
          {label}
        </Input.Label>
      </legend>
      {description && <p className={shared.smallNote}>{description}</p>}
      <Group gap="0.5rem" align="flex-start" wrap="nowrap" mt="0.25rem">
        <DayField
          label={`${label}: dia`}
          isLabelHidden
          isRequired={required ?? false}
          value={day}
          onChange={(next) => onChange(typedFrom(next, time))}
          error={error}
          className={classes.day}
        />
        <TimeField
          aria-label={`${label}: hora`}
          required={required ?? false}
          name={name}
          flex="0 0 5.125rem"
          value={time}
          error={error !== undefined}
          onChange={(typed) => onChange(typedFrom(day, typed))}
        />
        {isBlank && (
          <Button
            variant="default"
            flex="none"
            px="0.625rem"
            aria-label={`${label}: agora`}
            onClick={() => onChange(typedOf(new Date(serverNow()).toISOString()))}
          >
            Agora
          </Button>
        )}
      </Group>
    </fieldset>
  )
}
