import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { peek } from './peek.ts'

async function* texts(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part)
}

test('peek reads no more chunks than the beginning needs, and returns the whole stream', async () => {
  const read: string[] = []
  async function* watched() {
    for await (const chunk of texts('ab', 'cd', 'ef')) {
      read.push(chunk.toString())
      yield chunk
    }
  }
  const { beginning, whole } = await peek(watched(), 3)
  expect([beginning.toString(), read]).toEqual(['abcd', ['ab', 'cd']])
  expect((await buffer(whole)).toString()).toBe('abcdef')
})

test.each([[[]], [['a']]])('peek accepts a stream that ends early: %j', async (parts: string[]) => {
  const { beginning, whole } = await peek(texts(...parts), 16)
  expect(beginning.toString()).toBe(parts.join(''))
  expect((await buffer(whole)).toString()).toBe(parts.join(''))
})

test('peek ends its source when the reader leaves', async () => {
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('x')
    } finally {
      isEnded = true
    }
  }
  const { whole } = await peek(endless(), 1)
  whole.destroy()
  await expect.poll(() => isEnded).toBe(true)
})

test('peek passes a failure of its source on', async () => {
  async function* failing() {
    yield Buffer.from('ab')
    throw new Error('cut')
  }
  const { whole } = await peek(failing(), 1)
  await expect(buffer(whole)).rejects.toThrow('cut')
})

test('peek accepts that its source fails while it ends', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  let isEnded = false
  async function* failing() {
    try {
      for (;;) yield Buffer.from('x')
    } finally {
      isEnded = true
      // biome-ignore lint/correctness/noUnsafeFinally: a connection that fails while it closes.
      throw new Error('cut')
    }
  }
  const { whole } = await peek(failing(), 1)
  whole.destroy()
  await expect.poll(() => isEnded).toBe(true)
  await setImmediate()
  expect(unhandled).toEqual([])
})
