import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from './logging.ts'

/* The kind: an outage of the database writes a stack for each call, until the disk is full. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const startLog = () => {
  const lines: { msg: string; leftOut?: number }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: createLogger({ service: 'portal', level: 'info', format: 'json', stream }) }
}
const failure = (code: string) => Object.assign(new Error('refused'), { code })

test('an outage is told once per kind and minute, with the number of lines that were left out', () => {
  const { lines, log } = startLog()
  for (let n = 0; n < 500; n += 1) log.error({ err: failure('25006') }, 'request failed')
  log.child({ job: 'mail' }).error({ err: new Error('mail', { cause: failure('25006') }) }, 'request failed')
  log.error({ err: failure('25006') }, 'sealing failed')
  log.error({ err: failure('55P03') }, 'request failed')
  vi.advanceTimersByTime(61_000)
  log.error({ err: failure('25006') }, 'request failed')
  expect(lines.map(({ msg, leftOut }) => [msg, leftOut])).toEqual([
    ['request failed', undefined],
    ['sealing failed', undefined],
    ['request failed', undefined],
    ['request failed', 500],
  ])
})

test('other errors are told each time', () => {
  const { lines, log } = startLog()
  for (let n = 0; n < 3; n += 1) log.error({ err: failure('23505') }, 'request failed')
  for (let n = 0; n < 3; n += 1) log.error({ err: new Error('a fault of ours') }, 'request failed')
  log.info('plain')
  log.info('plain')
  expect(lines).toHaveLength(8)
})
