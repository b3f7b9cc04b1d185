import { panelOptionOf, REGISTRATION, SUBSCRIPTION } from '@bi-manager/contract'
import { CONVERSATION, PAGE, registrationIn, subscriptionIn } from '../../../lib/navigation/report-path.ts'
import { isFilterName, lackingFields, type NamedField, type PanelField } from './panel-filters.ts'

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

export const withoutConversation = (search: URLSearchParams): URLSearchParams => {
  const next = new URLSearchParams(search)
  next.delete(CONVERSATION)
  return next
}

export const withoutSubscription = (search: URLSearchParams): URLSearchParams => {
  const next = new URLSearchParams(search)
  next.delete(SUBSCRIPTION)
  return next
}

/** Removes a malformed page name and a malformed registration id. */
export const withoutInvalid = (search: URLSearchParams): URLSearchParams => {
  const next = searchWithPage(search, pageIn(search))
  if (registrationIn(next) === undefined) next.delete(REGISTRATION)
  return next
}

/** Removes the filters that the report's panel does not offer. */
export const withoutUnusable = (
  search: URLSearchParams,
  fields: readonly PanelField[],
): { search: URLSearchParams; hadInvalidFilter: boolean; missing: NamedField[] } => {
  const missing = lackingFields(search, fields)
  const invalid = fields.filter((field) => {
    const value = search.get(field.nome)
    return value && !panelOptionOf(field, value)
  })
  const next = new URLSearchParams(search)
  for (const { nome } of [...missing, ...invalid]) next.delete(nome)
  return { search: next, hadInvalidFilter: invalid.length > 0, missing }
}

const filtersIn = (search: URLSearchParams) => [...search].filter(([name]) => isFilterName(name)).sort()

/** Returns a key of the filter parameters in the URL, for comparison. */
export const filterPart = (search: URLSearchParams): string => JSON.stringify(filtersIn(search))

/** Whether the URL names no page, filter or subscription: the default view applies then. */
export const hasNoViewParams = (search: URLSearchParams): boolean =>
  pageIn(search) === undefined && filtersIn(search).length === 0 && subscriptionIn(search) === undefined
