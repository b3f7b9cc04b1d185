import { profilesApi } from '@bi-manager/contract'
import type { QueryClient } from '@tanstack/react-query'
import { callList } from '../../lib/api/api.ts'
import { capacitiesKey, profilesKey, reasonsKey } from '../../lib/api/query-keys.ts'
import { hasPassed } from '../../ui/day-field/last-day.tsx'

export const membersKey = (id: number) => [...profilesKey, id, 'membros'] as const

/** Refetches what shows names or counts of profiles, also as reasons for access or in capacities. */
export const refreshProfiles = (client: QueryClient): void => {
  void client.invalidateQueries({ queryKey: profilesKey })
  void client.invalidateQueries({ queryKey: reasonsKey })
  void client.invalidateQueries({ queryKey: capacitiesKey })
}

/** Marks a deleted profile's queries as stale without refetching them, which would answer 404. */
export const forgetProfile = (client: QueryClient, id: number): void => {
  void client.invalidateQueries({ queryKey: [...profilesKey, id], refetchType: 'none' })
  void client.invalidateQueries({ queryKey: profilesKey, predicate: ({ queryKey }) => queryKey[1] !== id })
  void client.invalidateQueries({ queryKey: reasonsKey })
  void client.invalidateQueries({ queryKey: capacitiesKey })
}

/** Returns whether a user is a member now, from one page of members with that name. */
export const isMember = async (id: number, idUsuario: number, nomeUsuario: string): Promise<boolean> => {
  const query = { busca: nomeUsuario, pagina: 1, tamanho: 100 }
  const { rows } = await callList(profilesApi.listMembers, { params: { id }, query })
  return rows.some((member) => member.idUsuario === idUsuario && !hasPassed(member.validoAte))
}
