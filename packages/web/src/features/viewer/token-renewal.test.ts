// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepTokenFresh, lifeLeftMs, renewalDelayMs, retryDelayMs } from './token-renewal.ts'

const minute = 60_000

describe('the rules', () => {
  test('renews ten minutes before the end, or a fifth of a short life', () => {
    expect(renewalDelayMs(60 * minute)).toBe(50 * minute)
    expect(renewalDelayMs(50 * minute)).toBe(40 * minute)
    expect(renewalDelayMs(10 * minute)).toBe(8 * minute)
    expect(renewalDelayMs(1_000)).toBe(5_000)
    expect(renewalDelayMs(-minute)).toBe(5_000)
  })

  test('measures life by the clock of the server', () => {
    expect(lifeLeftMs('2026-03-01T15:00:00Z', Date.parse('2026-03-01T14:00:00Z'))).toBe(60 * minute)
  })

  test('waits longer after each failure, up to a minute, and as long as the server asks', () => {
    expect([1, 2, 3, 10].map((failures) => retryDelayMs(failures))).toEqual([2_000, 4_000, 8_000, minute])
    expect(retryDelayMs(1, 30)).toBe(30_000)
    expect(retryDelayMs(5, 1)).toBe(32_000)
  })
})

describe('keeping a token fresh', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const setUp = ({ lifeMs = 60 * minute, renew = vi.fn(async () => 60 * minute) } = {}) => {
    const listeners = new Set<() => void>()
    const onBack = (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const back = () => {
      for (const listener of listeners) listener()
    }
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const onFailure = vi.fn((_error: unknown): number | undefined | 'stop' => undefined)
    const onRenewed = vi.fn()
    const renewal = keepTokenFresh({ lifeMs, renew, onFailure, onRenewed, onBack, page })
    return { back, page, onFailure, onRenewed, renewal, renew }
  }

  test('renews before each end, again and again', async () => {
    const { renew, renewal } = setUp()
    await vi.advanceTimersByTimeAsync(50 * minute - 1)
    expect(renew).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(renew).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
    renewal.stop()
    await vi.advanceTimersByTimeAsync(200 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('a failure is tried again, sooner when the network is back', async () => {
    const renew = vi.fn(async () => 60 * minute)
    renew.mockRejectedValueOnce(new TypeError('offline')).mockRejectedValueOnce(new TypeError('offline'))
    const { back, onFailure } = setUp({ lifeMs: 10 * minute, renew })
    await vi.advanceTimersByTimeAsync(8 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(renew).toHaveBeenCalledTimes(2)
    back()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(3)
    expect(onFailure).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(49 * minute)
    expect(renew).toHaveBeenCalledTimes(3)
  })

  test('stops when trying again is pointless', async () => {
    const renew = vi.fn(async () => {
      throw new Error('revoked')
    })
    const { onFailure, back } = setUp({ lifeMs: minute, renew })
    onFailure.mockReturnValue('stop')
    await vi.advanceTimersByTimeAsync(minute)
    back()
    await vi.advanceTimersByTimeAsync(60 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('a forgotten tab renews nothing until somebody looks', async () => {
    const { page, renew } = setUp()
    page.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(90 * minute)
    expect(renew).toHaveBeenCalledTimes(0)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('coming back early renews nothing', async () => {
    const { page, back, renew } = setUp()
    await vi.advanceTimersByTimeAsync(20 * minute)
    page.dispatchEvent(new Event('visibilitychange'))
    back()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(30 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('a token that the provider calls expired is renewed at once, but not in a storm', async () => {
    const { renewal, renew } = setUp()
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(1)
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(renew).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('put back clocks put off neither a token called expired nor the renewal that was due', async () => {
    const { renewal, renew } = setUp({ lifeMs: 10 * minute })
    await vi.advanceTimersByTimeAsync(8 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() - 180 * minute)
    await vi.advanceTimersByTimeAsync(2_000)
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  /** A provider that takes each token and calls it expired at once, in more than one part of the report; seconds of each call. */
  const askedOf = async (lifeMs: number, forMs: number) => {
    const made = setUp()
    const asked: number[] = []
    const startedAt = Date.now()
    made.renew.mockImplementation(async () => {
      asked.push((Date.now() - startedAt) / 1_000)
      for (const waitMs of [200, 300]) setTimeout(() => made.renewal.renewNow(), waitMs)
      return lifeMs
    })
    made.renewal.renewNow()
    await vi.advanceTimersByTimeAsync(forMs)
    return { asked, ...made }
  }

  test('a provider that takes each token and calls it expired is asked less and less often, and that is said', async () => {
    const { asked, onFailure, onRenewed } = await askedOf(60 * minute, 30 * minute)
    expect(asked).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915, 1_215, 1_515])
    expect(onFailure).toHaveBeenCalledTimes(9)
    expect(onRenewed).toHaveBeenCalledTimes(3)
  })

  test('never later than the renewal that was due', async () => {
    const { asked } = await askedOf(20_000, 70_000)
    expect(asked).toEqual([0, 5, 15, 31, 47, 63])
  })

  test('what was said of such a provider is taken back when a token has lived for a minute', async () => {
    const { renewal, onFailure, onRenewed } = setUp()
    for (const waitMs of [0, 5_000, 10_000]) {
      renewal.renewNow()
      await vi.advanceTimersByTimeAsync(waitMs)
    }
    renewal.renewNow()
    expect(onFailure).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(onRenewed).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(minute)
    expect(onRenewed).toHaveBeenCalledTimes(4)
    // The next that ends so soon is the first again.
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(0)
    expect(onFailure).toHaveBeenCalledTimes(1)
  })

  test('a renewal that failed is tried again when that is due, whatever the provider calls expired', async () => {
    const renew = vi.fn(async () => 60 * minute)
    renew.mockRejectedValueOnce(new Error('busy'))
    const { renewal, onFailure } = setUp({ renew })
    onFailure.mockReturnValueOnce(30)
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(0)
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(29_999)
    expect(renew).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('a life longer than the longest timer is waited out', async () => {
    const day = 24 * 60 * minute
    const { renew } = setUp({ lifeMs: 40 * day })
    await vi.advanceTimersByTimeAsync(39 * day)
    expect(renew).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(day)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('a clock that is put back puts nothing off, and one that is put forward is caught up with', async () => {
    const { renew } = setUp()
    await vi.advanceTimersByTimeAsync(10 * minute)
    vi.setSystemTime(Date.now() - 180 * minute)
    await vi.advanceTimersByTimeAsync(40 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + 180 * minute)
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('a computer that slept past the end renews once when it wakes', async () => {
    const { page, back, renew } = setUp()
    // Timers and the page's own clock stood still; the wall clock did not.
    vi.setSystemTime(Date.now() + 120 * minute)
    back()
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })
})
