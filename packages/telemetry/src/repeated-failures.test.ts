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

const connect = (code: string, address: string) =>
  Object.assign(new Error(`connect ${code} ${address}:5432`), {
    code,
    syscall: 'connect',
    address,
    port: 5432,
  })

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map((code) =>
    connect(code, '10.0.0.5'),
  ),
  Object.assign(new AggregateError([connect('ECONNREFUSED', '::1'), connect('ECONNREFUSED', '127.0.0.1')]), {
    code: 'ECONNREFUSED',
  }),
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('timeout exceeded when trying to connect'),
])('a connection error is told once per kind and minute: %s', (err) => {
  const { lines, log } = startLog()
  for (let n = 0; n < 50; n += 1) log.error({ err }, 'request failed')
  log.error({ err: new Error('query', { cause: err }) }, 'request failed')
  vi.advanceTimersByTime(61_000)
  log.error({ err }, 'request failed')
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 50])
})

test('connection errors of two hosts are two kinds', () => {
  const { lines, log } = startLog()
  for (let n = 0; n < 50; n += 1)
    for (const address of ['10.0.0.5', '10.0.0.6'])
      log.error({ err: connect('ECONNREFUSED', address) }, 'request failed')
  expect(lines).toHaveLength(2)
})

// A host with two addresses: the error of both has no address.
const connectBoth = (port: number) =>
  Object.assign(
    new AggregateError(['::1', '10.0.0.5'].map((address) => ({ ...connect('ECONNREFUSED', address), port }))),
    { code: 'ECONNREFUSED' },
  )

test('connection errors of two servers are two kinds, where each has two addresses', () => {
  const { lines, log } = startLog()
  for (let n = 0; n < 50; n += 1)
    for (const port of [5432, 25]) log.error({ err: connectBoth(port) }, 'request failed')
  expect(lines).toHaveLength(2)
})

test.each(['ECONNRESET', 'EPIPE', 'ECONNREFUSED'])(
  'an error %s is told each time where it names no server',
  (code) => {
    const { lines, log } = startLog()
    for (let n = 0; n < 3; n += 1) log.error({ err: failure(code) }, 'request failed')
    expect(lines).toHaveLength(3)
  },
)

test('other errors are told each time', () => {
  const { lines, log } = startLog()
  for (let n = 0; n < 3; n += 1) log.error({ err: failure('23505') }, 'request failed')
  for (let n = 0; n < 3; n += 1) log.error({ err: new Error('a fault of ours') }, 'request failed')
  log.info('plain')
  log.info('plain')
  expect(lines).toHaveLength(8)
})
