import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { SignedIn } from './sessions.ts'

/** Values that the browser keeps (sessionStorage) until its return to `/entrar/oidc`. */
export const OidcStart = namedObject('OidcStart', {
  /** The provider's authorization endpoint with all parameters. */
  url: z.url(),
  estado: z.string(),
  nonce: z.string(),
  /** The PKCE verifier; the provider has received only its digest. */
  verificador: z.string(),
})
export type OidcStart = z.infer<typeof OidcStart>

const shortText = z.string().min(1).max(256)

const anyone = callsOf({ tag: 'Sessões', permission: 'public' })

export const oidcApi = {
  start: anyone.post(
    '/login/oidc/inicio',
    'Começa a entrada pelo provedor de identidade (código de autorização com PKCE)',
    { response: { 200: OidcStart } },
  ),
  finish: anyone.post(
    '/login/oidc',
    'Termina a entrada pelo provedor; quem não se conhece passa a aguardar aprovação',
    {
      body: namedObject('OidcReturn', {
        /** The unmodified query string with which the provider redirected back. */
        retorno: z.string().min(1).max(8_192),
        estado: shortText,
        nonce: shortText,
        verificador: shortText,
      }),
      response: { 200: SignedIn },
    },
  ),
  unlink: anyone.post(
    '/usuarios/:id/provedor/desligar',
    'Desliga a conta de outra pessoa da identidade dela no provedor; encerra as sessões dela',
    { permission: 'users:manage' },
  ),
}
