import type { ReactNode } from 'react'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { ReviewDialog, type ReviewTexts } from './review-dialog.tsx'
import { SaveBar } from './save-bar.tsx'
import type { ReportRef, Ticks } from './ticks.ts'
import { isChanged, ticksOf } from './ticks.ts'
import type { SetSave } from './use-set-save.ts'

export interface SetSaveBarProps {
  saving: SetSave
  ticks: Ticks
  setTicks: (ticks: Ticks) => void
  texts: ReviewTexts & {
    /** 'Permissões salvas!' */
    saved: string
  }
  workspaceOf?: ((report: ReportRef) => string | undefined) | undefined
  removedHint?: ((report: ReportRef) => ReactNode) | undefined
}

/** 'Salvar' of a set of reports with its messages, its dialogs and the question on leaving. */
export const SetSaveBar = ({ saving, ticks, setTicks, texts, workspaceOf, removedHint }: SetSaveBarProps) => (
  <>
    <SaveBar
      count={ticks.marks.size}
      done={doneText(saving.outcome, texts.saved)}
      warning={saving.isNoneShown && 'Nenhum relatório selecionado: as permissões foram removidas.'}
      isSaving={saving.isSaving && !saving.review}
      onSave={saving.start}
      onDiscard={() => setTicks(ticksOf([...ticks.base.values()]))}
    />
    <ReviewDialog saving={saving} texts={texts} workspaceOf={workspaceOf} removedHint={removedHint} />
    <LeaveDialog isDirty={isChanged(ticks)} />
  </>
)

const doneText = (outcome: SetSave['outcome'], saved: string): string | undefined => {
  if (outcome === undefined) return undefined
  if (outcome === 'nothing') return 'Nada a salvar: nenhuma marca mudou.'
  const { added, removed } = outcome
  const parts = [
    added.length > 0 && `${count(added)} ${added.length === 1 ? 'liberado' : 'liberados'}`,
    removed.length > 0 && `${count(removed)} ${removed.length === 1 ? 'retirado' : 'retirados'}`,
  ].filter(Boolean)
  return parts.length === 0 ? saved : `${saved} ${parts.join(', ')}.`
}

const count = ({ length }: unknown[]) => length.toLocaleString('pt-BR')
