import { type LoaderFunction, replace } from 'react-router'
import { type ProviderAttempt, takeAttempt } from './provider-attempt.ts'

let returned: string | undefined

/** Takes the provider's answer out of the address before anything is shown or called with it. */
export const keepReturn: LoaderFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url)
  if (!search) return null
  returned = search.slice(1)
  return replace(pathname)
}

/** What the provider sent back, with what was kept for it; undefined where one of them is missing. Gone once taken. */
export const takeReturn = (): (ProviderAttempt & { retorno: string }) | undefined => {
  const attempt = takeAttempt()
  const retorno = returned
  returned = undefined
  return attempt && retorno ? { ...attempt, retorno } : undefined
}
