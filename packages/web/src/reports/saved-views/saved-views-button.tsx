import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { LoadedPanel } from '../viewer/toolbar/loaded-panel.tsx'
import { ReportPopover } from '../viewer/toolbar/report-popover.tsx'

const importPanel = () => import('./saved-views-panel.tsx')

const texts = {
  loading: 'Carregando as visões salvas',
  failed: 'As visões salvas não puderam ser baixadas. Verifique sua conexão.',
}

interface SavedViewsButtonProps {
  report: Pick<ViewedReport, 'show' | 'capture'>
  /** Undefined until the report is open. */
  idRelatorio: number | undefined
  isLoaded: boolean
  loadPanel?: typeof importPanel
}

/** The toolbar's 'Visões salvas'; the panel's code is fetched on hover or focus. */
export const SavedViewsButton = ({
  report,
  idRelatorio,
  isLoaded,
  loadPanel = importPanel,
}: SavedViewsButtonProps) => {
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
          <LoadedPanel
            name="visoes-salvas"
            load={loadPanel}
            texts={texts}
            panel={{ report, idRelatorio, close, onAsking: setAsking }}
          />
        )
      }
    </ReportPopover>
  )
}
