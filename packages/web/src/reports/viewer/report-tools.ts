import type { ReactNode } from 'react'
import type { ReportIds } from '../../lib/navigation/report-path.ts'
import type { ViewedReport } from './opening/use-report.ts'
import type { ToolbarAction } from './toolbar/toolbar-action.tsx'

interface ShownReport {
  report: ReportIds
  /** Another one for each report: state and keys of the previous report end with it. */
  reportKey: string
  viewed: ViewedReport
  isLoaded: boolean
  search: URLSearchParams
}

/** What a page adds to the viewer: the viewer itself knows no alerts, subscriptions or requests. */
interface ReportTools {
  /** Actions of the toolbar that open a dialog. */
  actions: ToolbarAction[]
  dialogs?: ReactNode
  /** Buttons of the toolbar, before those of the page. */
  buttons?: ReactNode
  /** The button that asks for access, shown when the report is not granted. */
  request?: ReactNode
}

/** A hook: a page gives the viewer the same one at each render. */
export type UseReportTools = (shown: ShownReport) => ReportTools
