// @vitest-environment happy-dom
import type { EmbeddedReport } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { followLive } from '../../lib/live.ts'
import { currentSession, endSession, lastUse, startSession } from '../../lib/session.ts'
import { dropTokens, prefetchToken, takeToken } from './token-prefetch.ts'

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
const embedded = (lifeMs = 60 * minute): EmbeddedReport => ({
  embedToken: `token ${sent.length}`,
  embedUrl: 'http://localhost:4501/reportEmbed',
  reportId: report.reportId,
  pageName: null,
  expiration: new Date(Date.now() + lifeMs).toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Sinistralidade',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
})

let hours = 0
beforeEach(() => {
  // Each test is an hour after the one before it: what a minute allows is its own.
  hours += 1
  vi.useFakeTimers({ now: Date.now() + hours * 60 * minute })
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
  dropTokens()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('a token that was asked for ahead', () => {
  test('is used once, and is no use of the session', async () => {
    const before = lastUse()
    await vi.advanceTimersByTimeAsync(1_000)
    void prefetchToken(report)
    void prefetchToken(report)
    await settle()
    expect(sent).toMatchObject([{ body: report, inBackground: true }])
    expect(lastUse()).toBe(before)
    expect(await takeToken(report)).toMatchObject({ embedToken: 'token 1' })
    expect(await takeToken(report)).toBeUndefined()
  })

  test('that is still on its way is waited for', async () => {
    let give: (response: Response) => void = () => {}
    answer = () => new Promise((resolve) => (give = resolve))
    void prefetchToken(report)
    const taken = takeToken(report)
    await settle()
    give(Response.json(embedded()))
    expect(await taken).toMatchObject({ embedToken: 'token 1' })
  })

  test('is not kept for more than a minute, nor into its own last one', async () => {
    void prefetchToken(report)
    await vi.advanceTimersByTimeAsync(minute + 1)
    expect(await takeToken(report)).toBeUndefined()
    // A computer asleep: its timers stood still.
    void prefetchToken(report)
    await settle()
    vi.setSystemTime(Date.now() + minute + 1)
    expect(await takeToken(report)).toBeUndefined()
    answer = async () => Response.json(embedded(minute))
    void prefetchToken(report)
    expect(await takeToken(report)).toBeUndefined()
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
    ['somebody else signs in', signIn],
    ['access changes', accessChanges],
    ['another report is opened', () => takeToken(reportNamed('b'))],
  ])('is thrown away when %s', async (_what, happen) => {
    void prefetchToken(report)
    await settle()
    await happen()
    expect(await takeToken(report)).toBeUndefined()
  })

  test('that is on its way when the session ends is given up', async () => {
    answer = () => new Promise(() => {})
    void prefetchToken(report)
    endSession('saiu')
    expect(sent[0]?.signal?.aborted).toBe(true)
  })

  test('and could not be had leaves it to the click', async () => {
    answer = async () => Response.json({ codigo: 'bi_indisponivel', detail: 'Frase.' }, { status: 503 })
    void prefetchToken(report)
    await settle()
    expect(await takeToken(report)).toBeUndefined()
  })

  test('and could not be had is asked for again by the next pointer that rests there', async () => {
    answer = async () => Response.json({ codigo: 'bi_indisponivel', detail: 'Frase.' }, { status: 503 })
    void prefetchToken(report)
    await settle()
    answer = async () => Response.json(embedded())
    void prefetchToken(report)
    expect(await takeToken(report)).toMatchObject({ embedToken: 'token 2' })
  })
})

test('of a whole menu only the last three are kept, and twenty a minute asked for', async () => {
  for (const letter of 'abcd') void prefetchToken(reportNamed(letter))
  await settle()
  expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, false, false, false])
  for (let more = 0; more < 30; more += 1) {
    dropTokens()
    void prefetchToken(report)
  }
  expect(sent).toHaveLength(20)
  await vi.advanceTimersByTimeAsync(minute)
  void prefetchToken(report)
  expect(sent).toHaveLength(21)
})

test('without a session nothing is asked for', () => {
  endSession('saiu')
  void prefetchToken(report)
  expect(sent).toEqual([])
})
