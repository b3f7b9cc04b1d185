import { type Profile, profilesApi } from '@bi-manager/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call, callList, callSet, type TaggedSet } from '../../lib/api/api.ts'
import type { ReportRef } from '../../ui/report-set/ticks.ts'

export const profilesKey = ['perfis'] as const
export const membersKey = (id: number) => [...profilesKey, id, 'membros'] as const

/** Refetches what shows names or counts of profiles, including the reasons for access. */
export const refreshProfiles = (client: QueryClient): void => {
  void client.invalidateQueries({ queryKey: profilesKey })
  void client.invalidateQueries({ queryKey: ['acesso'] })
}

export const getProfile = (id: number, signal?: AbortSignal): Promise<Profile> =>
  call(profilesApi.get, { params: { id } }, signal && { signal })

export const loadChoices = (id: number, idGrupoRelatorio: number, signal: AbortSignal) =>
  call(profilesApi.listOfGroup, { params: { id, idGrupoRelatorio } }, { signal })

export const loadReports = (id: number, signal?: AbortSignal): Promise<ReportRef[]> =>
  call(profilesApi.listReports, { params: { id } }, signal && { signal })

export const rereadReports = (id: number): Promise<TaggedSet<ReportRef>> =>
  callSet(profilesApi.listReports, { params: { id } })

export const saveReports = (id: number, idRelatorios: number[], ifMatch: string): Promise<ReportRef[]> =>
  call(profilesApi.replaceReports, { params: { id }, body: { idRelatorios } }, { ifMatch })

/** Marks a deleted profile's queries as stale without refetching them, which would answer 404. */
export const forgetProfile = (client: QueryClient, id: number): void => {
  void client.invalidateQueries({ queryKey: [...profilesKey, id], refetchType: 'none' })
  void client.invalidateQueries({ queryKey: profilesKey, predicate: ({ queryKey }) => queryKey[1] !== id })
  void client.invalidateQueries({ queryKey: ['acesso'] })
}

/** Returns whether a user is a member, from one page of members with that name. */
export const isMember = async (id: number, idUsuario: number, nomeUsuario: string): Promise<boolean> => {
  const query = { busca: nomeUsuario, pagina: 1, tamanho: 100 }
  const { rows } = await callList(profilesApi.listMembers, { params: { id }, query })
  return rows.some((member) => member.idUsuario === idUsuario)
}
