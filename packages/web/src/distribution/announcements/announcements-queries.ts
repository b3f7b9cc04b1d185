import { announcementEntity, profilesApi } from '@bi-manager/contract'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const announcementsKey = [announcementEntity.list] as const

export const searchProfiles = searchOptions(
  profilesApi.list,
  ({ idPerfil, nomePerfil, quantidadeMembros }) => ({
    value: idPerfil,
    label: nomePerfil,
    mark: quantidadeMembros === 0 ? 'sem membros' : undefined,
  }),
)
