import { labelsOf, type Profile, profileEntity, profilesApi } from '@bi-manager/contract'
import { Alert, Button, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { call } from '../../lib/api/api.ts'
import { ConflictDialog } from '../../ui/record-form/conflict-dialog.tsx'
import { useRecordForm } from '../../ui/record-form/use-record-form.ts'
import { useDialogTarget } from '../../ui/use-dialog-target.ts'
import classes from './profiles.module.css'
import { getProfile, refreshProfiles } from './profiles-queries.ts'

const labels = labelsOf(profileEntity)

interface ProfileNameDialogProps {
  /** The profile to rename; 'new' creates one; undefined closes the dialog. */
  profile: Profile | 'new' | undefined
  onClose: () => void
  onSaved: (saved: Profile, isNew: boolean) => void
}

export const ProfileNameDialog = ({ profile, onClose, onSaved }: ProfileNameDialogProps) => {
  const { shown, opening } = useDialogTarget(profile)
  return (
    <Modal
      opened={profile !== undefined}
      onClose={onClose}
      title={shown === 'new' ? 'Criar perfil' : 'Renomear perfil'}
      centered
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && (
        <NameForm
          key={opening}
          profile={shown === 'new' ? undefined : shown}
          onCancel={onClose}
          onSaved={onSaved}
        />
      )}
    </Modal>
  )
}

interface NameFormProps {
  profile: Profile | undefined
  onCancel: () => void
  onSaved: ProfileNameDialogProps['onSaved']
}

const NameForm = ({ profile, onCancel, onSaved }: NameFormProps) => {
  const client = useQueryClient()
  const form = useRecordForm<{ nomePerfil: string }, Profile>({
    record: profile,
    valuesOf: (record) => ({ nomePerfil: record?.nomePerfil ?? '' }),
    required: ['nomePerfil'],
    requiredMs: 4_000,
    scope: `nome-do-perfil-${profile?.idPerfil ?? 'novo'}`,
    save: (body, base) =>
      base
        ? call(profilesApi.update, { params: { id: base.idPerfil }, body }, { ifMatch: base.versao })
        : call(profilesApi.create, { body }),
    reload: ({ idPerfil }) => getProfile(idPerfil),
    onSaved: (saved) => {
      refreshProfiles(client)
      onSaved(saved, profile === undefined)
    },
  })
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <>
      <form noValidate onSubmit={handleSubmit} className={classes.nameForm}>
        <TextInput
          label={labels.nomePerfil}
          placeholder="Diretoria, Atendimento…"
          maxLength={80}
          data-autofocus
          {...form.text('nomePerfil')}
        />
        {(form.isMissing || form.problem) && (
          <Alert color="red" role="alert">
            {form.isMissing ? 'É necessário preencher todos os campos!' : form.problem}
          </Alert>
        )}
        <div className={classes.nameButtons}>
          <Button variant="default" onClick={onCancel} disabled={form.isSaving}>
            Cancelar
          </Button>
          <Button type="submit" loading={form.isSaving}>
            Gravar
          </Button>
        </div>
      </form>
      <ConflictDialog form={form} />
    </>
  )
}
