import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { RecordId } from './ids.ts'
import { SignedIn } from './sessions.ts'

/** Values that the browser keeps (sessionStorage) until its return to `/entrar/oidc`. */
export const OidcStart = z
  .object({
    /** The provider's authorization endpoint with all parameters. */
    url: z.url(),
    estado: z.string(),
    nonce: z.string(),
    /** The PKCE verifier; the provider has received only its digest. */
    verificador: z.string(),
  })
  .meta({ id: 'OidcStart' })
export type OidcStart = z.infer<typeof OidcStart>

const short = z.string().min(1).max(256)

const tag = 'Sessões'

export const oidcApi = {
  start: endpoint({
    method: 'POST',
    url: '/login/oidc/inicio',
    permission: 'public',
    tag,
    summary: 'Começa a entrada pelo provedor de identidade (código de autorização com PKCE)',
    response: { 200: OidcStart },
  }),
  finish: endpoint({
    method: 'POST',
    url: '/login/oidc',
    permission: 'public',
    tag,
    summary: 'Termina a entrada pelo provedor; quem não se conhece passa a aguardar aprovação',
    body: z
      .object({
        /** The unmodified query string with which the provider redirected back. */
        retorno: z.string().min(1).max(8_192),
        estado: short,
        nonce: short,
        verificador: short,
      })
      .meta({ id: 'OidcReturn' }),
    response: { 200: SignedIn },
  }),
  unlink: endpoint({
    method: 'POST',
    url: '/usuarios/:id/provedor/desligar',
    permission: 'users:manage',
    tag,
    summary: 'Desliga a conta de outra pessoa da identidade dela no provedor; encerra as sessões dela',
    params: z.object({ id: RecordId }),
    response: { 204: z.void() },
  }),
}
