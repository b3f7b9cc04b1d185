import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepTokenFresh, lifeLeftMs, renewalDelayMs, retryDelayMs } from './token-renewal.ts'

const minute = 60_000

describe('renewal times', () => {
  test('renewal times renew ten minutes before expiry, or a fifth of a short life before it', () => {
    expect(renewalDelayMs(60 * minute)).toBe(50 * minute)
    expect(renewalDelayMs(50 * minute)).toBe(40 * minute)
    expect(renewalDelayMs(10 * minute)).toBe(8 * minute)
    expect(renewalDelayMs(1_000)).toBe(5_000)
    expect(renewalDelayMs(-minute)).toBe(5_000)
  })

  test('renewal times use the clock of the server', () => {
    expect(lifeLeftMs('2026-03-01T15:00:00Z', Date.parse('2026-03-01T14:00:00Z'))).toBe(60 * minute)
  })

  test('pauses before a retry grow up to a minute, and respect Retry-After', () => {
    expect([1, 2, 3, 10].map((failures) => retryDelayMs(failures))).toEqual([2_000, 4_000, 8_000, minute])
    expect(retryDelayMs(1, 30)).toBe(30_000)
    expect(retryDelayMs(5, 1)).toBe(32_000)
  })
})

describe('keepTokenFresh', () => {
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

  test('keepTokenFresh renews each token before it expires, until stop()', async () => {
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

  test('keepTokenFresh retries after a failure, and at once when the network is back', async () => {
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

  test("keepTokenFresh stops when onFailure returns 'stop'", async () => {
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

  test('keepTokenFresh renews nothing in a hidden tab until it becomes visible', async () => {
    const { page, renew } = setUp()
    page.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(90 * minute)
    expect(renew).toHaveBeenCalledTimes(0)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('keepTokenFresh renews nothing when the tab or the network is back before the renewal is due', async () => {
    const { page, back, renew } = setUp()
    await vi.advanceTimersByTimeAsync(20 * minute)
    page.dispatchEvent(new Event('visibilitychange'))
    back()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(30 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('keepTokenFresh renews at once on TokenExpired, but at most every 5 s', async () => {
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

  test('keepTokenFresh renews at once on request after a failure, and says that the person has asked for it', async () => {
    const renew = vi.fn(async () => 60 * minute)
    renew.mockRejectedValueOnce(new Error('refused'))
    const { renewal } = setUp({ lifeMs: 10 * minute, renew })
    await vi.advanceTimersByTimeAsync(8 * minute)
    renewal.renewOnRequest()
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(renew.mock.calls).toEqual([[false], [true], [false]])
    renewal.stop()
    renewal.renewOnRequest()
    expect(renew).toHaveBeenCalledTimes(3)
  })

  test('keepTokenFresh renews an expired token on time after the wall clock is set back', async () => {
    const { renewal, renew } = setUp({ lifeMs: 10 * minute })
    await vi.advanceTimersByTimeAsync(8 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() - 180 * minute)
    await vi.advanceTimersByTimeAsync(2_000)
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  /**
   * Plays a provider that accepts each token and at once reports it expired, in several visuals.
   * @returns the second of each renewal
   */
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

  test('keepTokenFresh backs off and reports a failure when the provider expires each new token at once', async () => {
    const { asked, onFailure, onRenewed } = await askedOf(60 * minute, 30 * minute)
    expect(asked).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915, 1_215, 1_515])
    expect(onFailure).toHaveBeenCalledTimes(9)
    expect(onRenewed).toHaveBeenCalledTimes(3)
  })

  test('keepTokenFresh backs off at most until the scheduled renewal', async () => {
    const { asked } = await askedOf(20_000, 70_000)
    expect(asked).toEqual([0, 5, 15, 31, 47, 63])
  })

  test('keepTokenFresh withdraws that failure when a token has lived for a minute', async () => {
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
    // The count of tokens that expired at once starts again.
    renewal.renewNow()
    await vi.advanceTimersByTimeAsync(0)
    expect(onFailure).toHaveBeenCalledTimes(1)
  })

  test('keepTokenFresh ignores TokenExpired until the retry of a failed renewal is due', async () => {
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

  test('keepTokenFresh waits out a life longer than the longest timer', async () => {
    const day = 24 * 60 * minute
    const { renew } = setUp({ lifeMs: 40 * day })
    await vi.advanceTimersByTimeAsync(39 * day)
    expect(renew).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(day)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test('keepTokenFresh renews on time after the wall clock is set back or forward', async () => {
    const { renew } = setUp()
    await vi.advanceTimersByTimeAsync(10 * minute)
    vi.setSystemTime(Date.now() - 180 * minute)
    await vi.advanceTimersByTimeAsync(40 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + 180 * minute)
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('keepTokenFresh renews once when a computer wakes after the token expired', async () => {
    const { page, back, renew } = setUp()
    // During sleep, timers and performance.now() stop, but the wall clock does not.
    vi.setSystemTime(Date.now() + 120 * minute)
    back()
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })
})
