import { ApiProblem } from '@bi-manager/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOf } from './api.ts'
import { waitSentence } from './wait-sentence.ts'

/** Sends a form of these pages once, however often its button is pressed, and puts into words what went wrong. */
export const useSubmission = <T>(send: () => Promise<T>, onDone: (answer: T) => void) => {
  const isUnderWay = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: send,
    networkMode: 'always',
    // What it answers may be somebody's record.
    gcTime: 0,
    onSuccess: onDone,
    // A pending state is seen only at the next drawing; this is seen by the second of two clicks.
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const refused = error instanceof ApiProblem ? error : undefined
  return {
    submit: () => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutate()
    },
    isPending,
    error,
    /** Field of the contract → what the server said of it. */
    faults: refused?.campos ?? {},
    /** For the screen, where it is about no field. */
    problem:
      error && Object.keys(refused?.campos ?? {}).length === 0
        ? // Nothing that writes is sent again by itself: the time is when one may try.
          messageOf(error) + (refused?.status === 429 ? waitSentence(refused.retryAfter ?? 0) : '')
        : undefined,
    /** What was said is about what stood there before. */
    forget: () => error && reset(),
  }
}
