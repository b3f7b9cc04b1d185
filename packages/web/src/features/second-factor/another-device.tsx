import { ApiProblem, MISSING, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import dialog from '../../ui/dialog.module.css'
import type { DeviceSecret } from './link-device.tsx'
import classes from './second-factor.module.css'

interface AnotherDeviceProps {
  /** Called after the right code, with the secret for the new device. */
  onStarted: (secret: DeviceSecret) => void
  onCancel: () => void
}

/** Asks for a code of the current device, and for the password if the sign-in is too old. */
export const AnotherDevice = ({ onStarted, onCancel }: AnotherDeviceProps) => {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [asksPassword, setAsksPassword] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const codeField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(secondFactorApi.start, {
        body: { codigo: code, senhaAtual: asksPassword ? password : undefined },
      }),
    networkMode: 'always',
    // Not cached: the response holds the secret, the request may hold the password.
    gcTime: 0,
    onSuccess: onStarted,
    onError: (problem) => {
      if (asksAlso(problem)) {
        setAsksPassword(true)
        setChecked(false)
      } else if (faultsOf(problem).senhaAtual) passwordField.current?.select()
      else codeField.current?.select()
    },
  })
  // Focus the password field when it appears.
  useEffect(() => {
    if (asksPassword) passwordField.current?.focus()
  }, [asksPassword])
  const faults = faultsOf(error)
  const isMissing = { code: !code.trim(), password: asksPassword && !password }

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    // React bubbles the event through the dialog's portal to a form around it.
    event.stopPropagation()
    setChecked(true)
    if (isMissing.code) return codeField.current?.focus()
    if (isMissing.password) return passwordField.current?.focus()
    if (!isPending) mutate()
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.dialogForm}>
      <Text size="sm">
        Um código do aparelho atual mostra que é você. Ele continua valendo até o novo ser confirmado; se já
        não o tem, use um código de recuperação.
      </Text>
      <TextInput
        ref={codeField}
        label="Código do aplicativo ou de recuperação"
        name="codigo"
        maxLength={40}
        autoCapitalize="none"
        autoComplete="one-time-code"
        spellCheck={false}
        data-autofocus
        classNames={{ input: classes.code }}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={isChecked && isMissing.code ? MISSING : faults.codigo}
      />
      {asksPassword && (
        <PasswordInput
          ref={passwordField}
          label="Senha atual"
          description="Você não entrou com ela nos últimos 10 minutos."
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isChecked && isMissing.password ? 'Informe a sua senha.' : faults.senhaAtual}
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha' }}
        />
      )}
      {error && !asksAlso(error) && !faults.codigo && !faults.senhaAtual && (
        <Alert color="red" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancelar
        </Button>
        <Button type="submit" loading={isPending}>
          Continuar
        </Button>
      </div>
    </form>
  )
}

const asksAlso = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'reautenticacao_necessaria'

const faultsOf = (error: unknown): ApiProblem['campos'] => (error instanceof ApiProblem ? error.campos : {})
