import type { MenuWorkspace } from '@bi-manager/contract'
import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolderOff, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf, isLazy, menusQuery } from '../../lib/navigation/menu.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { FavoriteLinks } from './favorite-links.tsx'
import { FoundReports } from './found-reports.tsx'
import { MenuFailure } from './menu-failure.tsx'
import { MenuSkeleton } from './menu-skeleton.tsx'
import classes from './report-menu.module.css'
import { SearchedReports } from './searched-reports.tsx'
import { WorkspaceAccordions } from './workspace-accordions.tsx'

/** The number of reports from which the menu shows a search field. */
const SEARCH_FROM = 9
const SEARCH_DELAY_MS = 250

/** The user's reports, grouped by workspace, in the server's order. */
export const ReportMenu = () => {
  const { data: workspaces, error, refetch, isFetching } = useQuery(menusQuery)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, SEARCH_DELAY_MS)

  if (!workspaces) {
    if (!error) return <MenuSkeleton label="Carregando o menu" />
    return <MenuFailure error={error} retry={() => void refetch()} isRetrying={isFetching} />
  }
  if (workspaces.length === 0)
    return (
      <InlineMessage icon={IconFolderOff}>
        Nenhum relatório liberado para você ainda. Peça acesso a um administrador.
      </InlineMessage>
    )

  return (
    <>
      {!search.trim() && <FavoriteLinks menu={workspaces} />}
      {countOf(workspaces) >= SEARCH_FROM && (
        <TextInput
          type="search"
          size="sm"
          className={classes.search}
          aria-label="Buscar relatório"
          placeholder="Buscar relatório"
          leftSection={<IconSearch size={17} aria-hidden />}
          rightSection={
            search && <CloseButton size="sm" aria-label="Limpar busca" onClick={() => setSearch('')} />
          }
          maxLength={200}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {!search.trim() ? (
        <WorkspaceAccordions workspaces={workspaces} />
      ) : workspaces.some(isLazy) ? (
        <SearchedReports menu={workspaces} search={settled} />
      ) : (
        <FoundReports menu={workspaces} found={reportsMatching(workspaces, search)} />
      )}
    </>
  )
}

const reportsMatching = (workspaces: MenuWorkspace[], search: string): MenuWorkspace[] =>
  workspaces.map((workspace) => ({
    ...workspace,
    relatorios: workspace.relatorios.filter(({ nome }) =>
      matchesSearch(`${nome} ${workspace.workspace}`, search),
    ),
  }))
