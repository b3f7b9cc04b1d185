import { MISSING, ownSessionsApi, type ReauthenticationMethod } from '@bi-manager/contract'
import { Button, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Modal.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { answerReauthentication, useRequestedReauthentication } from '../../lib/api/reauthentication.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { FormAnswers } from '../dialog/form-answers.tsx'
import { useDialogTarget } from '../dialog/use-dialog-target.ts'
import { ErrorAlert } from '../error-alert.tsx'
import { SecretField } from '../fields/secret-field.tsx'
import { Form } from '../form.tsx'
import shared from '../shared.module.css'
import classes from './reauthentication-dialog.module.css'

/** 'Confirme que é você', for calls that need a recent re-authentication. Each page that sends one has it. */
export const ReauthenticationDialog = () => {
  const asked = useRequestedReauthentication()
  const { shown, opening } = useDialogTarget(asked)
  return (
    <Dialog
      opened={asked !== undefined}
      onClose={() => answerReauthentication(false)}
      title="Confirme que é você"
      closeOnClickOutside={false}
      // Above the dialog whose call asks for it; Mantine's dialogs have 200.
      zIndex={210}
    >
      {shown && <ReauthenticationForm key={opening} meios={shown} />}
    </Dialog>
  )
}

const leads = {
  senha: 'Faz mais de 10 minutos que você confirmou quem é. Digite a sua senha de novo para continuar.',
  codigo:
    'Para continuar, digite um código do seu aplicativo autenticador ou um dos códigos de recuperação que você guardou.',
} as const

const others = { senha: 'Usar um código do segundo fator', codigo: 'Usar a senha' } as const

const ReauthenticationForm = ({ meios }: { meios: ReauthenticationMethod[] }) => {
  const { data: user } = useQuery(currentUserQuery)
  const [meio, setMeio] = useState<ReauthenticationMethod>(meios[0] ?? 'senha')
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const confirming = useSubmission(
    () =>
      call(ownSessionsApi.confirm, { body: { [meio]: typed } }).catch((error: unknown) => {
        field.current?.focus()
        field.current?.select()
        throw error
      }),
    () => answerReauthentication(true),
  )

  const handleSubmit = () => {
    setMissing(typed.trim() === '')
    if (typed.trim() === '') field.current?.focus()
    else confirming.submit()
  }
  const change = (value: string) => {
    confirming.forget()
    setMissing(false)
    setTyped(value)
  }
  const switchMeans = () => {
    change('')
    setMeio(meio === 'senha' ? 'codigo' : 'senha')
  }
  const common = {
    ref: field,
    value: typed,
    error: isMissing ? MISSING : confirming.faults[meio],
    'data-autofocus': true,
  }

  return (
    <Form onSubmit={handleSubmit} className={`${shared.stackMd} ${classes.form}`}>
      <Text fz="sm">{leads[meio]}</Text>
      {meio === 'senha' ? (
        <>
          {/* Tells the browser's password manager whose password this is. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={user?.emailUsuario ?? ''}
            readOnly
            hidden
          />
          <SecretField
            key={meio}
            label="Senha"
            name="current-password"
            autoComplete="current-password"
            maxLength={1024}
            onChange={(value) => change(value ?? '')}
            {...common}
          />
        </>
      ) : (
        <TextInput
          key={meio}
          label="Código"
          name="codigo"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          onChange={(event) => change(event.currentTarget.value)}
          {...common}
        />
      )}
      <ErrorAlert error={confirming.problem} />
      {meios.length > 1 && (
        <Button variant="subtle" onClick={switchMeans} disabled={confirming.isPending}>
          {others[meio]}
        </Button>
      )}
      <FormAnswers
        submit="Confirmar"
        isPending={confirming.isPending}
        onCancel={() => answerReauthentication(false)}
      />
    </Form>
  )
}
