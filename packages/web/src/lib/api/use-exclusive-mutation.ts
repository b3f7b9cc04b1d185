import {
  type DefaultError,
  notifyManager,
  type UseMutateFunction,
  type UseMutationOptions,
  // biome-ignore lint/style/noRestrictedImports: the guard itself
  useMutation,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * TanStack's `useMutation` for one run at a time: `mutate` does nothing while a run is in progress,
 * so that a double click sends one request. `reset` allows the next run.
 */
export const useExclusiveMutation = <
  TData = unknown,
  TError = DefaultError,
  TVariables = void,
  TContext = unknown,
>(
  options: UseMutationOptions<TData, TError, TVariables, TContext>,
) => {
  const { mutateAsync, reset: resetMutation, ...mutation } = useMutation(options)
  // `isPending` changes only at the next render, after a second click of the same moment.
  const running = useRef<Promise<unknown>>(undefined)
  const mutate = useCallback<UseMutateFunction<TData, TError, TVariables, TContext>>(
    (...input) => {
      if (running.current) return
      const run = mutateAsync(...input)
      running.current = run
      const release = () => {
        if (running.current === run) running.current = undefined
      }
      // Released once the result is on the screen.
      const schedule = () => notifyManager.schedule(release)
      run.then(schedule, schedule)
    },
    [mutateAsync],
  )
  const reset = useCallback(() => {
    running.current = undefined
    resetMutation()
  }, [resetMutation])
  return { ...mutation, mutate, reset }
}
