import { REGISTRATION, registrationIn } from '../../../lib/navigation/report-path.ts'
import { panelFields } from './panel-filters.ts'

/** The URL parameter that keeps the report's page across reloads and in copied links. */
const PAGE = 'pagina'

/** Returns the `pageName` in the URL; undefined when it is absent or malformed. */
export const pageIn = (search: URLSearchParams): string | undefined => {
  const name = search.get(PAGE) ?? ''
  return /^[\w-]{1,100}$/.test(name) ? name : undefined
}

export const searchWithPage = (search: URLSearchParams, name: string | undefined): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (name) next.set(PAGE, name)
  else next.delete(PAGE)
  return next
}

/**
 * Removes filters outside the closed lists, a malformed page name and a malformed registration id.
 */
export const withoutInvalid = (
  search: URLSearchParams,
): { search: URLSearchParams; hadInvalidFilter: boolean } => {
  const next = searchWithPage(search, pageIn(search))
  if (registrationIn(next) === undefined) next.delete(REGISTRATION)
  let hadInvalidFilter = false
  for (const { name, options } of panelFields) {
    const value = search.get(name)
    if (!value || options.some((option) => option.value === value)) continue
    next.delete(name)
    hadInvalidFilter = true
  }
  return { search: next, hadInvalidFilter }
}

/** Returns a key of the filter parameters in the URL, for comparison. */
export const filterPart = (search: URLSearchParams): string =>
  JSON.stringify(panelFields.map(({ name }) => search.get(name)))

/** Returns whether the URL names neither page nor filter, so that the default view applies. */
export const hasNoViewParams = (search: URLSearchParams): boolean =>
  pageIn(search) === undefined && panelFields.every(({ name }) => !search.has(name))
