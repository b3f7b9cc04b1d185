import { useState } from 'react'
import { useDraft } from '../record-form/use-draft.ts'
import { isChanged, type Mark, type ReportRef, type Ticks, ticksOf, withTicks } from './ticks.ts'

export interface TicksState {
  ticks: Ticks
  setTicks: (ticks: Ticks) => void
  tick: (reports: readonly ReportRef[], isTicked: boolean) => void
  /** Ticked before the session ended, and brought back. */
  isRestored: boolean
}

/** The state of a checklist, on top of what the server holds. Marks survive a session that ends under them. */
export const useTicks = (reports: readonly ReportRef[]): TicksState => {
  const draft = useDraft<Mark[]>('marcas')
  const [ticks, setTicks] = useState(() => ticksOf(reports, draft.restored))
  const [isRestored, setRestored] = useState(() => draft.restored !== undefined && isChanged(ticks))
  draft.keep(isChanged(ticks) ? [...ticks.marks.values()] : undefined)
  return {
    ticks,
    setTicks: (next) => {
      setRestored(false)
      setTicks(next)
    },
    tick: (changed, isTicked) => setTicks((before) => withTicks(before, changed, isTicked)),
    isRestored,
  }
}
