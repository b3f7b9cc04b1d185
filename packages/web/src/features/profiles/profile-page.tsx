import { ApiProblem, type Profile } from '@bi-manager/contract'
import { Anchor, Button } from '@mantine/core'
import { IconChevronLeft, IconPencil, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { useRecordId } from '../../ui/record-form/record-page.tsx'
import shared from '../../ui/shared.module.css'
import { DeleteProfile } from './delete-profile.tsx'
import { PartSkeleton } from './part-skeleton.tsx'
import { membersText, reportsText } from './profile-counts.ts'
import { ProfileMembers } from './profile-members.tsx'
import { ProfileNameDialog } from './profile-name-dialog.tsx'
import { profilePath, profilesPath } from './profile-path.ts'
import { ProfileReports } from './profile-reports.tsx'
import classes from './profiles.module.css'
import { getProfile, profilesKey } from './profiles-queries.ts'

/** The page with the reports of a profile. */
export const ProfileReportsPage = () => (
  <ProfileFrame>{(profile) => <ProfileReports key={profile.idPerfil} profile={profile} />}</ProfileFrame>
)

/** The page with the members of a profile. */
export const ProfileMembersPage = () => (
  <ProfileFrame>{(profile) => <ProfileMembers key={profile.idPerfil} profile={profile} />}</ProfileFrame>
)

const ProfileFrame = ({ children }: { children: (profile: Profile) => ReactNode }) => {
  const id = useRecordId('perfil')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'name' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const [isGone, setGone] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...profilesKey, id],
    queryFn: ({ signal }) => getProfile(id ?? 0, signal),
    enabled: id !== undefined && !isGone,
  })
  const isUnknown = id === undefined || (error instanceof ApiProblem && error.status === 404)
  if (isUnknown && dialog !== 'delete') return <UnknownProfile />

  return (
    <AdminPage
      title={data?.nomePerfil ?? 'Perfil'}
      above={
        <Anchor component={Link} to={profilesPath} size="sm" className={shared.backLink}>
          <IconChevronLeft size={16} aria-hidden />
          Perfis
        </Anchor>
      }
      lead={data && `${reportsText(data)} · ${membersText(data)}`}
      actions={
        data && (
          <>
            <Button
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
              onClick={() => setDialog('name')}
            >
              Renomear
            </Button>
            <Button
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden />}
              onClick={() => setDialog('delete')}
            >
              Excluir
            </Button>
          </>
        )
      }
      narrow
    >
      {id !== undefined && (
        <nav aria-label="Partes do perfil" className={classes.tabs}>
          <NavLink to={profilePath(id)} end className={classes.tab}>
            Relatórios
          </NavLink>
          <NavLink to={profilePath(id, 'membros')} className={classes.tab}>
            Membros
          </NavLink>
        </nav>
      )}
      {/* A deleted profile can be neither read nor saved. */}
      {isGone ? null : data ? (
        children(data)
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <PartSkeleton />
      )}
      <ProfileNameDialog profile={dialog === 'name' ? data : undefined} onClose={close} onSaved={close} />
      <DeleteProfile
        profile={dialog === 'delete' ? data : undefined}
        onClose={() => {
          close()
          if (isGone) void navigate(profilesPath)
        }}
        onDeleted={() => setGone(true)}
      />
    </AdminPage>
  )
}

const UnknownProfile = () => (
  <PageMessage
    icon={IconUsersGroup}
    heading="Perfil não encontrado"
    actions={
      <Button component={Link} to={profilesPath}>
        Ver perfis
      </Button>
    }
  >
    O endereço não leva a nenhum perfil. Ele pode ter sido excluído.
  </PageMessage>
)
