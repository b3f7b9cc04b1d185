import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Brand, createBrandReader, plainBrand } from './brand.ts'

const named = (nome: string): Brand => ({ ...plainBrand, nome })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A reader with the reads that it began, each with the means to end it. */
const reader = () => {
  const reads: { succeed: (brand: Brand) => void; fail: (error: Error) => void }[] = []
  const get = createBrandReader(() => new Promise((succeed, fail) => void reads.push({ succeed, fail })))
  return { get, reads }
}

describe('createBrandReader', () => {
  test('createBrandReader shares one read between callers, and reads again later', async () => {
    const { get, reads } = reader()
    const both = Promise.all([get(), get()])
    reads[0]?.succeed(named('Rede'))
    expect(await both).toEqual([named('Rede'), named('Rede')])
    expect(await get()).toEqual(named('Rede'))
    expect(reads).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    const later = get()
    reads[1]?.succeed(named('Horizonte'))
    expect(await later).toEqual(named('Horizonte'))
  })

  test('createBrandReader returns the last look when a read fails, and the next caller reads again', async () => {
    const { get, reads } = reader()
    const failing = get()
    reads[0]?.fail(new Error('the database is away'))
    expect(await failing).toEqual(plainBrand)
    const next = get()
    reads[1]?.succeed(named('Rede'))
    expect(await next).toEqual(named('Rede'))
  })

  test('createBrandReader replaces a read that does not answer, and ignores its late answer', async () => {
    const { get, reads } = reader()
    const hanging = get()
    await vi.advanceTimersByTimeAsync(500)
    expect(await hanging).toEqual(plainBrand)
    await vi.advanceTimersByTimeAsync(10_000)
    const next = get()
    expect(reads).toHaveLength(2)
    reads[1]?.succeed(named('Rede'))
    await next
    reads[0]?.succeed(named('Antiga'))
    expect(await get()).toEqual(named('Rede'))
  })

  test('createBrandReader leaves no timer once it has answered', async () => {
    const { get, reads } = reader()
    const answer = get()
    expect(vi.getTimerCount()).toBe(1)
    reads[0]?.succeed(plainBrand)
    await answer
    expect(vi.getTimerCount()).toBe(0)
  })
})
