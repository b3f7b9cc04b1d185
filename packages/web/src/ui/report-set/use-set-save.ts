import { ApiProblem } from '@bi-manager/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { TaggedSet } from '../../lib/api.ts'
import { useMessageFor } from '../use-message-for.ts'
import {
  type Changes,
  changesBetween,
  changesOf,
  countOf,
  idsOf,
  isChanged,
  type ReportRef,
  type Ticks,
  ticksOf,
} from './ticks.ts'

/** How long the product warns after a save with nothing ticked. */
const NONE_TICKED_MS = 2_000

/** Only somebody who changes a set and changes it back, between our two calls, leads to more than two. */
const MOST_ATTEMPTS = 3

const isOldVersion = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412

export interface SetSaveOptions {
  ticks: Ticks
  setTicks: (ticks: Ticks) => void
  /** The set as the server holds it at this moment. */
  reread: () => Promise<TaggedSet<ReportRef>>
  /** Replaces the whole set at once, unless it is no more the one of that tag; answers what the server then holds. */
  save: (ids: number[], ifMatch: string) => Promise<ReportRef[]>
  onSaved: () => void
}

/** What the dialog is about; both are states of the moment in which it opened. */
export type Review =
  | { kind: 'summary'; mine: Ticks }
  | { kind: 'conflict'; mine: Ticks; current: ReportRef[] }

export interface SetSave {
  /** 'Salvar' was pressed: shows the changes first. */
  start: () => void
  confirm: (wanted: Ticks) => void
  /** Takes the server's set and forgets the person's marks. */
  adopt: (current: ReportRef[]) => void
  review: Review | undefined
  closeReview: () => void
  isSaving: boolean
  error: unknown
  /** What was saved last, until something is ticked again; 'nothing' where there was nothing to save. */
  outcome: Changes | 'nothing' | undefined
  /** The 2 s warning. */
  isNoneShown: boolean
}

interface Attempt {
  wanted: Ticks
  /** What was on the screen when it was sent. */
  from: Ticks
}

type Answer = { saved: ReportRef[] } | { conflict: ReportRef[] }

/**
 * Saving a set: summary, then a look at what the server holds now. Where somebody else changed it since it was read,
 * nothing is written before the person chose what becomes of both changes.
 */
export const useSetSave = ({ ticks, setTicks, reread, save, onSaved }: SetSaveOptions): SetSave => {
  const [review, setReview] = useState<Review>()
  const [told, setTold] = useState<{ ticks: Ticks; outcome: Changes | 'nothing' }>()
  const [isNoneShown, showNone] = useMessageFor(NONE_TICKED_MS)

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async ({ wanted }: Attempt): Promise<Answer> => {
      for (let attempt = 1; ; attempt++) {
        const { rows: current, tag } = await reread()
        const { added, removed } = changesBetween(wanted.base, current)
        if (added.length + removed.length > 0) return { conflict: current }
        try {
          return { saved: await save(idsOf(wanted), tag) }
        } catch (error) {
          // Somebody saved between the two calls: another look tells what.
          if (attempt === MOST_ATTEMPTS || !isOldVersion(error)) throw error
        }
      }
    },
    networkMode: 'always',
    // `ticks` are those of the latest render. Where no dialog is open, boxes may have been ticked while the call ran.
    onSuccess: (answer, { wanted, from }) => {
      if ('conflict' in answer) return setReview({ kind: 'conflict', mine: ticks, current: answer.conflict })
      const next = ticksOf(answer.saved, ticks === from ? [] : ticks.marks.values())
      setTicks(next)
      setReview(undefined)
      if (!isChanged(next)) setTold({ ticks: next, outcome: changesOf(wanted) })
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
    start: () => {
      reset()
      if (isChanged(ticks)) setReview({ kind: 'summary', mine: ticks })
      else if (countOf(ticks) === 0) mutate({ wanted: ticks, from: ticks })
      else setTold({ ticks, outcome: 'nothing' })
    },
    confirm: (wanted) => mutate({ wanted, from: ticks }),
    adopt: (current) => {
      setTicks(ticksOf(current))
      closeReview()
    },
    review,
    closeReview,
    isSaving: isPending,
    error,
    outcome: told?.ticks === ticks ? told.outcome : undefined,
    isNoneShown,
  }
}
