import { useState } from 'react'
import { PasswordStrength } from '../../ui/password-strength/password-strength.tsx'
import { SecretField } from '../../ui/secret-field.tsx'

export interface Passwords {
  password: string
  confirmation: string
}

export const DIFFERENT = 'As senhas não coincidem.'

interface PasswordPairProps {
  labels: readonly [password: string, confirmation: string]
  value: Passwords
  onChange: (value: Passwords) => void
  /** What the server or the form says of the first. */
  error: string | undefined
  /** The form was sent as it stands: a difference is said at once. */
  isSubmitted: boolean
  /** Whose password it is: what is guessed of them first is weak. */
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
  const [isLeft, setLeft] = useState(false)
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
        {/* What is at fault is said once, by the field. */}
        <PasswordStrength password={error ? null : password} name={name} email={email} />
      </div>
      <SecretField
        label={labels[1]}
        name="confirmation"
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar confirmação da senha' }}
        value={confirmation}
        onChange={(typed) => onChange({ ...value, confirmation: typed ?? '' })}
        onBlur={() => setLeft(true)}
        error={isDifferent && (isLeft || isSubmitted) && DIFFERENT}
      />
    </>
  )
}
