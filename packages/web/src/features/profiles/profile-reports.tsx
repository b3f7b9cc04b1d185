import type { Profile } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ListFailure } from '../../ui/data-table/data-table.tsx'
import { ReportPicker } from '../../ui/report-set/report-picker.tsx'
import { SetSaveBar } from '../../ui/report-set/set-save-bar.tsx'
import type { ReportRef } from '../../ui/report-set/ticks.ts'
import { useSetSave } from '../../ui/report-set/use-set-save.ts'
import { useTicks } from '../../ui/report-set/use-ticks.ts'
import { useGroupNames } from '../../ui/report-set/workspace-names.ts'
import { PartSkeleton } from './part-skeleton.tsx'
import classes from './profiles.module.css'
import { loadChoices, loadReports, profilesKey, refreshProfiles, saveReports } from './profiles-queries.ts'

export const ProfileReports = ({ profile }: { profile: Profile }) => {
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    // Not under profilesKey: a set being edited is read anew at the save, never beneath the marks.
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
  const state = useTicks(reports)
  const names = useGroupNames()
  const { ticks, setTicks } = state
  const saving = useSetSave({
    ticks,
    setTicks,
    reread: () => loadReports(id),
    save: (ids) => saveReports(id, ids),
    onSaved: () => refreshProfiles(client),
  })
  return (
    <section className={classes.section} aria-labelledby="relatorios-do-perfil">
      <h2 id="relatorios-do-perfil" className={classes.heading}>
        Relatórios deste perfil
      </h2>
      {state.isRestored && (
        <Alert color="teal" role="status" icon={<IconHistory aria-hidden />}>
          Recuperamos o que você tinha marcado quando a sessão terminou. Confira e salve.
        </Alert>
      )}
      <ReportPicker
        state={state}
        names={names}
        loadGroup={{
          queryKey: [...profilesKey, id, 'grupo'],
          load: (grupo, signal) => loadChoices(id, grupo, signal),
        }}
      />
      <SetSaveBar
        saving={saving}
        ticks={ticks}
        setTicks={setTicks}
        texts={{
          question: `Salvar os relatórios do perfil ${profile.nomePerfil}?`,
          conflict: 'Outra pessoa alterou este perfil',
          none: noneText(profile.quantidadeMembros),
          saved: 'Perfil salvo!',
        }}
        placeOf={names.placeOf}
      />
    </section>
  )
}

const noneText = (members: number): string =>
  members === 0
    ? 'Nenhum relatório ficará marcado: este perfil não liberará nada.'
    : `Nenhum relatório ficará marcado: ${members === 1 ? 'o membro deixa' : `os ${members.toLocaleString('pt-BR')} membros deixam`} de ver o que só este perfil liberava.`
