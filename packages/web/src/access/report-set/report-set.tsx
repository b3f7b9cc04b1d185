import type { ReactNode } from 'react'
import { ReportPicker, type ReportPickerProps } from './report-picker.tsx'
import { RestoredMarks } from './restored-marks.tsx'
import { SetSaveBar, type SetSaveBarProps } from './set-save-bar.tsx'
import type { ReportRef, Ticks } from './ticks.ts'
import { type SetSaveOptions, useSetSave } from './use-set-save.ts'
import { useTicks } from './use-ticks.ts'
import { useGroupNames } from './workspace-names.ts'

interface ReportSetProps extends Omit<SetSaveOptions, 'ticks' | 'setTicks'> {
  /** The set as loaded. */
  reports: ReportRef[]
  texts: SetSaveBarProps['texts']
  loadGroup: ReportPickerProps['loadGroup']
  /** Hints next to each report, and next to those that a save would remove. */
  hintsOf?: (ticks: Ticks) => Record<'hint' | 'removedHint', (report: ReportRef) => ReactNode>
}

/** Edits a set of reports across all workspaces and saves it as a whole. */
export const ReportSet = ({ reports, texts, loadGroup, hintsOf, ...save }: ReportSetProps) => {
  const state = useTicks(reports)
  const names = useGroupNames()
  const { ticks, setTicks, isRestored } = state
  const saving = useSetSave({ ticks, setTicks, ...save })
  const hints = hintsOf?.(ticks)
  return (
    <>
      {isRestored && <RestoredMarks />}
      <ReportPicker state={state} names={names} hint={hints?.hint} loadGroup={loadGroup} />
      <SetSaveBar
        saving={saving}
        ticks={ticks}
        setTicks={setTicks}
        texts={texts}
        workspaceOf={names.workspaceOf}
        removedHint={hints?.removedHint}
      />
    </>
  )
}
