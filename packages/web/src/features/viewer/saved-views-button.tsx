import { ActionIcon, Popover, Skeleton, Tooltip } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ViewedReport } from './use-report.ts'
import { useReportPopover } from './use-report-popover.ts'
import toolbar from './viewer-toolbar.module.css'

const loadPanel = () => import('./saved-views-panel.tsx')
const SavedViewsPanel = lazy(loadPanel)

interface SavedViewsButtonProps {
  report: Pick<ViewedReport, 'show' | 'capture'>
  /** Undefined while it is not known yet. */
  idRelatorio: number | undefined
  isLoaded: boolean
}

/** 'Visões salvas' of the toolbar; what it opens is fetched when somebody comes near. */
export const SavedViewsButton = ({ report, idRelatorio, isLoaded }: SavedViewsButtonProps) => {
  // A dialog over the panel is no part of it: what happens there must not close the panel under it.
  const [isAsking, setAsking] = useState(false)
  const { isOpen, setOpen, returnFocus } = useReportPopover(isAsking)
  // A chunk that cannot be fetched now is asked for again when the panel opens, and says so there.
  const preload = () => void loadPanel().catch(() => undefined)
  return (
    <Popover
      opened={isOpen && isLoaded}
      onChange={setOpen}
      position="bottom-end"
      width="min(22rem, calc(100vw - 1.5rem))"
      shadow="lg"
      radius="lg"
      closeOnClickOutside={!isAsking}
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      returnFocus={returnFocus}
    >
      <Popover.Target>
        <Tooltip label="Visões salvas" openDelay={400} disabled={isOpen}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={toolbar.icon}
            aria-label="Visões salvas"
            disabled={!isLoaded || idRelatorio === undefined}
            onPointerEnter={preload}
            onFocus={preload}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBookmark size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Visões salvas">
        {idRelatorio !== undefined && (
          <Suspense fallback={<Skeleton height={80} />}>
            <SavedViewsPanel
              report={report}
              idRelatorio={idRelatorio}
              close={() => setOpen(false)}
              onAsking={setAsking}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
