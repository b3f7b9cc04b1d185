import type {
  Credentials,
  OidcStart,
  PortalSettings,
  ProblemBody,
  ProblemCode,
  SignedIn,
} from '@bi-manager/contract'
import { watchedFetch } from '../../lib/api/connection.ts'
import { deviceId } from '../../lib/session/device-id.ts'
import { currentSession, expiryOf, startSession } from '../../lib/session/session.ts'
import { waitSentence } from '../../lib/text/wait-sentence.ts'
import type { FetchedSettings } from './sign-in-settings.ts'

/*
 * The calls of the sign-in page, written by hand: the contract's client would add the schemas of the
 * whole API and delay the page. A test compares URLs and sentences with the contract.
 */

/** These two sentences are the specification's, to the letter. */
export const WRONG_CREDENTIALS = 'Atenção! Usuário ou senha, incorretos, tente novamente.'
export const OTHER_PROBLEM =
  'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.'
/** The answer has no usable date, and the session that begins now has ended by this computer's clock. */
const WRONG_CLOCK =
  'O relógio deste computador está errado, e a sua sessão já teria terminado. Acerte a data e a hora e entre de novo.'
export const urls = {
  signIn: '/usuarios/authorizer',
  portal: '/portal',
  startProvider: '/login/oidc/inicio',
}

/**
 * A failed sign-in. The message is shown to the user; `codigo` is set when the server refused the
 * credentials, and says whether the page asks for the password or a code next.
 */
export class SignInRefused extends Error {
  readonly codigo: ProblemCode | undefined

  constructor(message: string, codigo?: ProblemCode) {
    super(message)
    this.name = 'SignInRefused'
    this.codigo = codigo
  }
}

/**
 * Begins the session of a sign-in.
 * @throws SignInRefused when its token cannot be read, or has ended by this computer's clock
 */
export const beginSession = (signedIn: SignedIn): void => {
  startSession(signedIn)
  if (currentSession()) return
  throw new SignInRefused(expiryOf(signedIn.access_token) > 0 ? WRONG_CLOCK : OTHER_PROBLEM)
}

/** Returns a refusal to show for any error, which is also written to the console. */
export const refusalOf = (error: unknown): SignInRefused => {
  if (error instanceof SignInRefused) return error
  console.error('A entrada falhou.', error)
  return new SignInRefused(OTHER_PROBLEM)
}

/**
 * Signs in with a password, and a code if there is a second factor.
 * @throws SignInRefused on any failure
 */
export const signIn = async (credentials: Credentials): Promise<SignedIn> => {
  const response = await watchedFetch(`/api${urls.signIn}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      scope: 'backoffice',
      'x-dispositivo': deviceId(),
    },
    body: JSON.stringify(credentials),
  }).catch(() => undefined)
  const body: unknown = await response?.json().catch(() => undefined)
  if (response?.ok && body) return body as SignedIn
  if (response?.status === 401) {
    const { codigo, detail } = (body ?? {}) as Partial<ProblemBody>
    if (detail && (codigo === 'segundo_fator_necessario' || codigo === 'codigo_invalido')) {
      throw new SignInRefused(detail, codigo)
    }
    throw new SignInRefused(WRONG_CREDENTIALS, 'credenciais_invalidas')
  }
  throw refusalIn(response, body)
}

/**
 * Starts a sign-in at the identity provider.
 * @throws SignInRefused on any failure
 */
export const startProviderSignIn = async (): Promise<OidcStart> => {
  const response = await watchedFetch(`/api${urls.startProvider}`, {
    method: 'POST',
    headers: { scope: 'backoffice' },
  }).catch(() => undefined)
  const body: unknown = await response?.json().catch(() => undefined)
  if (response?.ok && body) return body as OidcStart
  throw refusalIn(response, body)
}

/** Fetches the settings of the sign-in page; returns undefined on any failure. */
export const fetchSettings = async (): Promise<FetchedSettings | undefined> => {
  const response = await watchedFetch(`/api${urls.portal}`).catch(() => undefined)
  const settings = (await response?.json().catch(() => undefined)) as PortalSettings | undefined
  if (!response?.ok || !settings) return undefined
  const { demonstracao, entradaComSenha, provedorIdentidade, avisos = [] } = settings
  return { demonstracao, entradaComSenha, provedorIdentidade, avisos }
}

/**
 * Returns the refusal of a failed call: with the server's sentence for the codes in `shownAsSent`,
 * otherwise, and when the server was not reached, with a generic sentence.
 */
const refusalIn = (response: Response | undefined, body: unknown): SignInRefused => {
  const { detail, codigo } = (body ?? {}) as Partial<ProblemBody>
  if (!detail || !codigo || !shownAsSent.includes(codigo)) return new SignInRefused(OTHER_PROBLEM)
  const seconds = response?.status === 429 ? Number(response.headers.get('retry-after')) || 0 : 0
  return new SignInRefused(`${detail}${waitSentence(seconds)}`)
}

const shownAsSent = ['muitas_tentativas', 'provedor_indisponivel', 'senha_desativada', 'rede_nao_permitida']
