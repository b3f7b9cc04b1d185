import { type ReportChoice, workspacesApi } from '@bi-manager/contract'
import { Accordion, Skeleton, Stack } from '@mantine/core'
import { IconFolder, IconFolderOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { workspacesKey } from '../../lib/api/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import classes from './report-set.module.css'
import { TickList, type TickListProps } from './tick-list.tsx'
import { countsByGroup } from './ticks.ts'
import { usePages } from './use-pages.ts'
import type { GroupNames } from './workspace-names.ts'

/** Loads the reports of one workspace. */
export interface LoadGroup {
  queryKey: readonly unknown[]
  load: (idGrupoRelatorio: number, signal: AbortSignal) => Promise<ReportChoice[]>
}

export interface WorkspaceTicksProps extends Pick<TickListProps, 'ticks' | 'onTick' | 'hint'> {
  names: GroupNames
  loadGroup: LoadGroup
  /** Filters by workspace name; '' for all. */
  search: string
}

export const useWorkspacePages = (search: string) =>
  usePages([...workspacesKey, 'escolha'], workspacesApi.options, search, { size: search ? 5 : 25 })

/** Lists the workspaces in pages with their ticked counts; reports load when one is opened. */
export const WorkspaceTicks = ({ names, loadGroup, search, ...lists }: WorkspaceTicksProps) => {
  const { rows, error, isFetching, refetch, hasMore, showMore, isFetchingMore } = useWorkspacePages(search)
  if (!rows && error) return <ListFailure error={error} isFetching={isFetching} onRetry={refetch} />
  if (!rows) return <WorkspacesSkeleton />
  if (rows.length === 0)
    return <InlineMessage icon={IconFolderOff}>Nenhum workspace cadastrado ainda.</InlineMessage>
  const counts = countsByGroup(lists.ticks)
  return (
    <>
      <Accordion
        multiple
        order={search ? 4 : 3}
        keepMounted={false}
        transitionDuration={160}
        classNames={{
          item: shared.lastOpen ?? '',
          control: shared.menuControl ?? '',
          content: classes.content ?? '',
        }}
      >
        {rows.map(({ idGrupoRelatorio: id, nomeGrupo }) => (
          <Accordion.Item key={id} value={String(id)}>
            <Accordion.Control icon={<IconFolder size={18} stroke={1.6} aria-hidden />}>
              <span className={shared.workspace}>
                {nomeGrupo}
                <span className={classes.count} data-some={(counts.get(id) ?? 0) > 0 || undefined}>
                  {countText(counts.get(id) ?? 0, names.sizeOf(id))}
                </span>
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              <WorkspacePanel id={id} name={nomeGrupo} loadGroup={loadGroup} {...lists} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {hasMore && (
        <Button variant="subtle" loading={isFetchingMore} onClick={showMore}>
          Mostrar mais workspaces
        </Button>
      )}
    </>
  )
}

const WorkspacePanel = ({
  id,
  name,
  loadGroup: { queryKey, load },
  ...lists
}: Pick<WorkspaceTicksProps, 'ticks' | 'onTick' | 'hint' | 'loadGroup'> & { id: number; name: string }) => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, id],
    queryFn: ({ signal }) => load(id, signal),
  })
  if (data?.length === 0) return <p className={shared.note}>Este workspace ainda não tem relatórios.</p>
  if (data) return <TickList label={name} reports={data} offersAll {...lists} />
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return (
    <Stack gap="lg" px="xs" py={8} role="status" aria-label={`Carregando ${name}`}>
      <Skeleton height={18} width="50%" />
      <Skeleton height={18} width="62%" />
    </Stack>
  )
}

const WorkspacesSkeleton = () => (
  <Stack gap="lg" px="xs" py={8} role="status" aria-label="Carregando os workspaces">
    {[48, 60, 42, 55].map((width) => (
      <Skeleton key={width} height={22} width={`${width}%`} />
    ))}
  </Stack>
)

/** Returns '3 de 12'. The size may be outdated, so the total is never below the count. */
const countText = (ticked: number, size: number | undefined): string => {
  if (size === undefined) return ticked.toLocaleString('pt-BR')
  return `${ticked.toLocaleString('pt-BR')} de ${Math.max(size, ticked).toLocaleString('pt-BR')}`
}
