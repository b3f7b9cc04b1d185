import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import type { JWT } from '@fastify/jwt'
import { z } from 'zod'

/** The effective identity in an embed token, and the datasets it applies to. */
export const Identity = z.object({
  datasets: z.array(z.string()),
  username: z.string(),
  roles: z.array(z.string()),
  customData: z.string().nullable(),
})
export type Identity = z.infer<typeof Identity>

const EntraClaims = z.object({ jti: z.string(), tid: z.string(), appid: z.string(), exp: z.number() })
/** Times are seconds since the epoch. */
export type EntraClaims = z.infer<typeof EntraClaims>

const EmbedClaims = z.object({
  jti: z.string(),
  reports: z.array(z.string()),
  exp: z.number(),
  identities: z.string(),
})
export type EmbedClaims = Omit<z.infer<typeof EmbedClaims>, 'identities'> & { identities: Identity[] }

export type Verified<Claims> =
  | { state: 'valid'; claims: Claims }
  | { state: 'expired' }
  | { state: 'refused' }
export type Tokens = ReturnType<typeof createTokens>

const ENTRA = 'https://analysis.windows.net/powerbi/api'
const EMBED = 'urn:bi-manager:embed'

/**
 * Signs and verifies both kinds of tokens. They share a key and differ in audience, so that neither
 * is accepted as the other. `now` returns milliseconds since the epoch.
 */
export function createTokens(jwt: JWT, signingKey: string, now: () => number) {
  const seal = sealer(signingKey)
  const seconds = () => Math.floor(now() / 1000)

  return {
    signEntra(subject: { tenantId: string; clientId: string }, lifeSeconds: number) {
      const exp = seconds() + lifeSeconds
      const { tenantId: tid, clientId: appid } = subject
      const claims = { aud: ENTRA, jti: randomUUID(), sub: appid, tid, appid, iat: seconds(), exp }
      return sign(jwt, claims)
    },
    verifyEntra: (token: string) => verify(jwt, token, ENTRA, EntraClaims, now),

    /** Ends after its lifetime, or with the Entra token that requested it, whichever is first. */
    signEmbed(
      entra: Pick<EntraClaims, 'exp'>,
      grant: { reports: string[]; identities: Identity[]; lifeSeconds: number },
    ): { token: string; tokenId: string; expiration: string } {
      const tokenId = randomUUID()
      const exp = Math.min(entra.exp, seconds() + grant.lifeSeconds)
      const identities = seal.close(JSON.stringify(grant.identities))
      const { reports } = grant
      const claims = { aud: EMBED, jti: tokenId, sub: tokenId, reports, identities, iat: seconds(), exp }
      return { token: sign(jwt, claims), tokenId, expiration: new Date(exp * 1000).toISOString() }
    },
    verifyEmbed(token: string): Verified<EmbedClaims> {
      const verified = verify(jwt, token, EMBED, EmbedClaims, now)
      if (verified.state !== 'valid') return verified
      try {
        const identities = z.array(Identity).parse(JSON.parse(seal.open(verified.claims.identities)))
        return { state: 'valid', claims: { ...verified.claims, identities } }
      } catch {
        return { state: 'refused' }
      }
    },
  }
}

/** `sub` is the requesting application, except in embed tokens, which browsers can read. */
const sign = (jwt: JWT, claims: { sub: string; jti: string }) => jwt.sign(claims, { algorithm: 'HS256' })

/** Checks expiry with the injected clock; the library checks signature and audience. */
function verify<Claims extends { exp: number }>(
  jwt: JWT,
  token: string,
  audience: string,
  schema: z.ZodType<Claims>,
  now: () => number,
): Verified<Claims> {
  try {
    const payload = jwt.verify<object>(token, {
      algorithms: ['HS256'],
      allowedAud: audience,
      ignoreExpiration: true,
    })
    const claims = schema.parse(payload)
    return claims.exp * 1000 <= now() ? { state: 'expired' } : { state: 'valid', claims }
  } catch {
    // The bearer does not learn what is wrong with the token.
    return { state: 'refused' }
  }
}

/** Bytes. A shorter tag is easier to forge, so it is refused. */
const TAG = { authTagLength: 16 }

/** Embed tokens pass through the browser, so the identity inside is encrypted. */
function sealer(signingKey: string) {
  const key = Buffer.from(hkdfSync('sha256', signingKey, '', 'embed token identities', 32))
  return {
    close(text: string) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, TAG)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed: string) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG)
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
