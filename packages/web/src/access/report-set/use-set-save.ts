import { ApiProblem } from '@bi-manager/contract'
import { useState } from 'react'
import type { TaggedSet } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { useMessageFor } from '../../ui/use-message-for.ts'
import {
  type Changes,
  changesBetween,
  changesOf,
  countOf,
  idsOf,
  isChanged,
  overrideWithMine,
  type ReportRef,
  type Ticks,
  ticksOf,
} from './ticks.ts'

/** Duration of the warning after a save with nothing ticked. */
const NONE_TICKED_MS = 2_000

/** More than two are needed only if a set is changed and changed back between our calls. */
const MAX_ATTEMPTS = 3

const isOldVersion = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412

export interface SetSaveOptions {
  ticks: Ticks
  setTicks: (ticks: Ticks) => void
  /** Reads the server's current set. */
  reread: () => Promise<TaggedSet<ReportRef>>
  /** Replaces the whole set if `ifMatch` is still its tag; returns the server's new set. */
  save: (ids: number[], ifMatch: string) => Promise<ReportRef[]>
  onSaved: () => void
}

/** What the dialog shows, as of the moment it opened. */
export type Review =
  | { kind: 'summary'; mine: Ticks }
  | { kind: 'conflict'; mine: Ticks; current: ReportRef[] }

interface Attempt {
  wanted: Ticks
  /** The state on the screen when it was sent. */
  from: Ticks
}

type Answer = { saved: ReportRef[] } | { conflict: ReportRef[] }

/**
 * Saves a set: shows what is removed, if anything, then reads the server's current set. If another user
 * changed it in the meantime, nothing is written until the person chooses how to combine both changes.
 */
export const useSetSave = ({ ticks, setTicks, reread, save, onSaved }: SetSaveOptions) => {
  const [review, setReview] = useState<Review>()
  const [result, setResult] = useState<{ ticks: Ticks; outcome: Changes | 'nothing' }>()
  const [isNoneShown, showNone] = useMessageFor(NONE_TICKED_MS)
  useSuccessClose(result, () => setResult(undefined))

  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: async ({ wanted }: Attempt): Promise<Answer> => {
      for (let attempt = 1; ; attempt++) {
        const { rows: current, tag } = await reread()
        const { added, removed } = changesBetween(wanted.base, current)
        if (added.length + removed.length > 0) return { conflict: current }
        try {
          return { saved: await save(idsOf(wanted), tag) }
        } catch (error) {
          // Another user saved between the two calls: the next read shows what.
          if (attempt === MAX_ATTEMPTS || !isOldVersion(error)) throw error
        }
      }
    },
    // `ticks` is of the latest render. Without an open dialog, boxes can be ticked during the call.
    onSuccess: (answer, { wanted, from }) => {
      if ('conflict' in answer) return setReview({ kind: 'conflict', mine: ticks, current: answer.conflict })
      // What was ticked or unticked during the call differs from the saved set.
      const next = ticks === from ? ticksOf(answer.saved) : overrideWithMine(ticks, answer.saved)
      setTicks(next)
      setReview(undefined)
      if (!isChanged(next)) setResult({ ticks: next, outcome: changesOf(wanted) })
      if (answer.saved.length === 0) showNone()
      onSaved()
    },
    onError: () => setReview((before) => before ?? { kind: 'summary', mine: ticks }),
  })

  const closeReview = () => {
    setReview(undefined)
    reset()
  }

  return {
    /** 'Salvar' was pressed: saves, or shows first which permissions would be removed. */
    start: () => {
      // A running save is left alone: `reset` would allow a second one.
      if (error) reset()
      if (changesOf(ticks).removed.length > 0) setReview({ kind: 'summary', mine: ticks })
      else if (isChanged(ticks) || countOf(ticks) === 0) mutate({ wanted: ticks, from: ticks })
      else setResult({ ticks, outcome: 'nothing' })
    },
    confirm: (wanted: Ticks) => mutate({ wanted, from: ticks }),
    /** Adopts the server's set and discards the person's marks. */
    adopt: (current: ReportRef[]) => {
      setTicks(ticksOf(current))
      closeReview()
    },
    review,
    closeReview,
    isSaving: isPending,
    error,
    /** The last saved changes, until the next tick or for 6 s; 'nothing' if there was nothing to save. */
    outcome: result?.ticks === ticks ? result.outcome : undefined,
    /** The 2 s warning is visible. */
    isNoneShown,
  }
}

export type SetSave = ReturnType<typeof useSetSave>
