// @vitest-environment happy-dom
import { ApiProblem } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { type PropsWithChildren, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changesOf, idsOf, joined, overriding, type ReportRef, ticksOf, withTicks } from './ticks.ts'
import { useSetSave } from './use-set-save.ts'

const report = (idRelatorio: number): ReportRef => ({
  idRelatorio,
  nomeRelatorio: `Relatório ${idRelatorio}`,
  idGrupoRelatorio: 1,
})
const [one, two, three] = [report(1), report(2), report(3)]

/** What the server holds. */
let held: ReportRef[]
const save = vi.fn<(ids: number[], ifMatch: string) => Promise<ReportRef[]>>()
const onSaved = vi.fn()
const tagOf = (reports: ReportRef[]) => `"${reports.map(({ idRelatorio }) => idRelatorio).join()}"`
const reread = async () => ({ rows: held, tag: tagOf(held) })

/** The sets sent, in their order. */
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
  act(() => current.setTicks(withTicks(current.ticks, reports, isTicked)))
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

test('nothing is sent before the summary was confirmed; then the whole set goes at once', async () => {
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

test('saved with nothing ticked, the warning shows for 2 s', async () => {
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

test('nothing ticked before or after needs no confirmation, and warns all the same', async () => {
  held = []
  const screen = start()
  press(screen)
  await settle()
  expect(sets()).toEqual([[]])
  expect(screen.current.saving.isNoneShown).toBe(true)
})

test('what is ticked while that save runs stays ticked, and waits for the next one', async () => {
  held = []
  const screen = start()
  press(screen)
  tick(screen, [three], true)
  await settle()
  expect(sets()).toEqual([[]])
  expect(changesOf(screen.current.ticks).added).toEqual([three])
  expect(screen.current.saving.outcome).toBeUndefined()
})

test('…also when it fails: the dialog then offers what is ticked by now', async () => {
  held = []
  save.mockRejectedValueOnce(new TypeError('fetch failed'))
  const screen = start()
  press(screen)
  tick(screen, [three], true)
  await settle()
  await confirm(screen)
  expect(sets()).toEqual([[], [3]])
})

test('without a change nothing is sent', async () => {
  const screen = start()
  press(screen)
  await settle()
  expect(save).not.toHaveBeenCalled()
  expect(screen.current.saving.outcome).toBe('nothing')
})

test('a failure keeps the marks and the dialog, and the same press tries again', async () => {
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

test('somebody else saved meanwhile: nothing is written before the person chose', async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  expect(save).not.toHaveBeenCalled()
  const review = screen.current.saving.review
  if (review?.kind !== 'conflict') throw new Error('no conflict was shown')
  expect(review.current).toEqual([one])
  await confirm(screen, joined(review.mine, review.current))
  expect(sets()).toEqual([[1, 3]])
})

test('…and once more while they chose: asked again, on what holds now', async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  held = []
  await confirm(screen, joined(screen.current.ticks, [one]))
  expect(save).not.toHaveBeenCalled()
  const review = screen.current.saving.review
  if (review?.kind !== 'conflict') throw new Error('no conflict was shown')
  expect(review.current).toEqual([])
  await confirm(screen, overriding(review.mine, review.current))
  expect(save.mock.calls[0]?.[0].toSorted()).toEqual([1, 2, 3])
})

test('a save that another one overtook between look and write is refused, and the other change is shown', async () => {
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

test('a refusal that says no more than that is tried three times, then told', async () => {
  const screen = start()
  tick(screen, [three], true)
  save.mockRejectedValue(new ApiProblem(412, { codigo: 'versao_antiga', detail: 'Outra pessoa alterou.' }))
  press(screen)
  await confirm(screen)
  expect(save).toHaveBeenCalledTimes(3)
  expect(screen.current.saving.error).toBeInstanceOf(ApiProblem)
})

test('the other state can be taken as it is', async () => {
  const screen = start()
  tick(screen, [three], true)
  held = [one]
  press(screen)
  await confirm(screen)
  act(() => screen.current.saving.adopt(held))
  expect(idsOf(screen.current.ticks)).toEqual([1])
  expect(save).not.toHaveBeenCalled()
})
