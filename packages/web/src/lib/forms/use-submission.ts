import { ApiProblem } from '@bi-manager/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOf } from '../api/api.ts'
import { waitSentence } from '../text/wait-sentence.ts'

/** Submits a form once, however often its button is pressed, and words the errors. */
export const useSubmission = <T>(send: () => Promise<T>, onDone: (answer: T) => void) => {
  const isUnderWay = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: send,
    // The answer may contain personal data.
    gcTime: 0,
    onSuccess: onDone,
    // `isPending` changes only at the next render; the ref also blocks the second of two clicks.
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
    /** Field of the contract → error message. */
    faults: refused?.campos ?? {},
    /** The error without a field, as a sentence. */
    problem:
      error && Object.keys(refused?.campos ?? {}).length === 0
        ? // Nothing that writes is sent again by itself: the time is when one may try.
          messageOf(error) + (refused?.status === 429 ? waitSentence(refused.retryAfter ?? 0) : '')
        : undefined,
    /** Clears the error after the input has changed. */
    forget: () => error && reset(),
  }
}
