import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Token {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The signing key: the provider's, an unpublished one, or the public key as a secret. */
  signedWith?: 'own' | 'other' | 'public key' | 'nothing'
}

/** An answer of the token endpoint that replaces the ID token. */
interface Answer {
  status: number
  body: unknown
}

/**
 * Starts a provider that sends forged ID tokens, as no real one would. `token` makes the next token
 * from a good one; `answer`, if set, replaces it.
 */
export const startOidcStandIn = async () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const next: {
    token: (good: Token) => Token
    answer: Answer | undefined
    metadata: object
    keys: object[]
  } = {
    token: (good) => good,
    answer: undefined,
    metadata: {},
    keys: [{ ...own.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'a' }],
  }
  let issuer = ''
  let nonce = ''

  const signed = ({ header, claims, signedWith = 'own' }: Token): string => {
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    if (signedWith === 'nothing') return `${text}.`
    if (signedWith === 'public key') {
      const secret = own.publicKey.export({ type: 'spki', format: 'pem' })
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const { privateKey } = signedWith === 'own' ? own : other
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`
  }
  const goodToken = (): Token => {
    const now = Math.floor(Date.now() / 1000)
    return {
      header: { alg: 'RS256', kid: 'a' },
      claims: {
        iss: issuer,
        aud: 'portal',
        sub: 'maria',
        iat: now,
        exp: now + 60,
        nonce,
        email: 'maria@exemplo.com.br',
        email_verified: true,
      },
    }
  }
  const tokens = () => ({
    access_token: 'segredo-de-acesso',
    token_type: 'Bearer',
    id_token: signed(next.token(goodToken())),
  })

  const server = createServer((request, response) => {
    const answer = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (request.url?.endsWith('/.well-known/openid-configuration')) {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/autorizar`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/chaves`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        ...next.metadata,
      })
    }
    if (request.url === '/chaves') return answer({ keys: next.keys })
    request.resume()
    request.on('end', () => answer(next.answer?.body ?? tokens(), next.answer?.status))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    next,
    /** Sets the nonce of the following good tokens. */
    expectNonce: (value: string) => {
      nonce = value
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
