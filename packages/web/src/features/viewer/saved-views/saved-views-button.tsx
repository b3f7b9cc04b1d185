import { Skeleton } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ViewedReport } from '../opening/use-report.ts'
import { ReportPopover } from '../toolbar/report-popover.tsx'

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
  // Errors are ignored: opening the panel fetches the chunk again and shows the error.
  const preload = () => void loadPanel().catch(() => undefined)
  return (
    <ReportPopover
      label="Visões salvas"
      icon={IconBookmark}
      width={22}
      isDisabled={!isLoaded || idRelatorio === undefined}
      stays={isAsking}
      onNear={preload}
    >
      {(close) =>
        idRelatorio !== undefined && (
          <Suspense fallback={<Skeleton height={80} />}>
            <SavedViewsPanel report={report} idRelatorio={idRelatorio} close={close} onAsking={setAsking} />
          </Suspense>
        )
      }
    </ReportPopover>
  )
}
