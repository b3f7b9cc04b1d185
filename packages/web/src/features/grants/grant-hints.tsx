import type { ReactNode } from 'react'
import { changesOf, type ReportRef, type Ticks } from '../../ui/report-set/ticks.ts'
import { OtherAccessReasons, RemainingAccess } from './other-reasons.tsx'

/** With more removals than this, the reasons are fetched only when the button is pressed. */
const ASKED_AT_ONCE = 10

/** Returns the hints for each report of a user and for each report that a save would remove. */
export const grantHints = (idUsuario: number, ticks: Ticks) => {
  const removed = changesOf(ticks).removed
  const gone = new Set(removed.length > ASKED_AT_ONCE ? [] : removed.map(({ idRelatorio }) => idRelatorio))
  return {
    hint: (report: ReportRef): ReactNode => (
      <OtherAccessReasons idUsuario={idUsuario} report={report} isUnticked={gone.has(report.idRelatorio)} />
    ),
    removedHint: (report: ReportRef): ReactNode =>
      gone.has(report.idRelatorio) && <RemainingAccess idUsuario={idUsuario} report={report} />,
  }
}
