import { ApiProblem } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { type PropsWithChildren, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  changesOf,
  idsOf,
  overrideWithMine,
  type ReportRef,
  rebaseMarks,
  tickReports,
  ticksOf,
} from './ticks.ts'
import { useSetSave } from './use-set-save.ts'

const report = (idRelatorio: number): ReportRef => ({
  idRelatorio,
  nomeRelatorio: `Relatório ${idRelatorio}`,
  idGrupoRelatorio: 1,
})
const [one, two, three] = [report(1), report(2), report(3)]

/** The server's set. */
let held: ReportRef[]
const save = vi.fn<(ids: number[], ifMatch: string) => Promise<ReportRef[]>>()
const onSaved = vi.fn()
const tagOf = (reports: ReportRef[]) => `"${reports.map(({ idRelatorio }) => idRelatorio).join()}"`
const reread = async () => ({ rows: held, tag: tagOf(held) })

/** The sets sent, in order. */
const sets = () => save.mock.calls.map(([ids]) => ids)

const start = () =>
  renderHook(
    () => {
      const [ticks, setTicks] = useState(() => ticksOf(held))
      const saving = useSetSave({ ticks, setTicks, reread, save, onSaved })
      return { ticks, setTicks, saving }
    },
    {
      wrapper: ({ children }: PropsWithChildren) => {
        const [client] = useState(() => new QueryClient())
        return <QueryClientProvider client={client}>{children}</QueryClientProvider>
      },
    },
  ).result
type Screen = ReturnType<typeof start>

const tick = ({ current }: Screen, reports: ReportRef[], isTicked: boolean) =>
  act(() => current.setTicks(tickReports(current.ticks, reports, isTicked)))
const press = ({ current }: Screen) => act(() => current.saving.start())
const settle = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const confirm = async ({ current }: Screen, wanted = current.saving.review?.mine) => {
  act(() => wanted && current.saving.confirm(wanted))
  await settle()
}

beforeEach(() => {
  vi.useFakeTimers()
  held = [one, two]
  onSaved.mockReset()
  save.mockReset().mockImplementation(async (ids) => {
    held = ids.map(report)
    return held
  })
})
afterEach(() => void vi.useRealTimers())

test('useSetSave sends a set to which something was added at once', async () => {
  const screen = start()
  tick(screen, [three], true)
  press(screen)
  await settle()
  expect(screen.current.saving.review).toBeUndefined()
  expect(sets()).toEqual([[1, 2, 3]])
  expect(screen.current.saving.outcome).toMatchObject({ added: [three], removed: [] })
})

test('useSetSave keeps what was unticked while the set was saved', async () => {
  const screen = start()
  tick(screen, [three], true)
  press(screen)
  tick(screen, [three], false)
  await settle()
  expect(sets()).toEqual([[1, 2, 3]])
  expect(changesOf(screen.current.ticks)).toEqual({ added: [], removed: [three] })
  expect(screen.current.saving.outcome).toBeUndefined()
})

test('useSetSave sends a set from which something was removed only after the summary is confirmed', async () => {
  const screen = start()
  tick(screen, [three], true)
  tick(screen, [one], false)
  press(screen)
  await settle()
  expect(save).not.toHaveBeenCalled()
  expect(screen.current.saving.review?.kind).toBe('summary')
  await confirm(screen)
  expect(sets()).toEqual([[2, 3]])
  expect(onSaved).toHaveBeenCalledOnce()
  expect(screen.current.saving.review).toBeUndefined()
  expect(screen.current.saving.outcome).toMatchObject({ added: [three], removed: [one] })
  expect(screen.current.saving.isNoneShown).toBe(false)
  tick(screen, [one], true)
  expect(screen.current.saving.outcome).toBeUndefined()
})

test('the message of a save closes after 6 s', async () => {
  const screen = start()
  tick(screen, [three], true)
  press(screen)
  await confirm(screen)
  await settle(5_900)
  expect(screen.current.saving.outcome).toMatchObject({ added: [three] })
  await settle(200)
  expect(screen.current.saving.outcome).toBeUndefined()
})

test('useSetSave warns for 2 s after a save with nothing ticked', async () => {
  const screen = start()
  tick(screen, [one, two], false)
  press(screen)
  await confirm(screen)
  expect(sets()).toEqual([[]])
  expect(screen.current.saving.isNoneShown).toBe(true)
  await settle(1_990)
  expect(screen.current.saving.isNoneShown).toBe(true)
  await settle(20)
  expect(screen.current.saving.isNoneShown).toBe(false)
})

test('useSetSave saves an unchanged empty set without confirmation, and warns', async () => {
  held = []
  const screen = start()
  press(screen)
  await settle()
  expect(sets()).toEqual([[]])
  expect(screen.current.saving.isNoneShown).toBe(true)
})

test('useSetSave keeps a report that was ticked during a save for the next save', async () => {
  held = []
  const screen = start()
  press(screen)
  tick(screen, [three], true)
  await settle()
  expect(sets()).toEqual([[]])
  expect(changesOf(screen.current.ticks).added).toEqual([three])
  expect(screen.current.saving.outcome).toBeUndefined()
})

test('useSetSave offers reports that were ticked during a failed save', async () => {
  held = []
  save.mockRejectedValueOnce(new TypeError('fetch failed'))
  const screen = start()
  press(screen)
  tick(screen, [three], true)
  await settle()
  await confirm(screen)
  expect(sets()).toEqual([[], [3]])
})

test('useSetSave sends nothing without a change', async () => {
  const screen = start()
  press(screen)
  await settle()
  expect(save).not.toHaveBeenCalled()
  expect(screen.current.saving.outcome).toBe('nothing')
})

test('useSetSave keeps the marks and the dialog after a failure, and the same button retries', async () => {
  save.mockRejectedValueOnce(new TypeError('fetch failed'))
  const screen = start()
  tick(screen, [three], true)
  press(screen)
  await confirm(screen)
  expect(screen.current.saving.error).toBeInstanceOf(TypeError)
  expect(changesOf(screen.current.ticks).added).toEqual([three])
  await confirm(screen)
  expect(held.map(({ idRelatorio }) => idRelatorio)).toEqual([1, 2, 3])
  expect(screen.current.saving.review).toBeUndefined()
})

test("useSetSave shows another user's change before writing anything", async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  expect(save).not.toHaveBeenCalled()
  const review = screen.current.saving.review
  if (review?.kind !== 'conflict') throw new Error('no conflict was shown')
  expect(review.current).toEqual([one])
  await confirm(screen, rebaseMarks(review.mine, review.current))
  expect(sets()).toEqual([[1, 3]])
})

test('useSetSave asks again when the set changes during the choice', async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  held = []
  await confirm(screen, rebaseMarks(screen.current.ticks, [one]))
  expect(save).not.toHaveBeenCalled()
  const review = screen.current.saving.review
  if (review?.kind !== 'conflict') throw new Error('no conflict was shown')
  expect(review.current).toEqual([])
  await confirm(screen, overrideWithMine(review.mine, review.current))
  expect(save.mock.calls[0]?.[0].toSorted()).toEqual([1, 2, 3])
})

test("useSetSave shows another user's change when a save is refused with 412", async () => {
  const screen = start()
  tick(screen, [three], true)
  save.mockImplementationOnce(async (_, ifMatch) => {
    expect(ifMatch).toBe(tagOf([one, two]))
    held = [one]
    throw new ApiProblem(412, { codigo: 'versao_antiga', detail: 'Outra pessoa alterou esta lista.' })
  })
  press(screen)
  await confirm(screen)
  const review = screen.current.saving.review
  if (review?.kind !== 'conflict') throw new Error('no conflict was shown')
  expect(review.current).toEqual([one])
  expect(save).toHaveBeenCalledOnce()
})

test('useSetSave reports a 412 without a visible change after three attempts', async () => {
  const screen = start()
  tick(screen, [three], true)
  save.mockRejectedValue(new ApiProblem(412, { codigo: 'versao_antiga', detail: 'Outra pessoa alterou.' }))
  press(screen)
  await confirm(screen)
  expect(save).toHaveBeenCalledTimes(3)
  expect(screen.current.saving.error).toBeInstanceOf(ApiProblem)
})

test("useSetSave adopts the other user's set", async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  act(() => screen.current.saving.adopt(held))
  expect(idsOf(screen.current.ticks)).toEqual([1])
  expect(save).not.toHaveBeenCalled()
})
