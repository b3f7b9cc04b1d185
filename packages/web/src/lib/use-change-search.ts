import { type Location, type NavigateOptions, useLocation, useSearchParams } from 'react-router'

/** What was asked for since a location was rendered, until the address says it. */
const asked = new WeakMap<Location, URLSearchParams>()

/**
 * Changes some parameters of the address and leaves the others. Unlike React's, the router's functional updates do not queue: of
 * two in one tick (a filter, and the search that was just typed) the second would undo the first.
 */
export const useChangeSearch = () => {
  const location = useLocation()
  const [, setParams] = useSearchParams()
  return (edit: (params: URLSearchParams) => void, options?: NavigateOptions): void => {
    const next = new URLSearchParams(asked.get(location) ?? location.search)
    edit(next)
    asked.set(location, next)
    setParams(next, { preventScrollReset: true, ...options })
  }
}
