import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { useExclusiveMutation } from './use-exclusive-mutation.ts'

/** A mutation whose runs end when the test says so. */
const start = () => {
  const runs: PromiseWithResolvers<string>[] = []
  const client = new QueryClient()
  const { result } = renderHook(
    () =>
      useExclusiveMutation({
        mutationFn: () => {
          const run = Promise.withResolvers<string>()
          runs.push(run)
          return run.promise
        },
      }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  )
  return { runs, result }
}

test('useExclusiveMutation ignores a second call of the same moment', async () => {
  const { runs, result } = start()
  act(() => {
    result.current.mutate()
    result.current.mutate()
  })
  await waitFor(() => expect(result.current.isPending).toBe(true))
  act(() => result.current.mutate())
  expect(runs).toHaveLength(1)
})

test.each(['success', 'failure'] as const)('useExclusiveMutation runs again after a %s', async (outcome) => {
  const { runs, result } = start()
  act(() => result.current.mutate())
  await waitFor(() => expect(runs).toHaveLength(1))
  if (outcome === 'success') runs[0]?.resolve('done')
  else runs[0]?.reject(new Error('refused'))
  await waitFor(() => expect(result.current.status).toBe(outcome === 'success' ? 'success' : 'error'))
  act(() => result.current.mutate())
  await waitFor(() => expect(runs).toHaveLength(2))
})

test('useExclusiveMutation runs again after a reset, and the earlier run does not allow a third', async () => {
  const { runs, result } = start()
  act(() => result.current.mutate())
  await waitFor(() => expect(runs).toHaveLength(1))
  act(() => {
    result.current.reset()
    result.current.mutate()
  })
  await waitFor(() => expect(runs).toHaveLength(2))
  await act(async () => runs[0]?.resolve('done'))
  await act(() => new Promise((done) => setTimeout(done, 10)))
  act(() => result.current.mutate())
  expect(runs).toHaveLength(2)
})

interface FormProps {
  value: string
  send: (value: string) => void
}

/** Submits as soon as its second value is on the screen. */
const Form = ({ value, send }: FormProps) => {
  const { mutate } = useExclusiveMutation({ mutationFn: async () => send(value) })
  useLayoutEffect(() => {
    if (value === 'second') mutate()
  })
  return value
}

test('useExclusiveMutation sends what the screen shows, even at the moment it is shown', async () => {
  // As in a browser: `act` would run React's later effects at once.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const sent: string[] = []
  const client = new QueryClient()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const show = (value: string) =>
    root.render(
      <QueryClientProvider client={client}>
        <Form value={value} send={(given) => sent.push(given)} />
      </QueryClientProvider>,
    )
  show('first')
  await vi.waitFor(() => expect(document.body.textContent).toBe('first'))
  show('second')
  await vi.waitFor(() => expect(sent).not.toEqual([]))
  root.unmount()
  vi.unstubAllGlobals()
  expect(sent).toEqual(['second'])
})
