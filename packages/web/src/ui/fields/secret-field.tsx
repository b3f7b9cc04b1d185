import { Anchor, PasswordInput, type PasswordInputProps } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useState } from 'react'

/** Shown for a secret stored on the server, which never returns it. The length is constant. */
const SECRET_MASK = '••••••••'

interface SecretFieldProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  /** null keeps the server's secret and must not be sent. */
  value: string | null
  onChange: (value: string | null) => void
  /** The server has a secret, which the person can revert to. */
  isKept?: boolean
}

/** A password field with show/hide. The first key replaces the mask of an untouched value. */
export const SecretField = ({
  value,
  onChange,
  isKept = false,
  visible: isShown,
  onVisibilityChange,
  ...rest
}: SecretFieldProps) => {
  const [isOwnShown, setOwnShown] = useState(false)
  const untouched = value === null
  const visible = (isShown ?? isOwnShown) && !untouched
  return (
    <div>
      <PasswordInput
        autoComplete="new-password"
        visible={visible}
        onVisibilityChange={onVisibilityChange ?? setOwnShown}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{
          'aria-label': 'Mostrar senha',
          'aria-pressed': visible,
          disabled: untouched,
        }}
        {...rest}
        aria-invalid={rest.error ? true : undefined}
        value={untouched ? SECRET_MASK : value}
        onFocus={(event) => untouched && event.currentTarget.select()}
        onChange={(event) => {
          const typed = event.currentTarget.value
          onChange(untouched ? typed.replaceAll('•', '') : typed)
        }}
      />
      {isKept && !untouched && (
        <Anchor component="button" type="button" size="xs" mt={6} onClick={() => onChange(null)}>
          Manter a senha atual
        </Anchor>
      )}
    </div>
  )
}
