import { accountsApi, type CurrentUser } from '@bi-manager/contract'
import { Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { renameSession } from '../../lib/session/session.ts'
import { Button } from '../../ui/button.tsx'
import { SUCCESS_MS } from '../../ui/dialog/use-success-close.ts'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { useDraft } from '../../ui/entity-form/use-draft.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './own-account.module.css'

export const NameForm = ({ user }: { user: CurrentUser }) => {
  const client = useQueryClient()
  const draft = useDraft<string>('nome')
  const [name, setName] = useState(draft.restored ?? user.nomeUsuario)
  const [isDone, showDone] = useMessageFor(SUCCESS_MS)
  const sending = useSubmission(
    () => call(accountsApi.updateOwn, { body: { nomeUsuario: name } }),
    (saved) => {
      client.setQueryData(currentUserQuery.queryKey, saved)
      renameSession(saved.nomeUsuario)
      setName(saved.nomeUsuario)
      showDone()
    },
  )
  const isDirty = name.trim() !== user.nomeUsuario
  const isChanged = name.trim() !== '' && isDirty
  draft.keep(isDirty ? name : undefined)
  return (
    <Form onSubmit={() => isChanged && sending.submit()} className={`${shared.stackLg} ${classes.form}`}>
      {draft.restored !== undefined && isDirty && <RestoredNotice done="digitado" save="grave" />}
      <TextInput
        label="Nome"
        name="nomeUsuario"
        autoComplete="name"
        maxLength={120}
        value={name}
        onChange={(event) => {
          sending.forget()
          setName(event.currentTarget.value)
        }}
        error={sending.faults.nomeUsuario ?? (name.trim() === '' && 'Informe o seu nome.')}
      />
      <TextInput
        label="E-mail"
        description="É com ele que você entra. Para trocá-lo, fale com um administrador."
        value={user.emailUsuario}
        readOnly
        variant="filled"
      />
      <ErrorAlert error={sending.problem} />
      <Group gap="0.625rem">
        <Button type="submit" loading={sending.isPending} disabled={!isChanged}>
          Gravar
        </Button>
        <span role="status">{isDone && 'Nome alterado!'}</span>
      </Group>
      <LeaveDialog isDirty={isDirty} />
    </Form>
  )
}
