import { headingsOf, type Profile, profileEntity, profilesApi } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { IconListCheck, IconPencil, IconPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { profilesKey } from '../../lib/api/query-keys.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { DeleteProfile } from './delete-profile.tsx'
import { ProfileNameDialog } from './profile-name-dialog.tsx'
import { profilePath } from './profile-path.ts'

const headings = headingsOf(profileEntity)
const columns: Column<Profile, 'nomePerfil'>[] = [
  {
    label: headings.nomePerfil,
    sort: 'nomePerfil',
    isName: true,
    render: ({ idPerfil, nomePerfil }) => (
      <Anchor component={Link} to={profilePath(idPerfil)} fw={600} c="inherit" underline="hover">
        {nomePerfil}
      </Anchor>
    ),
  },
  {
    label: headings.quantidadeRelatorios,
    width: '16%',
    render: ({ quantidadeRelatorios }) => quantidadeRelatorios.toLocaleString('pt-BR'),
  },
  {
    label: headings.quantidadeMembros,
    width: '16%',
    render: ({ quantidadeMembros }) => quantidadeMembros.toLocaleString('pt-BR'),
  },
]

type Dialog = { kind: 'name'; profile: Profile | 'new' } | { kind: 'delete'; profile: Profile }

/** The list of profiles. */
export const ProfilesPage = () => {
  const navigate = useNavigate()
  const list = useList({ queryKey: profilesKey, endpoint: profilesApi.list, fields: ['nomePerfil'] })
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const create = (
    <ActionButton
      isMain
      icon={IconPlus}
      label="Criar perfil"
      onClick={() => setDialog({ kind: 'name', profile: 'new' })}
    />
  )
  return (
    <AdminPage
      title="Permissões por perfil"
      lead={list.rows ? countText(list.total, list.isCapped, ['perfil', 'perfis']) : NO_LEAD_YET}
      actions={create}
    >
      <DataTable
        list={list}
        label="Perfis"
        searchLabel="Buscar perfil"
        columns={columns}
        rowKey={({ idPerfil }) => idPerfil}
        actions={(profile) => (
          <>
            <RowAction
              icon={IconListCheck}
              label="Escolher relatórios"
              of={`de ${profile.nomePerfil}`}
              to={profilePath(profile.idPerfil)}
            />
            <RowAction
              icon={IconUsers}
              label="Escolher membros"
              of={`de ${profile.nomePerfil}`}
              to={profilePath(profile.idPerfil, 'membros')}
            />
            <RowAction
              icon={IconPencil}
              label="Renomear"
              of={profile.nomePerfil}
              onClick={() => setDialog({ kind: 'name', profile })}
            />
            <DeleteAction of={profile.nomePerfil} onClick={() => setDialog({ kind: 'delete', profile })} />
          </>
        )}
        empty={{
          text: 'Nenhum perfil criado ainda. Um perfil libera os mesmos relatórios para várias pessoas de uma vez.',
          action: create,
        }}
      />
      <ProfileNameDialog
        profile={dialog?.kind === 'name' ? dialog.profile : undefined}
        onClose={close}
        onSaved={({ idPerfil }, isNew) => {
          close()
          if (isNew) void navigate(profilePath(idPerfil))
        }}
      />
      <DeleteProfile
        profile={dialog?.kind === 'delete' ? dialog.profile : undefined}
        onClose={close}
        onDeleted={() => list.state.startOver()}
      />
    </AdminPage>
  )
}
