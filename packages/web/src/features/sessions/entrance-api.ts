import type { Credentials, PortalSettings, ProblemBody, SignedIn } from '@bi-manager/contract'
import { watchedFetch } from '../../lib/connection.ts'

/*
 * The two calls made before anybody has signed in, written by hand: the contract's client brings the schemas of the
 * whole API along (29 KB), and the sign-in page should be there first. A test holds addresses and sentences against
 * the contract.
 */

export const WRONG_CREDENTIALS = 'Atenção! Usuário ou senha, incorretos, tente novamente.'
export const OTHER_PROBLEM =
  'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.'
export const urls = { signIn: '/usuarios/authorizer', portal: '/portal' }

/** A sign-in that failed; its message is the sentence for the screen. */
export class SignInRefused extends Error {
  readonly wrongCredentials: boolean

  constructor(message: string, wrongCredentials = false) {
    super(message)
    this.name = 'SignInRefused'
    this.wrongCredentials = wrongCredentials
  }
}

/** @throws SignInRefused whatever went wrong. */
export const signIn = async (credentials: Credentials): Promise<SignedIn> => {
  const response = await watchedFetch(`/api${urls.signIn}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', scope: 'backoffice' },
    body: JSON.stringify(credentials),
  }).catch(() => undefined)
  const body: unknown = await response?.json().catch(() => undefined)
  if (response?.ok && body) return body as SignedIn
  if (response?.status === 401) throw new SignInRefused(WRONG_CREDENTIALS, true)
  if (response?.status === 429 && body) {
    const seconds = Number(response.headers.get('retry-after')) || 0
    throw new SignInRefused(`${(body as ProblemBody).detail}${waitSentence(seconds)}`)
  }
  throw new SignInRefused(OTHER_PROBLEM)
}

/** Whether this is the demo; an answer that does not come says no. */
export const isDemo = async (): Promise<boolean> => {
  const response = await watchedFetch(`/api${urls.portal}`).catch(() => undefined)
  const settings = (await response?.json().catch(() => undefined)) as Partial<PortalSettings> | undefined
  return response?.ok === true && settings?.demonstracao === true
}

const waitSentence = (seconds: number): string => {
  if (seconds <= 0) return ''
  if (seconds < 60) return ` Nova tentativa em ${seconds === 1 ? '1 segundo' : `${seconds} segundos`}.`
  const minutes = Math.ceil(seconds / 60)
  return ` Nova tentativa em ${minutes === 1 ? '1 minuto' : `${minutes} minutos`}.`
}
