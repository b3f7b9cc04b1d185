import { ActionIcon, Popover, Skeleton, Tooltip } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ViewedReport } from '../opening/use-report.ts'
import { useReportPopover } from '../toolbar/use-report-popover.ts'
import toolbar from '../toolbar/viewer-toolbar.module.css'

const loadPanel = () => import('./saved-views-panel.tsx')
const SavedViewsPanel = lazy(loadPanel)

interface SavedViewsButtonProps {
  report: Pick<ViewedReport, 'show' | 'capture'>
  /** Undefined until the report is open. */
  idRelatorio: number | undefined
  isLoaded: boolean
}

/** The toolbar's 'Visões salvas'; the panel's code is fetched on hover or focus. */
export const SavedViewsButton = ({ report, idRelatorio, isLoaded }: SavedViewsButtonProps) => {
  // A dialog over the panel is outside of it: clicks and Escape there must not close the panel.
  const [isAsking, setAsking] = useState(false)
  const { isOpen, setOpen, returnFocus } = useReportPopover(isAsking)
  // Errors are ignored: opening the panel fetches the chunk again and shows the error.
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
