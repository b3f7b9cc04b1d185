import { labelsOf, type Profile, profileEntity, profilesApi } from '@bi-manager/contract'
import { Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ConflictDialog } from '../../ui/entity-form/conflict-dialog.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { refreshProfiles } from './profiles-queries.ts'

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
  const form = useEntityForm<{ nomePerfil: string }, Profile>({
    entity: profile,
    valuesOf: (entity) => ({ nomePerfil: entity?.nomePerfil ?? '' }),
    required: ['nomePerfil'],
    scope: `nome-do-perfil-${profile?.idPerfil ?? 'novo'}`,
    save: (body, base) =>
      base
        ? call(profilesApi.update, { params: { id: base.idPerfil }, body }, { ifMatch: base.versao })
        : call(profilesApi.create, { body }),
    reload: ({ idPerfil }) => readEntity(profilesApi.get, idPerfil),
    onSaved: (saved) => {
      refreshProfiles(client)
      onSaved(saved, profile === undefined)
    },
  })
  return (
    <>
      <Form onSubmit={form.submit} className={shared.stackLg}>
        <TextInput
          label={labels.nomePerfil}
          placeholder="Diretoria, Atendimento…"
          maxLength={80}
          data-autofocus
          {...form.text('nomePerfil')}
        />
        <ErrorAlert error={form.isMissing ? 'É necessário preencher todos os campos!' : form.problem} />
        <FormAnswers submit="Gravar" isPending={form.isSaving} onCancel={onCancel} />
      </Form>
      <ConflictDialog form={form} />
    </>
  )
}
