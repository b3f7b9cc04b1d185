import {
  type DefaultError,
  type MutationFunction,
  notifyManager,
  type UseMutateFunction,
  type UseMutationOptions,
  // biome-ignore lint/style/noRestrictedImports: the guard itself
  useMutation,
} from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * TanStack's `useMutation` for one run at a time: `mutate` does nothing while a run is in progress,
 * so that a double click sends one request. `reset` allows the next run. What is sent is what the
 * screen shows: `useMutation` itself learns of new options only after the screen was drawn.
 */
export const useExclusiveMutation = <
  TData = unknown,
  TError = DefaultError,
  TVariables = void,
  TContext = unknown,
>(
  options: UseMutationOptions<TData, TError, TVariables, TContext> & {
    mutationFn: MutationFunction<TData, TVariables>
  },
) => {
  const send = useRef(options.mutationFn)
  useLayoutEffect(() => {
    send.current = options.mutationFn
  })
  const {
    mutateAsync,
    reset: resetMutation,
    ...mutation
  } = useMutation({
    ...options,
    mutationFn: (...input) => send.current(...input),
  })
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
