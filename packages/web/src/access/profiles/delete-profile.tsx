import { type Profile, profilesApi } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { lossText } from './profile-counts.ts'
import { forgetProfile } from './profiles-queries.ts'

interface DeleteProfileProps {
  /** Undefined closes the dialog. */
  profile: Profile | undefined
  onClose: () => void
  onDeleted: () => void
}

export const DeleteProfile = ({ profile, onClose, onDeleted }: DeleteProfileProps) => {
  const client = useQueryClient()
  return (
    <ConfirmDelete
      target={profile}
      onClose={onClose}
      question="Deseja mesmo excluir esse perfil?"
      done="Perfil excluído!"
      nameOf={({ nomePerfil }) => nomePerfil}
      {...(profile && { consequence: lossText(profile) })}
      remove={({ idPerfil: id }) => call(profilesApi.remove, { params: { id } })}
      onDeleted={({ idPerfil }) => {
        onDeleted()
        forgetProfile(client, idPerfil)
      }}
    />
  )
}
