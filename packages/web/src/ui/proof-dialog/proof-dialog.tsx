import { MISSING, ownSessionsApi, type SessionProof } from '@bi-manager/contract'
import { Alert, Button, Modal, TextInput } from '@mantine/core'
import '@mantine/core/styles/Modal.layer.css'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { answerProof, useRequestedProof } from '../../lib/api/proof.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import dialog from '../dialog.module.css'
import { SecretField } from '../secret-field.tsx'
import { useDialogTarget } from '../use-dialog-target.ts'
import classes from './proof-dialog.module.css'

/** 'Confirme que é você', for calls of `callWithProof`. Each back-office page has one. */
export const ProofDialog = () => {
  const asked = useRequestedProof()
  const { shown, opening } = useDialogTarget(asked)
  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => answerProof(false)}
      title="Confirme que é você"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {shown && <ProofForm key={opening} meios={shown} />}
    </Modal>
  )
}

const leads = {
  senha: 'Faz mais de 10 minutos que você confirmou quem é. Para esta mudança, digite a sua senha de novo.',
  codigo:
    'Esta mudança pede um código do seu aplicativo autenticador, ou um dos códigos de recuperação que você guardou.',
} as const

const others = { senha: 'Usar um código do segundo fator', codigo: 'Usar a senha' } as const

const ProofForm = ({ meios }: { meios: SessionProof[] }) => {
  const { data: user } = useQuery(currentUserQuery)
  const [meio, setMeio] = useState<SessionProof>(meios[0] ?? 'senha')
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
    () => answerProof(true),
  )

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(typed.trim() === '')
    if (typed.trim() === '') field.current?.focus()
    else confirming.submit()
  }
  const change = (value: string) => {
    confirming.forget()
    setMissing(false)
    setTyped(value)
  }
  const switchProof = () => {
    change('')
    setMeio(meio === 'senha' ? 'codigo' : 'senha')
  }
  const error = isMissing ? MISSING : confirming.faults[meio]

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <p className={classes.lead}>{leads[meio]}</p>
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
            ref={field}
            label="Senha"
            name="current-password"
            autoComplete="current-password"
            maxLength={1024}
            value={typed}
            onChange={(value) => change(value ?? '')}
            error={error}
            data-autofocus
          />
        </>
      ) : (
        <TextInput
          key={meio}
          ref={field}
          label="Código"
          name="codigo"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
          error={error}
          data-autofocus
        />
      )}
      {confirming.problem && (
        <Alert color="red" role="alert">
          {confirming.problem}
        </Alert>
      )}
      {meios.length > 1 && (
        <Button variant="subtle" onClick={switchProof} disabled={confirming.isPending}>
          {others[meio]}
        </Button>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={() => answerProof(false)} disabled={confirming.isPending}>
          Cancelar
        </Button>
        <Button type="submit" loading={confirming.isPending}>
          Confirmar
        </Button>
      </div>
    </form>
  )
}
