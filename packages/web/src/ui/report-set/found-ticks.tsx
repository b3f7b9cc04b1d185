import { grantsApi } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { ListFailure } from '../data-table/list-failure.tsx'
import { InlineMessage } from '../inline-message.tsx'
import classes from './report-set.module.css'
import { TickList, type TickListProps } from './tick-list.tsx'
import { type Pages, usePages } from './use-pages.ts'
import { useWorkspacePages, WorkspaceTicks, type WorkspaceTicksProps } from './workspace-ticks.tsx'

type FoundTicksProps = WorkspaceTicksProps & Pick<TickListProps, 'placeOf'>

/** Shows search results: workspaces to open, and reports of any workspace to tick. */
export const FoundTicks = ({ placeOf, ...props }: FoundTicksProps) => {
  const { search, ticks, onTick, hint } = props
  const reports = usePages(['relatorios', 'escolha'], grantsApi.listReports, search)
  const workspaces = useWorkspacePages(search)
  const { rows } = reports

  if (isWaiting(reports) || isWaiting(workspaces))
    return (
      <div role="status" aria-label="Pesquisando" className={classes.skeleton}>
        <Skeleton height={18} width="55%" />
        <Skeleton height={18} width="40%" />
        <Skeleton height={18} width="62%" />
      </div>
    )
  if (rows?.length === 0 && workspaces.rows?.length === 0) return <NothingFound />
  return (
    <div className={classes.found} data-stale={reports.isFetching || undefined}>
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
          <h3 className={classes.foundHeading}>Workspaces</h3>
          <WorkspaceTicks {...props} />
        </section>
      )}
      {!rows && (
        <ListFailure error={reports.error} isFetching={reports.isFetching} onRetry={reports.refetch} />
      )}
      {rows && rows.length > 0 && (
        <section aria-label="Relatórios encontrados">
          <h3 className={classes.foundHeading}>Relatórios</h3>
          <TickList
            label="Relatórios encontrados"
            reports={rows}
            ticks={ticks}
            onTick={onTick}
            hint={hint}
            placeOf={placeOf}
          />
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
const isWaiting = ({ rows, error }: Pick<Pages<unknown>, 'rows' | 'error'>): boolean => !rows && !error

export const NothingFound = () => (
  <div role="status">
    <InlineMessage icon={IconSearchOff}>Sem resultados para essa pesquisa!</InlineMessage>
  </div>
)
