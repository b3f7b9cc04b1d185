import { type LoaderFunction, replace } from 'react-router'
import { type ProviderAttempt, takeAttempt } from './provider-attempt.ts'

let returned: string | undefined

/** Removes the provider's response from the URL before anything is rendered or called with it. */
export const storeProviderResponse: LoaderFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url)
  if (!search) return null
  returned = search.slice(1)
  return replace(pathname)
}

/**
 * Returns the provider's response with its attempt and removes both; undefined if one is missing.
 */
export const takeProviderResponse = (): (ProviderAttempt & { retorno: string }) | undefined => {
  const attempt = takeAttempt()
  const retorno = returned
  returned = undefined
  return attempt && retorno ? { ...attempt, retorno } : undefined
}
