import { Button, CloseButton, Skeleton, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconFolderOff, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { menusQuery } from '../../lib/queries.ts'
import { matchesSearch } from '../../lib/search-text.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { FoundReports } from './found-reports.tsx'
import classes from './report-menu.module.css'
import { WorkspaceAccordions } from './workspace-accordions.tsx'

/** From how many reports on the menu offers a search. */
const SEARCH_FROM = 9

/** The reports of the person, grouped by workspace, in the order of the server. */
export const ReportMenu = () => {
  const { data: workspaces, error, refetch, isFetching } = useQuery(menusQuery)
  const [search, setSearch] = useState('')

  if (!workspaces) {
    if (!error) return <MenuSkeleton />
    return (
      <InlineMessage
        alert
        icon={IconAlertTriangle}
        action={
          <Button variant="default" size="xs" loading={isFetching} onClick={() => refetch()}>
            Tentar novamente
          </Button>
        }
      >
        {messageOf(error)}
      </InlineMessage>
    )
  }
  if (workspaces.length === 0)
    return (
      <InlineMessage icon={IconFolderOff}>
        Nenhum relatório liberado para você ainda. Peça acesso a um administrador.
      </InlineMessage>
    )

  const count = workspaces.reduce((sum, { relatorios }) => sum + relatorios.length, 0)
  const found = workspaces.flatMap((workspace) =>
    workspace.relatorios
      .filter(({ nome }) => matchesSearch(`${nome} ${workspace.workspace}`, search))
      .map((report) => ({ workspace, report })),
  )
  return (
    <>
      {count >= SEARCH_FROM && (
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
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {!search.trim() ? (
        <WorkspaceAccordions workspaces={workspaces} />
      ) : found.length > 0 ? (
        <FoundReports found={found} />
      ) : (
        <InlineMessage icon={IconSearchOff}>Desculpe! Sem resultados para essa pesquisa.</InlineMessage>
      )}
    </>
  )
}

const MenuSkeleton = () => (
  <div className={classes.skeleton} role="status" aria-label="Carregando o menu">
    {[70, 55, 80, 62].map((width) => (
      <Skeleton key={width} height={18} width={`${width}%`} radius="sm" />
    ))}
  </div>
)
