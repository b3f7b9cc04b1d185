import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Where a report keeps its page and filters: the address, or the page's memory where the report is only a part of it.
 */
export type ReportMemory = [
  search: URLSearchParams,
  setSearch: (next: URLSearchParams, options: { replace: true; preventScrollReset: true }) => void,
]

/**
 * Reads and rewrites the address of a report. The router follows in a transition, which gives way to whatever else changes on
 * the screen: until it has, what was asked of it last is the address, not what the page was last made for.
 * @param report what it is the address of; another one starts from the address that is shown
 */
export const useKeptAddress = ([search, setSearch]: ReportMemory, report: string) => {
  const latest = useRef({ search, setSearch })
  /** Rewrites that are not on the screen yet. The router may leave out all but the last. */
  const asked = useRef<string[]>([])
  useLayoutEffect(() => {
    latest.current = { search, setSearch }
  }, [search, setSearch])
  // biome-ignore lint/correctness/useExhaustiveDependencies: forgotten with the report
  useLayoutEffect(() => {
    asked.current = []
  }, [report])
  const shown = search.toString()
  useLayoutEffect(() => {
    // One that was not asked for here, such as a link's, is in force as it stands.
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
