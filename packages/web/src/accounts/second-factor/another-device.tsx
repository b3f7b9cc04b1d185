import { ApiProblem, MISSING, secondFactorApi } from '@bi-manager/contract'
import { Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
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
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () =>
      call(secondFactorApi.start, {
        body: { codigo: code, senhaAtual: asksPassword ? password : undefined },
      }),
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

  const handleSubmit = () => {
    setChecked(true)
    if (isMissing.code) return codeField.current?.focus()
    if (isMissing.password) return passwordField.current?.focus()
    mutate()
  }

  return (
    <Form onSubmit={handleSubmit} className={shared.stackMd}>
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
        onChange={(event) => {
          setCode(event.currentTarget.value)
          if (error) reset()
        }}
        error={isChecked && isMissing.code ? MISSING : faults.codigo}
      />
      {asksPassword && (
        <SecretField
          ref={passwordField}
          label="Senha atual"
          description="Você não entrou com ela nos últimos 10 minutos."
          autoComplete="current-password"
          value={password}
          onChange={(typed) => {
            setPassword(typed ?? '')
            if (error) reset()
          }}
          error={isChecked && isMissing.password ? 'Informe a sua senha.' : faults.senhaAtual}
        />
      )}
      {!asksAlso(error) && !faults.codigo && !faults.senhaAtual && <ErrorAlert error={error} />}
      <FormAnswers submit="Continuar" isPending={isPending} onCancel={onCancel} />
    </Form>
  )
}

const asksAlso = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'reautenticacao_necessaria'

const faultsOf = (error: unknown): ApiProblem['campos'] => (error instanceof ApiProblem ? error.campos : {})
