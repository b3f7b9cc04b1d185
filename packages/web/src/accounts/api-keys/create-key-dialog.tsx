import { apiKeysApi, KEY_DAYS, KeyGroup, keyGroupTexts, type NewApiKey } from '@bi-manager/contract'
import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useRequestedReauthentication } from '../../lib/api/reauthentication.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { networksOf } from '../../lib/text/networks-of.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NetworksField } from '../../ui/fields/networks-field.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import classes from './api-keys.module.css'
import { endOfKey } from './key-texts.ts'

interface CreateKeyDialogProps {
  isOpen: boolean
  onClose: () => void
  onCreated: (key: NewApiKey) => void
}

const lives = [7, 30, KEY_DAYS.usual, 180, KEY_DAYS.most]
const empty = { nome: '', grupos: [] as KeyGroup[], dias: KEY_DAYS.usual as number, redes: '' }

/** Asks what a new key is for. The re-authentication is asked for in its place. */
export const CreateKeyDialog = ({ isOpen, onClose, onCreated }: CreateKeyDialogProps) => {
  const isReauthenticationAsked = useRequestedReauthentication() !== undefined
  const { data: user } = useQuery(currentUserQuery)
  const [values, setValues] = useState(empty)
  const { nome, grupos, dias, redes } = values
  const { submit, isPending, faults, problem, forget } = useSubmission(
    () =>
      call(apiKeysApi.create, {
        body: { nome, grupos, dias, redes: networksOf(redes) },
      }),
    onCreated,
  )
  const set = (change: Partial<typeof empty>) => {
    setValues((before) => ({ ...before, ...change }))
    forget()
  }
  const groupsFor = (isForAdmins: boolean) =>
    KeyGroup.options.filter((group) => keyGroupTexts[group].isForAdmins === isForAdmins)
  return (
    <Dialog
      opened={isOpen && !isReauthenticationAsked}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={() => {
        // The question for the re-authentication hides the dialog for a moment only.
        if (isOpen) return
        setValues(empty)
        forget()
      }}
      title="Criar chave"
      size="lg"
    >
      <Form onSubmit={submit} aria-label="Criar chave" className={shared.stackLg}>
        <TextInput
          label="Nome"
          description="O programa que vai usar a chave."
          placeholder="Planilha do financeiro"
          maxLength={80}
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
          value={nome}
          onChange={({ currentTarget }) => set({ nome: currentTarget.value })}
          error={faults.nome}
        />
        <Checkbox.Group
          label="Permissões"
          description="Escolha só o que o programa precisa."
          required
          withAsterisk={false}
          value={grupos}
          onChange={(chosen) => set({ grupos: chosen as KeyGroup[] })}
          error={faults.grupos}
        >
          <Stack gap="sm" mt="sm">
            {groupsFor(false).map((group) => (
              <GroupBox key={group} group={group} />
            ))}
            {user?.tipoUsuario === 'ADMIN' && (
              <>
                <p className={classes.part}>Só administradores</p>
                {groupsFor(true).map((group) => (
                  <GroupBox key={group} group={group} />
                ))}
              </>
            )}
          </Stack>
        </Checkbox.Group>
        <div className={shared.columns}>
          <NativeSelect
            label="Validade"
            description={`Vence em ${endOfKey(dias, serverNow())}.`}
            data={lives.map((days) => ({
              value: String(days),
              label: days === KEY_DAYS.most ? '1 ano' : `${days} dias`,
            }))}
            value={dias}
            onChange={({ currentTarget }) => set({ dias: Number(currentTarget.value) })}
            error={faults.dias}
          />
          <NetworksField
            label="Redes"
            description="Um endereço ou uma rede por linha."
            value={redes}
            onChange={({ currentTarget }) => set({ redes: currentTarget.value })}
            faults={faults}
          />
        </div>
        <ErrorAlert error={problem} />
        <FormAnswers submit="Criar chave" isPending={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

const GroupBox = ({ group }: { group: KeyGroup }) => {
  const { title, explanation } = keyGroupTexts[group]
  return <Checkbox value={group} label={title} description={explanation} />
}
