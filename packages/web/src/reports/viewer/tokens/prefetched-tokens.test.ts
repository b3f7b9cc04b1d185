import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { followLive } from '../../../lib/live/live.ts'
import { currentSession, endSession, lastUserActivity, startSession } from '../../../lib/session/session.ts'
import { PrefetchedTokens } from './prefetched-tokens.ts'

const groupId = '22222222-aaaa-4222-8222-222222222222'
const reportNamed = (letter: string) => ({
  groupId,
  reportId: `33333333-aaaa-4333-8333-33333333333${letter}`,
})
const report = reportNamed('a')
const minute = 60_000

const signIn = () => startSession(signedInUntil(Date.now() + 60 * minute))

let sent: { body: { reportId: string }; inBackground: boolean; signal: AbortSignal | null | undefined }[]
let answer: () => Promise<Response>
const embedded = (lifeMs = 60 * minute) =>
  embeddedReport({
    embedToken: `token ${sent.length}`,
    reportId: report.reportId,
    expiration: new Date(Date.now() + lifeMs).toISOString(),
  })

let tokens: PrefetchedTokens
beforeEach(() => {
  vi.useFakeTimers()
  tokens = new PrefetchedTokens()
  vi.stubGlobal('BroadcastChannel', undefined)
  sent = []
  answer = async () => Response.json(embedded())
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/eventos')) return new Response('event: acesso\ndata: {}\n\n')
    const inBackground = new Headers(init.headers).get('x-segundo-plano') === '1'
    sent.push({ body: JSON.parse(String(init.body)), inBackground, signal: init.signal })
    return answer()
  })
  signIn()
})
afterEach(() => {
  tokens.dropAll()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('a prefetched token', () => {
  test('a prefetched token is taken once and does not count as use of the session', async () => {
    const before = lastUserActivity()
    await vi.advanceTimersByTimeAsync(1_000)
    void tokens.prefetch(report)
    void tokens.prefetch(report)
    await settle()
    expect(sent).toMatchObject([{ body: report, inBackground: true }])
    expect(lastUserActivity()).toBe(before)
    expect(await tokens.take(report)).toMatchObject({ embedToken: 'token 1' })
    expect(await tokens.take(report)).toBeUndefined()
  })

  test('a prefetched token is awaited while its request is still running', async () => {
    let give: (response: Response) => void = () => {}
    answer = () => new Promise((resolve) => (give = resolve))
    void tokens.prefetch(report)
    const taken = tokens.take(report)
    await settle()
    give(Response.json(embedded()))
    expect(await taken).toMatchObject({ embedToken: 'token 1' })
  })

  test('a prefetched token is kept for at most a minute, and never into its last minute of validity', async () => {
    void tokens.prefetch(report)
    await vi.advanceTimersByTimeAsync(minute + 1)
    expect(await tokens.take(report)).toBeUndefined()
    // After the computer slept, timers are late.
    void tokens.prefetch(report)
    await settle()
    vi.setSystemTime(Date.now() + minute + 1)
    expect(await tokens.take(report)).toBeUndefined()
    answer = async () => Response.json(embedded(minute))
    void tokens.prefetch(report)
    expect(await tokens.take(report)).toBeUndefined()
    expect(sent).toHaveLength(3)
  })

  const accessChanges = async () => {
    const session = currentSession()
    const stop = session && followLive(session)
    await settle()
    stop?.()
  }
  test.each([
    ['the session ends', () => endSession('saiu')],
    ['another user signs in', signIn],
    ['access changes', accessChanges],
    ['another report is opened', () => tokens.take(reportNamed('b'))],
  ])('a prefetched token is dropped when %s', async (_what, happen) => {
    void tokens.prefetch(report)
    await settle()
    await happen()
    expect(await tokens.take(report)).toBeUndefined()
  })

  test('a prefetched token has its request aborted when the session ends', async () => {
    answer = () => new Promise(() => {})
    void tokens.prefetch(report)
    endSession('saiu')
    expect(sent[0]?.signal?.aborted).toBe(true)
  })

  test('a prefetched token is undefined when its request failed', async () => {
    answer = async () => Response.json({ codigo: 'bi_indisponivel', detail: 'Frase.' }, { status: 503 })
    void tokens.prefetch(report)
    await settle()
    expect(await tokens.take(report)).toBeUndefined()
  })

  test('a prefetched token is requested again on the next hover after a failed request', async () => {
    answer = async () => Response.json({ codigo: 'bi_indisponivel', detail: 'Frase.' }, { status: 503 })
    void tokens.prefetch(report)
    await settle()
    answer = async () => Response.json(embedded())
    void tokens.prefetch(report)
    expect(await tokens.take(report)).toMatchObject({ embedToken: 'token 2' })
  })
})

test('the page keeps at most three prefetched tokens and requests at most twenty a minute', async () => {
  for (const letter of 'abcd') void tokens.prefetch(reportNamed(letter))
  await settle()
  expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, false, false, false])
  for (let more = 0; more < 30; more += 1) {
    tokens.dropAll()
    void tokens.prefetch(report)
  }
  expect(sent).toHaveLength(20)
  await vi.advanceTimersByTimeAsync(minute)
  void tokens.prefetch(report)
  expect(sent).toHaveLength(21)
})

test('the page requests nothing without a session', () => {
  endSession('saiu')
  void tokens.prefetch(report)
  expect(sent).toEqual([])
})
