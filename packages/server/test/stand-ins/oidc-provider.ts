import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider'

/** The provider's claims about a person; `sub` is also the sign-in name there. */
export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

interface ProviderOptions {
  /** Allowed redirect addresses. */
  redirectUris: string[]
  /** 0 chooses a free port. */
  port?: number
  host?: string
  /** Whether the ID token contains name and e-mail; otherwise only the user info does. */
  claimsInToken?: boolean
  /** Serves TLS under this name instead of `host`. */
  secure?: { name: string; key: string; cert: string }
}

/** The client's settings in the portal's environment, without the issuer. */
export const portalClient = {
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'segredo-do-portal-no-provedor',
}

/** A second application at the same provider; its codes are not for the portal. */
const otherClient = 'outro-portal'

/** Starts a real OpenID Connect provider with a sign-in page. `people` may change while it runs. */
export const startOidcProvider = async ({
  redirectUris,
  port = 0,
  host = '127.0.0.1',
  claimsInToken = false,
  secure,
}: ProviderOptions) => {
  const people = new Map<string, ProviderPerson>()
  const server = secure ? createSecureServer(secure) : createServer()
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: chosen } = server.address() as AddressInfo
  const issuer = secure ? `https://${secure.name}:${chosen}` : `http://${host}:${chosen}`
  const client = { client_secret: portalClient.OIDC_CLIENT_SECRET, redirect_uris: redirectUris }
  const authentication = { token_endpoint_auth_method: 'client_secret_post' } as const
  const configuration: Configuration = {
    clients: [
      { client_id: portalClient.OIDC_CLIENT_ID, ...client, ...authentication },
      { client_id: otherClient, ...client, ...authentication },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInToken,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...signingKey(), use: 'sig', alg: 'RS256', kid: 'a' }] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    interactions: { url: (_, { uid }) => `/entrada/${uid}` },
    // Skips the consent page.
    loadExistingGrant,
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 300,
      IdToken: 300,
      Interaction: 300,
      Session: 300,
    },
  }
  const provider = new Provider(issuer, configuration)
  const answer = provider.callback()

  const showSignIn = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') return page(response)
    const form = new URLSearchParams(await text(request))
    const sub = form.get('usuario') ?? ''
    const result = people.has(sub)
      ? { login: { accountId: sub } }
      : { error: 'access_denied', error_description: 'a pessoa desistiu' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/entrada/')) return answer(request, response)
    showSignIn(request, response).catch((error: Error) => response.writeHead(400).end(error.message))
  })

  return {
    issuer,
    people,
    otherClient,
    settings: { OIDC_ISSUER: issuer, ...portalClient },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>

/**
 * Follows the provider's pages as a browser would, and signs in as this person; an unknown one
 * cancels.
 * @returns the query that the provider sends back to the portal
 */
export const signInAtProvider = async (url: string, sub: string, redirectUri: string): Promise<string> => {
  const cookies = new Map<string, string>()
  let next: { url: string; init: RequestInit } = { url, init: {} }
  for (let step = 0; step < 10; step += 1) {
    if (next.url.startsWith(`${redirectUri}?`)) return new URL(next.url).search.slice(1)
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(next.url, { ...next.init, redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', ...value] = (set.split(';')[0] ?? '').split('=')
      cookies.set(name, value.join('='))
    }
    const location = response.headers.get('location')
    if (location) next = { url: new URL(location, next.url).href, init: {} }
    else if (response.ok) {
      next = { url: next.url, init: { method: 'POST', body: new URLSearchParams({ usuario: sub }) } }
    } else throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
  }
  throw new Error('the provider never came back')
}

const signingKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

const loadExistingGrant = async (context: KoaContextWithOIDC) => {
  const { client, session, provider } = context.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

const page = (response: ServerResponse) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>Provedor de identidade</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body><main>
<h1>Provedor de identidade</h1><form method="post"><p><label>Conta da empresa <input name="usuario"></label></p>
<button>Continuar</button></form></main></body></html>`)
}
