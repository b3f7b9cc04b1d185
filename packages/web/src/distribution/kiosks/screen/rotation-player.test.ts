import type { KioskRotationPage } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type PlayerStatus, RotationPlayer } from './rotation-player.ts'

/** A stage whose drawings the test ends. */
const createStage = () => {
  const drawings: { page: KioskRotationPage; signal: AbortSignal; end: (error?: Error) => void }[] = []
  let cleared = 0
  return {
    drawings,
    cleared: () => cleared,
    stage: {
      draw: (page: KioskRotationPage, signal: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          drawings.push({ page, signal, end: (error) => (error ? reject(error) : resolve()) })
        }),
      clear: () => {
        cleared += 1
      },
    },
  }
}

const page = (id: number, segundos = 30): KioskRotationPage => ({
  idTelaoPagina: id,
  idRelatorio: id,
  nomeRelatorio: `Relatório ${id}`,
  pagina: null,
  tituloPagina: null,
  segundos,
})

let stages: [ReturnType<typeof createStage>, ReturnType<typeof createStage>]
let status: PlayerStatus
let player: RotationPlayer
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  stages = [createStage(), createStage()]
  player = new RotationPlayer([stages[0].stage, stages[1].stage], (now) => {
    status = now
  })
})
afterEach(() => {
  player.close()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const drawn = async (stage: 0 | 1, error?: Error) => {
  stages[stage].drawings.at(-1)?.end(error)
  await settle()
}
const counts = () => stages.map(({ drawings }) => drawings.length)
const shownNow = () => [status.shown?.page.idTelaoPagina, status.shown?.stage]

describe('the rotation', () => {
  test('the rotation shows the first page once it is drawn, and draws the next one 20 s before the switch', async () => {
    player.setPages([page(1), page(2)])
    expect([shownNow(), counts()]).toEqual([
      [undefined, undefined],
      [1, 0],
    ])
    await drawn(0)
    expect(shownNow()).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(9_000)
    expect(counts()).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(1_500)
    expect(counts()).toEqual([1, 1])
    await drawn(1)
    expect(shownNow()).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(shownNow()).toEqual([2, 1])
    // Its signal stays open, because the stage renews the page's token.
    expect(stages[1].drawings[0]?.signal.aborted).toBe(false)
  })

  test('the rotation keeps the page until a slow next one is drawn', async () => {
    player.setPages([page(1, 10), page(2, 10)])
    await drawn(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shownNow()).toEqual([1, 0])
    await drawn(1)
    expect(shownNow()).toEqual([2, 1])
  })

  test('the rotation draws the only page again in the other place', async () => {
    player.setPages([page(1, 10)])
    await drawn(0)
    await drawn(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(shownNow()).toEqual([1, 1])
  })

  test('the rotation keeps the page while nothing can be drawn, and continues with the page after the failed one', async () => {
    player.setPages([page(1, 10), page(2, 10), page(3, 10)])
    await drawn(0)
    await drawn(1, new TypeError('sem rede'))
    expect(status.error).toBeInstanceOf(TypeError)
    await vi.advanceTimersByTimeAsync(12_000)
    expect(shownNow()).toEqual([1, 0])
    expect(stages[1].drawings.map(({ page: { idTelaoPagina } }) => idTelaoPagina)).toEqual([2, 3])
    await drawn(1)
    expect(shownNow()).toEqual([3, 1])
    expect(status.error).toBeUndefined()
  })
})

describe('the controls', () => {
  test('pause holds the page, also when the next one is drawn, and continues with the time left', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    await vi.advanceTimersByTimeAsync(12_000)
    player.togglePause()
    await drawn(1)
    await vi.advanceTimersByTimeAsync(120_000)
    expect([shownNow(), status.isPaused]).toEqual([[1, 0], true])
    player.togglePause()
    await vi.advanceTimersByTimeAsync(17_000)
    expect(shownNow()).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(1_500)
    expect(shownNow()).toEqual([2, 1])
  })

  test('next shows a drawn page at once, previous draws the one before', async () => {
    player.setPages([page(1, 10), page(2, 10), page(3, 10)])
    await drawn(0)
    await drawn(1)
    player.next()
    expect(shownNow()).toEqual([2, 1])
    player.previous()
    expect(stages[0].drawings.at(-1)?.page.idTelaoPagina).toBe(1)
    await drawn(0)
    expect(shownNow()).toEqual([1, 0])
    player.previous()
    await drawn(1)
    expect(shownNow()).toEqual([3, 1])
  })
})

describe('a change of the rotation', () => {
  test('a change of the rotation removes a page that it lacks at once, and shows another one', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    player.setPages([page(2)])
    expect(stages[0].cleared()).toBe(1)
    expect(shownNow()).toEqual([undefined, undefined])
    await drawn(0)
    expect(shownNow()).toEqual([2, 0])
    player.setPages([])
    expect(shownNow()).toEqual([undefined, undefined])
  })

  test('a change of the rotation keeps a page that has only another id on the screen until it is drawn again', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    player.setPages([page(2), { ...page(1), idTelaoPagina: 11 }])
    expect(stages[0].cleared()).toBe(0)
    expect(shownNow()).toEqual([1, 0])
    await drawn(1)
    expect(shownNow()).toEqual([11, 1])
  })

  test('a change of the rotation of other pages keeps the page for what is left of its time, and draws the new next one', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    await vi.advanceTimersByTimeAsync(12_000)
    await drawn(1)
    player.setPages([page(3), page(1), page(4)])
    // The drawn page was withdrawn.
    expect([stages[0].cleared(), stages[1].cleared()]).toEqual([0, 1])
    expect([shownNow(), status.shown?.index]).toEqual([[1, 0], 1])
    await settle()
    expect(stages[1].drawings.at(-1)?.page.idTelaoPagina).toBe(4)
    await drawn(1)
    await vi.advanceTimersByTimeAsync(17_500)
    expect(shownNow()).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(shownNow()).toEqual([4, 1])
    expect(counts()).toEqual([1, 2])
  })

  test('a change of the rotation of other pages leaves a paused page paused', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    player.togglePause()
    player.setPages([page(1), page(3)])
    await vi.advanceTimersByTimeAsync(120_000)
    expect([shownNow(), status.isPaused, counts()]).toEqual([[1, 0], true, [1, 0]])
    player.togglePause()
    await vi.advanceTimersByTimeAsync(10_500)
    expect(stages[1].drawings.at(-1)?.page.idTelaoPagina).toBe(3)
  })

  test('a change of the rotation without a difference changes nothing', async () => {
    player.setPages([page(1), page(2)])
    await drawn(0)
    player.setPages([page(1), page(2)])
    expect(counts()).toEqual([1, 0])
  })
})

test('close gives up the preparation and clears both places', async () => {
  player.setPages([page(1)])
  const [drawing] = stages[0].drawings
  player.close()
  expect(drawing?.signal.aborted).toBe(true)
  expect(stages.map(({ cleared }) => cleared())).toEqual([1, 1])
})
