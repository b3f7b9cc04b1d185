import type { MenuWorkspace } from '@bi-manager/contract'
import { MENU_MATCHES } from '@bi-manager/contract'
import { Box, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolderOff, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noReports } from '../../lib/navigation/no-reports.ts'
import { useSession } from '../../lib/session/session.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import shared from '../../ui/shared.module.css'
import { isCut, isLazy, menuSearchQuery, menusQuery } from '../menu/menu.ts'
import classes from './home-page.module.css'
import { WorkspaceCards } from './workspace-cards.tsx'

/**
 * Returns workspaces with their matching reports; one whose name matches keeps all reports. Those
 * without reports are listed only while nothing is searched.
 */
export const filterWorkspaces = (workspaces: MenuWorkspace[], search: string): MenuWorkspace[] =>
  workspaces
    .map((workspace) =>
      matchesSearch(workspace.workspace, search)
        ? workspace
        : {
            ...workspace,
            relatorios: workspace.relatorios.filter(({ nome }) => matchesSearch(nome, search)),
          },
    )
    .filter((workspace) => !search.trim() || workspace.relatorios.length > 0)

const SEARCH_DELAY_MS = 250

export const ReportsSection = () => {
  const session = useSession()
  const menu = useQuery(menusQuery)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, SEARCH_DELAY_MS)
  // The server searches a menu that was delivered without its reports.
  const asksServer = search.trim() !== '' && menu.data !== undefined && menu.data.some(isLazy)
  const answer = useQuery(menuSearchQuery(asksServer ? settled : ''))

  const { error, refetch, isFetching } = asksServer ? answer : menu
  const found = asksServer ? answer.data : menu.data && filterWorkspaces(menu.data, search)

  return (
    <section aria-labelledby="relatorios">
      <Box className={shared.spreadWide} mih="2.25rem" mb="md">
        <h2 id="relatorios" className={shared.heading}>
          Seus relatórios
        </h2>
        {menu.data && menu.data.length > 0 && (
          <PageSearch
            label="Buscar relatório ou workspace"
            value={search}
            onChange={setSearch}
            className={classes.search}
          />
        )}
      </Box>
      {found && menu.data && !(asksServer && error) ? (
        found.length > 0 ? (
          <div aria-busy={asksServer && isFetching}>
            <WorkspaceCards menu={menu.data} found={found} />
            {asksServer && isCut(found) && (
              <Box component="p" className={shared.smallNote} mt="md" ta="center">
                Só os primeiros {MENU_MATCHES} relatórios. Escreva mais para achar o que procura.
              </Box>
            )}
          </div>
        ) : (
          <div className={`${shared.surface} ${classes.card}`}>
            {search.trim() ? (
              <InlineMessage icon={IconSearchOff}>Desculpe! Sem resultados para essa pesquisa.</InlineMessage>
            ) : (
              <InlineMessage icon={IconFolderOff}>{noReports(session?.tipo)}</InlineMessage>
            )}
          </div>
        )
      ) : error ? (
        <div className={`${shared.surface} ${classes.card}`}>
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        </div>
      ) : (
        <CardSkeletons />
      )}
    </section>
  )
}

export const CardSkeletons = () => (
  <div
    className={`${classes.cards} ${classes.skeletons}`}
    role="status"
    aria-label="Carregando seus relatórios"
  >
    {[3, 2, 4].map((lines) => (
      <div key={lines} className={`${shared.surface} ${classes.card}`}>
        <Skeleton height={22} width="55%" mb="lg" />
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder lines, never reordered
          <Skeleton key={line} height={16} width={`${85 - line * 12}%`} mb="sm" />
        ))}
      </div>
    ))}
  </div>
)
