import type { Profile } from '@bi-manager/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ReportSet } from '../../ui/report-set/report-set.tsx'
import type { ReportRef } from '../../ui/report-set/ticks.ts'
import shared from '../../ui/shared.module.css'
import { PartSkeleton } from './part-skeleton.tsx'
import classes from './profiles.module.css'
import {
  loadChoices,
  loadReports,
  profilesKey,
  refreshProfiles,
  rereadReports,
  saveReports,
} from './profiles-queries.ts'

export const ProfileReports = ({ profile }: { profile: Profile }) => {
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    // Not under profilesKey: a refetch must not replace the set while it is being edited.
    queryKey: ['perfil-relatorios', profile.idPerfil, opening],
    queryFn: ({ signal }) => loadReports(profile.idPerfil, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <Checklist profile={profile} reports={data} />
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return <PartSkeleton />
}

let openings = 0

const Checklist = ({ profile, reports }: { profile: Profile; reports: ReportRef[] }) => {
  const client = useQueryClient()
  const id = profile.idPerfil
  return (
    <section className={classes.section} aria-labelledby="relatorios-do-perfil">
      <h2 id="relatorios-do-perfil" className={shared.heading}>
        Relatórios deste perfil
      </h2>
      <ReportSet
        reports={reports}
        reread={() => rereadReports(id)}
        save={(ids, ifMatch) => saveReports(id, ids, ifMatch)}
        onSaved={() => refreshProfiles(client)}
        texts={{
          question: `Salvar os relatórios do perfil ${profile.nomePerfil}?`,
          conflict: 'Outra pessoa alterou este perfil',
          none: noneText(profile.quantidadeMembros),
          saved: 'Perfil salvo!',
        }}
        loadGroup={{
          queryKey: [...profilesKey, id, 'grupo'],
          load: (grupo, signal) => loadChoices(id, grupo, signal),
        }}
      />
    </section>
  )
}

const noneText = (members: number): string =>
  members === 0
    ? 'Nenhum relatório ficará marcado: este perfil não liberará nada.'
    : `Nenhum relatório ficará marcado: ${members === 1 ? 'o membro deixa' : `os ${members.toLocaleString('pt-BR')} membros deixam`} de ver o que só este perfil liberava.`
