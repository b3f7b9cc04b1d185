import { VisuallyHidden } from '@mantine/core'
import classes from './password-strength.module.css'
import { levels, strengthOf } from './strength-texts.ts'
import { UNAVAILABLE, useEstimate } from './use-estimate.ts'

interface PasswordStrengthProps {
  /** As it stands in the field; null or empty shows nothing. */
  password: string | null
  /** What is guessed first for this person. */
  name?: string | undefined
  email?: string | undefined
}

/**
 * How strong a new password is, and what would help; stands right under its field. It advises and never keeps anybody from
 * sending: the server decides.
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
