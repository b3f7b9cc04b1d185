import type { EmbeddedReport } from '@bi-manager/contract'
import type { OpenReport, ReportFrame } from '../frame/report-frame.ts'
import type { ViewerProblem } from '../problems/viewer-problem.ts'
import type { Renewal } from '../tokens/token-renewal.ts'

/**
 * Where an opening is:
 *
 *     requesting → loading → loaded → rendered
 *
 * Each of them can become `failed` or `closed`, which are final: `useReopening` starts another
 * opening after a failure.
 */
export type OpeningState =
  /** Token, settings and frame are requested; the frame, once there, loads the provider's page. */
  | { name: 'requesting'; frame?: ReportFrame }
  /** The frame loads the report's structure. */
  | ({ name: 'loading' } & ReportInFrame)
  /** The structure is there, and the frame draws the report for the first time. */
  | ({ name: 'loaded' } & LoadedReport)
  /** The report has been drawn. Later drawings, also failed ones, stay in this state. */
  | ({ name: 'rendered' } & LoadedReport)
  /** The frame is empty and the page shows the problem. */
  | { name: 'failed'; problem: ViewerProblem }
  /** The page has left the report, or opens it again. */
  | { name: 'closed' }

interface ReportInFrame {
  frame: ReportFrame
  embedded: EmbeddedReport
  report: OpenReport
}

interface LoadedReport extends ReportInFrame {
  renewal: Renewal
  /** Milliseconds from the click to the structure. */
  loadedMs: number
}

const successors: Record<OpeningState['name'], readonly OpeningState['name'][]> = {
  requesting: ['requesting', 'loading', 'failed', 'closed'],
  loading: ['loaded', 'failed', 'closed'],
  loaded: ['rendered', 'failed', 'closed'],
  rendered: ['failed', 'closed'],
  failed: ['closed'],
  closed: [],
}

export const mayFollow = (from: OpeningState, to: OpeningState): boolean =>
  successors[from.name].includes(to.name)

/** Returns the state's report once it is loaded. */
export const loadedReport = (state: OpeningState): LoadedReport | undefined =>
  state.name === 'loaded' || state.name === 'rendered' ? state : undefined
