import type { ReactNode } from 'react'
import { changesOf, type ReportRef, type Ticks } from '../../ui/report-set/ticks.ts'
import { ReasonsHint, StillSees } from './other-reasons.tsx'

/** Beyond so many removals the reasons are asked for only where somebody presses the button. */
const ASKED_AT_ONCE = 10

/** What to say beside a person's reports, and beside those that a save would take away. */
export const grantHints = (idUsuario: number, ticks: Ticks) => {
  const removed = changesOf(ticks).removed
  const gone = new Set(removed.length > ASKED_AT_ONCE ? [] : removed.map(({ idRelatorio }) => idRelatorio))
  return {
    hint: (report: ReportRef): ReactNode => (
      <ReasonsHint idUsuario={idUsuario} report={report} isUnticked={gone.has(report.idRelatorio)} />
    ),
    removedHint: (report: ReportRef): ReactNode =>
      gone.has(report.idRelatorio) && <StillSees idUsuario={idUsuario} report={report} />,
  }
}
