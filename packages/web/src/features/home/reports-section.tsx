import { Button, CloseButton, Skeleton, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconFolderOff, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { menusQuery } from '../../lib/queries.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { filterWorkspaces } from './filter-workspaces.ts'
import classes from './home-page.module.css'
import { WorkspaceCard } from './workspace-card.tsx'

export const ReportsSection = () => {
  const { data: workspaces, error, refetch, isFetching } = useQuery(menusQuery)
  const [search, setSearch] = useState('')
  const found = workspaces && filterWorkspaces(workspaces, search)

  return (
    <section aria-labelledby="relatorios">
      <div className={classes.sectionHeader}>
        <h2 id="relatorios" className={classes.sectionHeading}>
          Seus relatórios
        </h2>
        {workspaces && workspaces.length > 0 && (
          <TextInput
            type="search"
            className={classes.search}
            aria-label="Buscar relatório ou workspace"
            placeholder="Buscar relatório ou workspace"
            leftSection={<IconSearch size={17} aria-hidden />}
            rightSection={
              search && <CloseButton size="sm" aria-label="Limpar busca" onClick={() => setSearch('')} />
            }
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
      </div>
      {found ? (
        found.length > 0 ? (
          <ul className={classes.cards}>
            {found.map((workspace) => (
              <li key={workspace.idGrupoRelatorio} className={classes.card}>
                <WorkspaceCard workspace={workspace} />
              </li>
            ))}
          </ul>
        ) : (
          <div className={classes.card}>
            {search.trim() ? (
              <InlineMessage icon={IconSearchOff}>Desculpe! Sem resultados para essa pesquisa.</InlineMessage>
            ) : (
              <InlineMessage icon={IconFolderOff}>
                Nenhum relatório liberado para você ainda. Peça acesso a um administrador.
              </InlineMessage>
            )}
          </div>
        )
      ) : error ? (
        <div className={classes.card}>
          <InlineMessage
            alert
            icon={IconAlertTriangle}
            action={
              <Button variant="default" loading={isFetching} onClick={() => refetch()}>
                Tentar novamente
              </Button>
            }
          >
            {messageOf(error)}
          </InlineMessage>
        </div>
      ) : (
        <CardSkeletons />
      )}
    </section>
  )
}

const CardSkeletons = () => (
  <div className={classes.cards} role="status" aria-label="Carregando seus relatórios">
    {[3, 2, 4].map((lines) => (
      <div key={lines} className={classes.card}>
        <Skeleton height={22} width="55%" mb="lg" />
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder lines, never reordered
          <Skeleton key={line} height={16} width={`${85 - line * 12}%`} mb="sm" />
        ))}
      </div>
    ))}
  </div>
)
