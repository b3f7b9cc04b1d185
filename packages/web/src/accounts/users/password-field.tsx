import { Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { PasswordStrength } from '../passwords/password-strength.tsx'
import { generatePassword } from './generate-password.ts'

interface PasswordFieldProps {
  /** The user's name and e-mail: a password similar to them is weak. */
  owner: { nomeUsuario: string; emailUsuario: string }
  name: string
  value: string | null
  onChange: (value: string | null) => void
  error: string | undefined
  /** The user already has a password. */
  isKept: boolean
  /** The password generated last; while it is the field's value, the box is ticked. */
  generated: string | undefined
  onGenerate: (password: string) => void
}

/** The field 'Senha'. A generated password is shown in clear for copying; unticking removes it. */
export const PasswordField = ({
  owner,
  value,
  isKept,
  generated,
  onGenerate,
  ...field
}: PasswordFieldProps) => {
  const isGenerated = generated !== undefined && value === generated
  const [visible, setVisible] = useState(false)
  const toggle = (ticked: boolean) => {
    setVisible(ticked)
    if (!ticked) return field.onChange(isKept ? null : '')
    const password = generatePassword()
    onGenerate(password)
    field.onChange(password)
  }
  return (
    <>
      <SecretField
        label="Senha"
        description={
          isKept
            ? 'Quem recebe uma senha nova entra de novo em todos os aparelhos, e escolhe outra ao entrar.'
            : 'Ao menos 8 caracteres. A pessoa escolhe outra ao entrar pela primeira vez.'
        }
        maxLength={200}
        {...field}
        value={value}
        isKept={isKept}
        visible={visible}
        onVisibilityChange={setVisible}
      />
      <PasswordStrength
        password={isGenerated ? null : value}
        name={owner.nomeUsuario}
        email={owner.emailUsuario}
      />
      <Group gap="0.75rem 1.25rem" mih="1.875rem" mt="-0.5rem">
        <Checkbox
          label="Gerar senha automaticamente"
          checked={isGenerated}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {isGenerated && <CopyButton text={generated} label="Copiar senha" done="Senha copiada" />}
      </Group>
    </>
  )
}
