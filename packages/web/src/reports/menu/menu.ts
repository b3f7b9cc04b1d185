import { MENU_MATCHES, type MenuReport, type MenuWorkspace, menusApi, reportPath } from '@bi-manager/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callForQuery } from '../../lib/api/background-refresh.ts'
import { MENU_KEY } from '../../lib/api/refresh-after.ts'
import type { ReportIds } from '../../lib/navigation/report-path.ts'

export const menusQuery = queryOptions({
  queryKey: [MENU_KEY],
  queryFn: ({ signal, queryKey }) => callForQuery(queryKey)(menusApi.list, {}, { signal }),
  staleTime: 60_000,
})

/** The reports of one workspace, for a menu that came without them. */
export const workspaceReportsQuery = (idGrupoRelatorio: number) =>
  queryOptions({
    queryKey: [MENU_KEY, 'relatorios', idGrupoRelatorio],
    queryFn: ({ signal, queryKey }) =>
      callForQuery(queryKey)(menusApi.reports, { params: { idGrupoRelatorio } }, { signal }),
    staleTime: 60_000,
  })

/** Searches on the server when the menu is only partly loaded; at most MENU_MATCHES reports. */
export const menuSearchQuery = (text: string) => {
  const busca = text.trim()
  return queryOptions({
    queryKey: [MENU_KEY, 'busca', busca],
    queryFn: ({ signal, queryKey }) =>
      callForQuery(queryKey)(menusApi.search, { query: { busca } }, { signal }),
    enabled: busca !== '',
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
}

/** Returns whether the reports of this workspace still have to be loaded. */
export const isLazy = ({ relatorios, quantidade }: MenuWorkspace): boolean =>
  relatorios.length === 0 && quantidade > 0

export const countOf = (menu: readonly MenuWorkspace[]): number =>
  menu.reduce((sum, { quantidade }) => sum + quantidade, 0)

/** Returns whether the search result reached the server's limit, so that more may match. */
export const isCut = (found: readonly MenuWorkspace[]): boolean =>
  found.reduce((sum, { relatorios }) => sum + relatorios.length, 0) >= MENU_MATCHES

export const withReports = (
  menu: readonly MenuWorkspace[],
  idGrupoRelatorio: number,
  relatorios: MenuReport[],
): MenuWorkspace[] =>
  menu.map((workspace) =>
    workspace.idGrupoRelatorio === idGrupoRelatorio ? { ...workspace, relatorios } : workspace,
  )

type NamedWorkspace = Pick<MenuWorkspace, 'workspace' | 'groupId'>

/**
 * Returns the addresses of a menu's reports. One external report may be registered several times
 * with other names and filters: its addresses then name the registration. They also do while part
 * of the external group's reports is not loaded.
 */
export const linksOf = (menu: readonly MenuWorkspace[]) => {
  const registrations = new Map<string, number[]>()
  const unread = new Set(menu.filter(isLazy).map(({ groupId }) => groupId.toLowerCase()))
  for (const { groupId, relatorios } of menu) {
    for (const { reportId, idRelatorio } of relatorios) {
      const key = keyOf(groupId, reportId)
      const known = registrations.get(key)
      if (known) known.push(idRelatorio)
      else registrations.set(key, [idRelatorio])
    }
  }
  return {
    pathOf: ({ workspace, groupId }: NamedWorkspace, { nome, reportId, idRelatorio }: MenuReport): string => {
      const known = registrations.get(keyOf(groupId, reportId)) ?? []
      const isAmbiguous = known.length > 1 || unread.has(groupId.toLowerCase())
      return reportPath({
        workspace,
        relatorio: nome,
        groupId,
        reportId,
        idRelatorio: isAmbiguous ? idRelatorio : undefined,
      })
    },
    isCurrent: (
      active: ReportIds | undefined,
      { groupId }: NamedWorkspace,
      { reportId, idRelatorio }: MenuReport,
    ): boolean => {
      if (!active || keyOf(active.groupId, active.reportId) !== keyOf(groupId, reportId)) return false
      // An address without a registration opens the oldest one, as the server does.
      const known = registrations.get(keyOf(groupId, reportId)) ?? [idRelatorio]
      return idRelatorio === (active.idRelatorio ?? Math.min(...known))
    },
  }
}

export type MenuLinks = ReturnType<typeof linksOf>

/** Returns the current report's workspace; several may share its external group. */
export const activeWorkspace = (
  menu: readonly MenuWorkspace[],
  active: ReportIds | undefined,
): MenuWorkspace | undefined => {
  if (!active) return undefined
  const { isCurrent } = linksOf(menu)
  const sameGroup = menu.filter(({ groupId }) => groupId.toLowerCase() === active.groupId.toLowerCase())
  return (
    sameGroup.find((workspace) =>
      workspace.relatorios.some((report) => isCurrent(active, workspace, report)),
    ) ?? sameGroup[0]
  )
}

const keyOf = (groupId: string, reportId: string) => `${groupId}/${reportId}`.toLowerCase()
