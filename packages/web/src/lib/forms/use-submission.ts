import { ApiProblem } from '@bi-manager/contract'
import { messageOf } from '../api/api.ts'
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts'
import { waitSentence } from '../text/wait-sentence.ts'

/** Submits a form once, however often its button is pressed, and words the errors. */
export const useSubmission = <T>(send: () => Promise<T>, onDone: (answer: T) => void) => {
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: send,
    // The answer may contain personal data.
    gcTime: 0,
    onSuccess: onDone,
  })
  const refused = error instanceof ApiProblem ? error : undefined
  return {
    submit: () => mutate(),
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
