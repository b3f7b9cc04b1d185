import { grantsApi } from '@bi-manager/contract'
import { Box, Skeleton, Stack } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { TickList, type TickListProps } from './tick-list.tsx'
import { usePages } from './use-pages.ts'
import { useWorkspacePages, WorkspaceTicks, type WorkspaceTicksProps } from './workspace-ticks.tsx'

type FoundTicksProps = WorkspaceTicksProps & Pick<TickListProps, 'workspaceOf'>

/** Shows search results: workspaces to open, and reports of any workspace to tick. */
export const FoundTicks = ({ workspaceOf, ...props }: FoundTicksProps) => {
  const { search, ticks, onTick, hint } = props
  const lists = { ticks, onTick, hint, workspaceOf }
  const reports = usePages([...reportsKey, 'escolha'], grantsApi.listReports, search)
  const workspaces = useWorkspacePages(search)
  const { rows } = reports

  if (isWaiting(reports) || isWaiting(workspaces))
    return (
      <Stack gap="lg" px="xs" py={8} role="status" aria-label="Pesquisando">
        <Skeleton height={18} width="55%" />
        <Skeleton height={18} width="40%" />
        <Skeleton height={18} width="62%" />
      </Stack>
    )
  if (rows?.length === 0 && workspaces.rows?.length === 0) return <NothingFound />
  return (
    <div className={`${shared.kept} ${shared.stackLg}`} data-stale={reports.isFetching || undefined}>
      {/* WorkspaceTicks, mounted on a failed query, would refetch in an endless loop. */}
      {!workspaces.rows && (
        <ListFailure
          error={workspaces.error}
          isFetching={workspaces.isFetching}
          onRetry={workspaces.refetch}
        />
      )}
      {workspaces.rows && workspaces.rows.length > 0 && (
        <section aria-label="Workspaces encontrados">
          <Box component="h3" className={shared.note} mb={4}>
            Workspaces
          </Box>
          <WorkspaceTicks {...props} />
        </section>
      )}
      {!rows && (
        <ListFailure error={reports.error} isFetching={reports.isFetching} onRetry={reports.refetch} />
      )}
      {rows && rows.length > 0 && (
        <section aria-label="Relatórios encontrados">
          <Box component="h3" className={shared.note} mb={4}>
            Relatórios
          </Box>
          <TickList label="Relatórios encontrados" reports={rows} {...lists} />
          {reports.hasMore && (
            <Button variant="subtle" loading={reports.isFetchingMore} onClick={reports.showMore}>
              Mostrar mais relatórios
            </Button>
          )}
        </section>
      )}
    </div>
  )
}

/** Neither data nor an error yet. */
const isWaiting = ({ rows, error }: { rows: unknown; error: unknown }): boolean => !rows && !error

export const NothingFound = () => (
  <div role="status">
    <InlineMessage icon={IconSearchOff}>Sem resultados para essa pesquisa!</InlineMessage>
  </div>
)
