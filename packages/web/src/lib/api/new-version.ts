import { useSyncExternalStore } from 'react'
import { watchedFetch } from './connection.ts'

/* The page and each answer of the API name the build of the pages: `1764200000000-3f2a…`, when it
   was built and what it contains. The server adds both (server: page-build.ts). */

const own = () => document.documentElement.dataset.build
/** In an object, because all windows of the module share it. */
const state: { newer: string | undefined } = { newer: undefined }
const listeners = new Set<() => void>()

/**
 * Returns whether an answer comes from a later build than this page. An earlier one is not news:
 * during an upgrade, nodes of both versions answer.
 */
export const isNewer = (answered: string | null, page: string | undefined): answered is string => {
  if (!answered || !page || answered === page) return false
  const [[builtAt, content], [ownBuiltAt, ownContent]] = [answered.split('-'), page.split('-')]
  return content !== ownContent && Number(builtAt) > Number(ownBuiltAt)
}

/** `watchedFetch` that notices a new version of the pages. */
export const versionedFetch: typeof fetch = async (input, init) => {
  const response = await watchedFetch(input, init)
  const build = response.headers.get('x-portal-build')
  if (state.newer === undefined && isNewer(build, own())) {
    state.newer = build
    for (const listener of listeners) listener()
  }
  return response
}

/** Asks the server for its version; errors are ignored. */
export const learnVersion = (): Promise<void> =>
  versionedFetch('/api/portal').then(
    () => {},
    () => {},
  )

/**
 * Returns the build of this page as the server would load it now; undefined when it serves none.
 * During an upgrade, nodes of both versions answer, and a restarting one does not.
 */
export const servedBuild = async (signal: AbortSignal): Promise<string | undefined> => {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(15_000)])
  const answer = await fetch(window.location.pathname, { cache: 'no-store', signal: limited })
  if (!answer.ok) return undefined
  return /<html data-build="([^"]+)"/.exec(await answer.text())?.[1]
}

/** Loads the new version of this page, if there is one and the server already serves it. */
export const loadNewVersion = async (signal: AbortSignal): Promise<void> => {
  if (state.newer === undefined) return
  if (isNewer((await servedBuild(signal)) ?? null, own())) window.location.reload()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the server has a later version of the pages than this one. */
export const useHasNewVersion = (): boolean =>
  useSyncExternalStore(subscribe, () => state.newer !== undefined)
