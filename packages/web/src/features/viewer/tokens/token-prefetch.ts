import { type EmbeddedReport, isBlocking, reportsApi } from '@bi-manager/contract'
import { callInBackground } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/connection.ts'
import { onLiveEvent } from '../../../lib/live/live.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import { currentSession, subscribeToSession } from '../../../lib/session/session.ts'

/** A token that is not taken is kept this long, and never into its last minute of validity (ms). */
const keptMs = 60_000
const lastMinuteMs = 60_000

/** Limits prefetches while the pointer crosses the menu. */
const mostHeld = 3
const mostAMinute = 20

const callLimitMs = 20_000

interface Held {
  /** Also resolves when the request fails. */
  asked: Promise<void>
  embedded?: EmbeddedReport | undefined
  askedAt: number
  drop: () => void
}

/** Kept in memory only, each for one use. */
const held = new Map<string, Held>()
let lately: number[] = []
let isWatching = false

/**
 * Prefetches the token of a report that the user is about to open. Counts neither as use of the
 * session nor as a view. Errors are ignored: prefetching is optional.
 * @returns the token, which can still be taken; undefined when it was not requested or failed
 */
export const prefetchToken = async (report: ReportIds): Promise<EmbeddedReport | undefined> => {
  const key = keyOf(report)
  if (!held.has(key) && mayAsk()) {
    lately.push(Date.now())
    watch()
    const oldest = held.size < mostHeld ? undefined : [...held.values()][0]
    oldest?.drop()
    held.set(key, ask(report))
  }
  const own = held.get(key)
  await own?.asked
  // It may have been taken or dropped during the request.
  return own && held.get(key) === own ? fit(own) : undefined
}

const mayAsk = (): boolean => {
  const session = currentSession()
  const now = Date.now()
  lately = lately.filter((at) => Math.abs(now - at) < 60_000)
  return session !== undefined && !isBlocking(session.pendencia) && lately.length < mostAMinute
}

/** Returns the prefetched token and removes it; undefined when there is none or it is too old. */
export const takeToken = async (report: ReportIds): Promise<EmbeddedReport | undefined> => {
  const found = held.get(keyOf(report))
  if (found) held.delete(keyOf(report))
  // The other hovered reports are no longer needed.
  dropTokens()
  await found?.asked
  return found && fit(found)
}

/** Like `takeToken`, but takes only a token that has arrived; a running request stays. */
export const takeArrivedToken = (report: ReportIds): EmbeddedReport | undefined => {
  const found = held.get(keyOf(report))
  const embedded = found && fit(found)
  if (embedded) dropTokens()
  return embedded
}

const fit = ({ embedded, askedAt }: Held): EmbeddedReport | undefined => {
  if (!embedded || Math.abs(Date.now() - askedAt) > keptMs) return undefined
  return Date.parse(embedded.expiration) - serverNow() > lastMinuteMs ? embedded : undefined
}

export const dropTokens = (): void => {
  for (const { drop } of [...held.values()]) drop()
}

const ask = (report: ReportIds): Held => {
  const life = new AbortController()
  const signal = AbortSignal.any([life.signal, AbortSignal.timeout(callLimitMs)])
  const key = keyOf(report)
  const own: Held = {
    asked: callInBackground(reportsApi.embed, { body: report }, { signal }).then(
      (embedded) => {
        own.embedded = embedded
      },
      () => {
        if (held.get(key) === own) held.delete(key)
      },
    ),
    askedAt: Date.now(),
    drop: () => {
      clearTimeout(timer)
      life.abort()
      if (held.get(key) === own) held.delete(key)
    },
  }
  const timer = setTimeout(own.drop, keptMs)
  return own
}

/** Drops the tokens when the session or the user's access changes between hover and click. */
const watch = () => {
  if (isWatching) return
  isWatching = true
  let known = currentSession()?.access_token
  subscribeToSession(() => {
    const now = currentSession()?.access_token
    if (now !== known) dropTokens()
    known = now
  })
  onLiveEvent((event) => {
    if (event === 'acesso') dropTokens()
  })
}

const keyOf = ({ groupId, reportId, idRelatorio }: ReportIds): string =>
  `${groupId}/${reportId}/${idRelatorio ?? ''}`.toLowerCase()
