import { VisuallyHidden } from '@mantine/core'
import classes from './password-strength.module.css'
import { levels, strengthOf } from './strength-texts.ts'
import { UNAVAILABLE, useEstimate } from './use-estimate.ts'

interface PasswordStrengthProps {
  /** The field's content; null or empty shows nothing. */
  password: string | null
  /** An attacker guesses the person's name and e-mail first. */
  name?: string | undefined
  email?: string | undefined
}

/**
 * Shows how strong a new password is and how to improve it, directly under its field.
 * Advisory only: the server decides whether it accepts the password.
 */
export const PasswordStrength = ({ password, name = '', email = '' }: PasswordStrengthProps) => {
  const typed = password ?? ''
  const estimate = useEstimate(typed, `${name}\n${email}\nBI Manager`)
  const strength = estimate && estimate !== UNAVAILABLE ? strengthOf(typed, estimate) : undefined
  const reached = strength ? levels.indexOf(strength.level) : -1
  return (
    <div className={classes.strength} data-shown={typed !== '' || undefined}>
      {strength && (
        <div className={classes.bar} data-level={reached} aria-hidden>
          {levels.map((level, index) => (
            <span key={level} data-on={index <= reached || undefined} />
          ))}
        </div>
      )}
      <p className={classes.text} aria-live="polite">
        {strength && (
          <>
            <VisuallyHidden component="span">Força da senha: </VisuallyHidden>
            <strong>{strength.level}.</strong> {strength.text}
          </>
        )}
        {estimate === UNAVAILABLE && 'A força da senha não pôde ser avaliada agora; você pode continuar.'}
      </p>
    </div>
  )
}
