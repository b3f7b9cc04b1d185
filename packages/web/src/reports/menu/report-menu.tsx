import { MENU_MATCHES, type MenuWorkspace } from '@bi-manager/contract'
import { Box } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolderOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { noReports } from '../../lib/navigation/no-reports.ts'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import { useSession } from '../../lib/session/session.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { SearchField } from '../../ui/page-search/search-field.tsx'
import { useSearchKey } from '../../ui/page-search/use-search-key.ts'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { FavoriteList } from '../favorites/favorite-list.tsx'
import { favoritesQuery } from '../favorites/favorites.ts'
import { FoundReports } from './found-reports.tsx'
import { countOf, isCut, isLazy, linksOf, menuSearchQuery, menusQuery } from './menu.ts'
import classes from './report-menu.module.css'
import { WorkspaceAccordions } from './workspace-accordions.tsx'

/** The number of reports from which the menu shows a search field. */
const SEARCH_FROM = 9
const SEARCH_DELAY_MS = 250

/** The user's reports, grouped by workspace, in the server's order. */
export const ReportMenu = () => {
  const session = useSession()
  const { data: workspaces, error, refetch, isFetching } = useQuery(menusQuery)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, SEARCH_DELAY_MS)
  const field = useRef<HTMLInputElement>(null)
  // A report has no search of its own.
  const isOnReport = reportInAddress(useLocation()) !== undefined
  useSearchKey(field, isOnReport)

  if (!workspaces) {
    if (!error) return <SkeletonLines label="Carregando o menu" />
    return <ListFailure size="xs" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  }
  if (workspaces.length === 0)
    return <InlineMessage icon={IconFolderOff}>{noReports(session?.tipo)}</InlineMessage>

  return (
    <>
      {!search.trim() && <FavoriteLinks menu={workspaces} />}
      {countOf(workspaces) >= SEARCH_FROM && (
        <SearchField
          ref={field}
          aria-keyshortcuts={isOnReport ? '/' : undefined}
          label="Buscar relatório"
          value={search}
          onChange={setSearch}
          isClearable
          size="sm"
          mb="sm"
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

/** Searches a menu on the server, because its reports were not delivered with it. */
const SearchedReports = ({ menu, search }: { menu: MenuWorkspace[]; search: string }) => {
  const { data: found, error, refetch, isFetching } = useQuery(menuSearchQuery(search))
  if (error)
    return <ListFailure size="xs" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!found) return <SkeletonLines label="Buscando" />
  return (
    <div aria-busy={isFetching}>
      <FoundReports menu={menu} found={found} />
      {isCut(found) && (
        <Box component="p" m="0.75rem 0.75rem 0" className={shared.smallNote}>
          Só os primeiros {MENU_MATCHES} resultados. Escreva mais para achar o que procura.
        </Box>
      )}
    </div>
  )
}

/** 'Favoritos' at the top of the menu; null without favourites or when they cannot be read. */
const FavoriteLinks = ({ menu }: { menu: MenuWorkspace[] }) => {
  const { data: favorites = [] } = useQuery(favoritesQuery)
  const active = reportInAddress(useLocation())
  const headingId = useId()
  if (favorites.length === 0) return null
  const links = linksOf(menu)
  return (
    <div className={classes.favorites}>
      <Box component="h3" id={headingId} mb="0.25rem" className={shared.menuTitle}>
        Favoritos
      </Box>
      <FavoriteList
        favorites={favorites}
        labelledBy={headingId}
        className={`${shared.menuList} ${classes.list}`}
        renderLink={({ nomeRelatorio: nome, nomeGrupo: workspace, groupId, reportId, idRelatorio }) => {
          const report = { nome, reportId, idRelatorio }
          const place = { workspace, groupId }
          return (
            <Link
              to={links.pathOf(place, report)}
              draggable={false}
              // Not aria-current, which the same report has in its workspace below.
              data-current={links.isCurrent(active, place, report) || undefined}
              className={`${shared.menuLink} ${classes.link} ${classes.favorite}`}
            >
              {nome}
            </Link>
          )
        }}
      />
    </div>
  )
}
