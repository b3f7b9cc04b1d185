import { type Location, type NavigateOptions, useLocation, useSearchParams } from 'react-router'

/** The parameters requested since a location was rendered, until the address contains them. */
const asked = new WeakMap<Location, URLSearchParams>()

/**
 * Returns a function that changes some query parameters and keeps the others. The router's
 * functional updates do not queue: the second of two in one tick (a filter and a typed search)
 * would undo the first.
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

/**
 * Returns a function that sets filters, removes those without a value, and shows the first page.
 */
export const useChooseFilters = () => {
  const changeSearch = useChangeSearch()
  return (filters: Record<string, string | number | undefined>): void =>
    changeSearch((params) => {
      params.delete('pagina')
      for (const [name, value] of Object.entries(filters)) {
        if (value) params.set(name, String(value))
        else params.delete(name)
      }
    })
}
