import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSquareCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import shared from '../../ui/shared.module.css'
import { FoundTicks, NothingFound } from './found-ticks.tsx'
import classes from './report-set.module.css'
import { TickList } from './tick-list.tsx'
import { countOf, type ReportRef, reportsToList } from './ticks.ts'
import type { TicksState } from './use-ticks.ts'
import type { GroupNames } from './workspace-names.ts'
import { type LoadGroup, WorkspaceTicks } from './workspace-ticks.tsx'

export interface ReportPickerProps {
  state: TicksState
  names: GroupNames
  loadGroup: LoadGroup
  hint?: ((report: ReportRef) => ReactNode) | undefined
}

type View = 'todos' | 'marcados'

/**
 * Shows all reports as checkboxes: workspaces in pages, their reports when opened, searches on the
 * server. The ticked reports are in memory, so 'Marcados' lists them without a request.
 */
export const ReportPicker = ({ state, names, loadGroup, hint }: ReportPickerProps) => {
  const { ticks, tick: onTick } = state
  const [view, setView] = useState<View>('todos')
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = typed.trim() ? searched : ''
  const lists = { ticks, onTick, hint }
  const { workspaceOf } = names

  return (
    <div className={shared.stackMd}>
      <div className={`${shared.toolbar} ${classes.tools}`}>
        <PageSearch
          label="Pesquisar relatório"
          value={typed}
          onChange={setTyped}
          className={classes.search}
        />
        <SegmentedControl
          aria-label="Mostrar"
          value={view}
          onChange={(next) => setView(next as View)}
          data={[
            { value: 'todos', label: 'Todos' },
            { value: 'marcados', label: `Marcados (${countOf(ticks).toLocaleString('pt-BR')})` },
          ]}
        />
      </div>
      {view === 'marcados' ? (
        <Ticked {...lists} workspaceOf={workspaceOf} search={typed} />
      ) : search ? (
        <FoundTicks
          {...lists}
          workspaceOf={workspaceOf}
          search={search}
          names={names}
          loadGroup={loadGroup}
        />
      ) : (
        <WorkspaceTicks {...lists} names={names} loadGroup={loadGroup} search="" />
      )}
    </div>
  )
}

const Ticked = ({
  search,
  ...lists
}: Omit<Parameters<typeof TickList>[0], 'label' | 'reports'> & { search: string }) => {
  const all = reportsToList(lists.ticks)
  const found = all.filter((report) =>
    matchesSearch(`${report.nomeRelatorio} ${lists.workspaceOf?.(report) ?? ''}`, search),
  )
  if (all.length === 0)
    return <InlineMessage icon={IconSquareCheck}>Nenhum relatório marcado ainda.</InlineMessage>
  if (found.length === 0) return <NothingFound />
  return <TickList {...lists} label="Relatórios marcados" reports={found} />
}
