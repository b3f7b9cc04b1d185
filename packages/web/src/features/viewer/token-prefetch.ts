import { type EmbeddedReport, isBlocking, reportsApi } from '@bi-manager/contract'
import { callInBackground } from '../../lib/api.ts'
import { serverNow } from '../../lib/connection.ts'
import { onLiveEvent } from '../../lib/live.ts'
import type { ReportIds } from '../../lib/report-path.ts'
import { currentSession, subscribeToSession } from '../../lib/session.ts'

/** A token that nobody wants is kept this long, and never into its own last minute (ms). */
const keptMs = 60_000
const lastMinuteMs = 60_000

/** Whoever passes over a whole menu wants none of it. */
const mostHeld = 3
const mostAMinute = 20

const callLimitMs = 20_000

interface Held {
  /** Also resolves when it could not be had. */
  asked: Promise<void>
  embedded?: EmbeddedReport | undefined
  askedAt: number
  drop: () => void
}

/** In memory alone, each for one use. */
const held = new Map<string, Held>()
let lately: number[] = []
let isWatching = false

/**
 * Asks for the token of a report that somebody is about to open. It is no use of the session and no view: that is counted when
 * a report is drawn. What fails stays untold, since the click asks anew.
 * @returns the token, which stays to be taken; undefined where it was not asked for, or did not come
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
  // Taken, or dropped, meanwhile.
  return own && held.get(key) === own ? fit(own) : undefined
}

const mayAsk = (): boolean => {
  const session = currentSession()
  const now = Date.now()
  lately = lately.filter((at) => Math.abs(now - at) < 60_000)
  return session !== undefined && !isBlocking(session.pendencia) && lately.length < mostAMinute
}

/** The token that was asked for ahead, once; undefined where there is none that is fit for use. */
export const takeToken = async (report: ReportIds): Promise<EmbeddedReport | undefined> => {
  const found = held.get(keyOf(report))
  if (found) held.delete(keyOf(report))
  // What else was hovered over on the way is not wanted any more.
  dropTokens()
  await found?.asked
  return found && fit(found)
}

/** As `takeToken`, but of one that has come already; one that is on its way stays to be taken. */
export const takeTokenAtHand = (report: ReportIds): EmbeddedReport | undefined => {
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

/** Whoever is signed in, and what they may see, must be the same at the click as it was at the hover. */
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
