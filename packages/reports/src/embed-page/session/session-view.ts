import type { EmptyText } from '../state/empty-text.ts'
import type { EmbedProblem } from '../state/problem.ts'
import type { ReportState } from '../state/report-state.ts'
import type { PageResult } from './page-data.ts'

/** The screen, as the session uses it. */
export interface ReportView {
  showLoading(): void
  /** Shows why nothing can be drawn, with a retry button when `retry` is given. */
  showFailure(problem: EmbedProblem, retry?: () => void): void
  /**
   * Shows frame, tabs, panes and, for a new page, skeletons. `busy` marks all visuals as loading,
   * or those in `only`.
   */
  showReport(state: ReportState, busy: boolean, only?: readonly string[]): void
  /** Resolves when the rows are on the screen. */
  drawPage(state: ReportState, result: PageResult, signal: AbortSignal): Promise<void>
  /** Says in empty visuals of the page why they have no rows. */
  explainEmpty(texts: Readonly<Record<string, EmptyText>>): void
  /** Draws this page out of sight for a later `showReport`, until the signal aborts. */
  drawAhead(state: ReportState, result: PageResult, signal: AbortSignal): void
  /** Steps through these bookmarks; an empty list ends the presentation. */
  presentBookmarks(bookmarks: readonly { name: string; displayName: string }[]): void
  /** Fetches the lists of values again: they may be stale. */
  refreshValues(): void
  /** Shows the reader a sentence next to the report. */
  showMessage(sentence: string): void
  /** Like `showMessage`, for a refused choice: the controls return to the values in force. */
  showRefusal(sentence: string): void
  /** Keeps the frame and shows in the page why the data call failed. */
  failPage(problem: EmbedProblem): void
}
