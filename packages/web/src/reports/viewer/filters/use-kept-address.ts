import { useCallback, useLayoutEffect, useRef } from 'react'

/** Where a report keeps its page and filters: the URL, or memory when it is one part of a page. */
export type ReportMemory = [
  search: URLSearchParams,
  setSearch: (next: URLSearchParams, options: { replace: true; preventScrollReset: true }) => void,
]

/**
 * Reads and rewrites a report's URL. The router applies a rewrite in a low-priority transition;
 * until then `address` returns the last rewrite requested, not the URL of the last render.
 * @param report identifies the report; a change discards pending rewrites
 */
export const useKeptAddress = ([search, setSearch]: ReportMemory, report: string) => {
  const latest = useRef({ search, setSearch })
  /** Rewrites not rendered yet. The router may skip all but the last. */
  const asked = useRef<string[]>([])
  useLayoutEffect(() => {
    latest.current = { search, setSearch }
  }, [search, setSearch])
  // biome-ignore lint/correctness/useExhaustiveDependencies: discarded when the report changes
  useLayoutEffect(() => {
    asked.current = []
  }, [report])
  const shown = search.toString()
  useLayoutEffect(() => {
    // A URL that was not requested here, such as a link's, replaces all pending rewrites.
    const followed = asked.current.indexOf(shown)
    asked.current = followed < 0 ? [] : asked.current.slice(followed + 1)
  }, [shown])

  const isAhead = useCallback(() => asked.current.length > 0, [])
  const address = useCallback(() => new URLSearchParams(asked.current.at(-1) ?? latest.current.search), [])
  const setAddress = useCallback((next: URLSearchParams) => {
    asked.current.push(next.toString())
    latest.current.setSearch(next, { replace: true, preventScrollReset: true })
  }, [])
  return { address, setAddress, isAhead }
}
