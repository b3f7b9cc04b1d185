import { Button, Skeleton } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import type { ViewedReport } from '../opening/use-report.ts'
import { ReportPopover } from '../toolbar/report-popover.tsx'
import type SavedViewsPanel from './saved-views-panel.tsx'

const importPanel = () => import('./saved-views-panel.tsx')

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
            load={loadPanel}
            report={report}
            idRelatorio={idRelatorio}
            close={close}
            onAsking={setAsking}
          />
        )
      }
    </ReportPopover>
  )
}

type PanelProps = ComponentProps<typeof SavedViewsPanel>

/** A failed download, as while offline, is shown in the panel: the open report stays. */
const LoadedPanel = ({ load, ...props }: PanelProps & { load: typeof importPanel }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['codigo', 'visoes-salvas'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  if (data) return <data.default {...props} />
  if (!error) return <Skeleton height={80} />
  return (
    <>
      <ErrorAlert error="As visões salvas não puderam ser baixadas. Verifique sua conexão." />
      <Button variant="default" mt="sm" onClick={() => void refetch()}>
        Tentar novamente
      </Button>
    </>
  )
}
