import { VisuallyHidden } from '@mantine/core'
import type { Estimate } from './estimator.ts'
import classes from './password-strength.module.css'
import { UNAVAILABLE, useEstimate } from './use-estimate.ts'

const levels = ['Fraca', 'Razoável', 'Boa', 'Forte'] as const
type Level = (typeof levels)[number]

const shortest = 8
const recommended = 15

/** Returns the strength and one sentence of advice. The server's rules decide. */
export const strengthOf = (password: string, { score, advice }: Estimate): { level: Level; text: string } => {
  if (password.length < shortest) return { level: 'Fraca', text: `Use ao menos ${shortest} caracteres.` }
  const level = levels[Math.max(0, score - 1)] ?? 'Fraca'
  if (level === 'Forte') return { level, text: 'Difícil de adivinhar.' }
  if (advice) return { level, text: advice }
  return {
    level,
    text:
      password.length < recommended
        ? `Com ${recommended} caracteres ou mais ela fica mais forte: junte palavras que não combinam.`
        : 'Junte mais uma palavra que não combine com as outras.',
  }
}

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
