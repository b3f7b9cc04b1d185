import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import type { ReportFrame } from '../frame/report-frame.ts'
import type { OpeningStatus } from './opening-status.ts'

/** What an opening needs of the page that shows the report. */
export interface OpeningInput {
  address: ReportIds
  search: URLSearchParams
  frame: () => Promise<ReportFrame>
  /** The opening is automatic: it does not count as use of the session. */
  isAutomatic?: boolean
  /**
   * The selections to restore when the report on the screen is reopened in another layout; if not
   * undefined, no second view is written.
   */
  bookmark?: string | null
  /**
   * The person whose identity an ADMIN opens the report with. Such an opening writes neither a view
   * nor usage.
   */
  viewAs?: number | undefined
  onStatus: (change: Partial<OpeningStatus>) => void
  /** Called with the page shown; undefined when the report lacks the page named in the URL. */
  onPage: (pageName: string | undefined) => void
}
