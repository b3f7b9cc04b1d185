import { useState } from 'react'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { PasswordStrength } from '../passwords/password-strength.tsx'

interface Passwords {
  password: string
  confirmation: string
}

const MISMATCH = 'As senhas não coincidem.'

interface PasswordPairProps {
  labels: readonly [password: string, confirmation: string]
  value: Passwords
  onChange: (value: Passwords) => void
  /** The error of the password field. */
  error: string | undefined
  /** Reports a mismatch at once instead of on blur. */
  isSubmitted: boolean
  /** The user's name; a password similar to name or e-mail is weak. */
  name: string
  email: string
}

/** A new password, typed twice, with a hint of its strength. */
export const PasswordPair = ({
  labels,
  value,
  onChange,
  error,
  isSubmitted,
  name,
  email,
}: PasswordPairProps) => {
  const { password, confirmation } = value
  const [isBlurred, setBlurred] = useState(false)
  const isDifferent = confirmation !== '' && password !== confirmation
  return (
    <>
      <div>
        <SecretField
          label={labels[0]}
          description="Ao menos 8 caracteres; uma frase com mais de 15 protege melhor."
          name="password"
          maxLength={200}
          value={password}
          onChange={(typed) => onChange({ ...value, password: typed ?? '' })}
          error={error}
        />
        {/* Hidden on an error, which the field already shows. */}
        <PasswordStrength password={error ? null : password} name={name} email={email} />
      </div>
      <SecretField
        label={labels[1]}
        name="confirmation"
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar confirmação da senha' }}
        value={confirmation}
        onChange={(typed) => onChange({ ...value, confirmation: typed ?? '' })}
        onBlur={() => setBlurred(true)}
        error={isDifferent && (isBlurred || isSubmitted) && MISMATCH}
      />
    </>
  )
}
