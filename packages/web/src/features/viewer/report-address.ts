import { REGISTRATION, registrationIn } from '../../lib/report-path.ts'
import { panelFields } from './panel-filters.ts'

/** The parameter that keeps the report's page across a reload and in a copied link. */
const PAGE = 'pagina'

/** The page that an address asks for, by the name the report knows it under; what is no name counts for nothing. */
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

/** The address without filters outside the closed lists, and without what is no page's name and no registration's id. */
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

/** The part of an address that decides about the filters. */
export const filterPart = (search: URLSearchParams): string =>
  JSON.stringify(panelFields.map(({ name }) => search.get(name)))

/** Whether an address leaves it to the report, or to the person's saved view, how it opens. */
export const isPlain = (search: URLSearchParams): boolean =>
  pageIn(search) === undefined && panelFields.every(({ name }) => !search.has(name))
