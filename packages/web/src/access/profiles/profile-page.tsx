import { ApiProblem, type Profile, profilesApi } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { IconChevronLeft, IconPencil, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { call, callSet } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { profilesKey } from '../../lib/api/query-keys.ts'
import { listAddress } from '../../lib/lists/list-address.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { ReportSet } from '../report-set/report-set.tsx'
import type { ReportRef } from '../report-set/ticks.ts'
import { DeleteProfile } from './delete-profile.tsx'
import { membersText, reportsText } from './profile-counts.ts'
import { ProfileMembers } from './profile-members.tsx'
import { ProfileNameDialog } from './profile-name-dialog.tsx'
import { profilePath, profilesPath } from './profile-path.ts'
import classes from './profiles.module.css'
import { refreshProfiles } from './profiles-queries.ts'

/** The page with the reports of a profile. */
export const ProfileReportsPage = () => (
  <ProfileFrame>{(profile) => <ProfileReports key={profile.idPerfil} profile={profile} />}</ProfileFrame>
)

/** The page with the members of a profile. */
export const ProfileMembersPage = () => (
  <ProfileFrame>{(profile) => <ProfileMembers key={profile.idPerfil} profile={profile} />}</ProfileFrame>
)

const ProfileFrame = ({ children }: { children: (profile: Profile) => ReactNode }) => {
  const id = useEntityId('perfil')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'name' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const [isGone, setGone] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    ...entityQuery(profilesKey, profilesApi.get, id),
    enabled: !!id && !isGone,
  })
  const isUnknown = !id || (error instanceof ApiProblem && error.status === 404)
  if (isUnknown && dialog !== 'delete') return <UnknownProfile />

  return (
    <AdminPage
      title={data?.nomePerfil ?? 'Perfil'}
      above={
        <Anchor component={Link} to={listAddress(profilesPath)} size="sm" className={shared.backLink}>
          <IconChevronLeft size={16} aria-hidden />
          Perfis
        </Anchor>
      }
      lead={data && `${reportsText(data)} · ${membersText(data)}`}
      actions={
        data && (
          <>
            <ActionButton icon={IconPencil} label="Renomear" onClick={() => setDialog('name')} />
            <ActionButton icon={IconTrash} label="Excluir" onClick={() => setDialog('delete')} />
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
        loading
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
    actions={<ActionButton isMain label="Ver perfis" to={profilesPath} />}
  >
    O endereço não leva a nenhum perfil. Ele pode ter sido excluído.
  </PageMessage>
)

const ProfileReports = ({ profile }: { profile: Profile }) => {
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    // Not under profilesKey: a refetch must not replace the set while it is being edited.
    queryKey: ['perfil-relatorios', profile.idPerfil, opening],
    queryFn: ({ signal }) => call(profilesApi.listReports, { params: { id: profile.idPerfil } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <Checklist profile={profile} reports={data} />
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return loading
}

let openings = 0

const Checklist = ({ profile, reports }: { profile: Profile; reports: ReportRef[] }) => {
  const client = useQueryClient()
  const id = profile.idPerfil
  return (
    <section className={`${shared.panelWithBar} ${shared.stackMd}`} aria-labelledby="relatorios-do-perfil">
      <h2 id="relatorios-do-perfil" className={shared.heading}>
        Relatórios deste perfil
      </h2>
      <ReportSet
        reports={reports}
        reread={() => callSet(profilesApi.listReports, { params: { id } })}
        save={(idRelatorios, ifMatch) =>
          call(profilesApi.replaceReports, { params: { id }, body: { idRelatorios } }, { ifMatch })
        }
        onSaved={() => refreshProfiles(client)}
        texts={{
          question: `Salvar os relatórios do perfil ${profile.nomePerfil}?`,
          conflict: 'Outra pessoa alterou este perfil',
          none: noneText(profile.quantidadeMembros),
          saved: 'Perfil salvo!',
        }}
        loadGroup={{
          queryKey: [...profilesKey, id, 'grupo'],
          load: (idGrupoRelatorio, signal) =>
            call(profilesApi.listOfGroup, { params: { id, idGrupoRelatorio } }, { signal }),
        }}
      />
    </section>
  )
}

const noneText = (members: number): string =>
  members === 0
    ? 'Nenhum relatório ficará marcado: este perfil não liberará nada.'
    : `Nenhum relatório ficará marcado: ${members === 1 ? 'o membro deixa' : `os ${members.toLocaleString('pt-BR')} membros deixam`} de ver o que só este perfil liberava.`

const loading = (
  <div className={shared.panelWithBar}>
    <SkeletonLines label="Carregando o perfil" />
  </div>
)
