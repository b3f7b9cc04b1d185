import { useState } from 'react'
import { useDraft } from '../../ui/entity-form/use-draft.ts'
import { isChanged, type Mark, type ReportRef, type Ticks, tickReports, ticksOf } from './ticks.ts'

/** Holds a checklist's marks on top of the server's set. They survive the end of the session. */
export const useTicks = (reports: readonly ReportRef[]) => {
  const draft = useDraft<Mark[]>('marcas')
  const [ticks, setTicks] = useState(() => ticksOf(reports, draft.restored))
  const [isRestored, setRestored] = useState(() => draft.restored !== undefined && isChanged(ticks))
  draft.keep(isChanged(ticks) ? [...ticks.marks.values()] : undefined)
  return {
    ticks,
    setTicks: (next: Ticks) => {
      setRestored(false)
      setTicks(next)
    },
    tick: (changed: readonly ReportRef[], isTicked: boolean) =>
      setTicks((before) => tickReports(before, changed, isTicked)),
    /** The marks come from a draft of before the session ended. */
    isRestored,
  }
}

export type TicksState = ReturnType<typeof useTicks>
