import { randomUUID } from 'node:crypto'
import type { JWT } from '@fastify/jwt'
import { z } from 'zod'
import { notAuthorized, tokenExpired } from './power-bi-error.ts'
import { createTextCipher } from './text-cipher.ts'

/** The effective identity in an embed token, and the datasets it applies to. */
export const Identity = z.object({
  datasets: z.array(z.string()),
  username: z.string(),
  roles: z.array(z.string()),
  customData: z.string().nullable(),
  /** The bearer learns which rule leaves out every row: an administrator who sees as the reader. */
  explainsRules: z.boolean().optional(),
})
export type Identity = z.infer<typeof Identity>

const EntraClaims = z.object({ jti: z.string(), tid: z.string(), appid: z.string(), exp: z.number() })
/** Times are seconds since the epoch. */
export type EntraClaims = z.infer<typeof EntraClaims>

/** Claims of an id token, as OpenID Connect and Entra name them. */
type IdClaims = { clientId: string; sub: string; iss: string; tid: string; [claim: string]: string }

const EmbedClaims = z.object({
  jti: z.string(),
  reports: z.array(z.string()),
  exp: z.number(),
  identities: z.string(),
  /** An opaque mark of the reader, for a fair share of the queries. */
  reader: z.string().optional(),
  /** Opens previews, and nothing that is published; other tokens open no preview. */
  preview: z.literal(true).optional(),
})
export type EmbedClaims = Omit<z.infer<typeof EmbedClaims>, 'identities'> & { identities: Identity[] }

export type Tokens = ReturnType<typeof createTokens>

const ENTRA = 'https://analysis.windows.net/powerbi/api'
const EMBED = 'urn:bi-manager:embed'
/** The audience, and with `/.default` the scope, of tokens that read the archive. */
export const ARCHIVE = 'urn:bi-manager:archive'

/**
 * Signs and verifies all kinds of tokens. They share a key and differ in audience, so that none is
 * accepted as another. `now` returns milliseconds since the epoch.
 */
export const createTokens = (jwt: JWT, signingKey: string, now: () => number) => {
  // Embed tokens pass through the browser, so the identity inside is encrypted.
  const cipher = createTextCipher(signingKey, 'embed token identities')
  const seconds = () => Math.floor(now() / 1000)

  return {
    signEntra(subject: { tenantId: string; clientId: string }, lifeSeconds: number, aud = ENTRA) {
      const exp = seconds() + lifeSeconds
      const { tenantId: tid, clientId: appid } = subject
      const claims = { aud, jti: randomUUID(), sub: appid, tid, appid, iat: seconds(), exp }
      return sign(jwt, claims)
    },
    verifyEntra: (token: string) => verify(jwt, token, ENTRA, EntraClaims, now),
    verifyArchive: (token: string) => verify(jwt, token, ARCHIVE, EntraClaims, now),

    /** Its audience is an application, so that no call accepts it as a token. */
    signId({ clientId: aud, ...claims }: IdClaims, lifeSeconds: number) {
      const iat = seconds()
      return sign(jwt, { ...claims, aud, jti: randomUUID(), iat, nbf: iat, exp: iat + lifeSeconds })
    },

    /** Ends after its lifetime, or with the Entra token that requested it, whichever is first. */
    signEmbed(
      entra: Pick<EntraClaims, 'exp'>,
      grant: {
        reports: string[]
        identities: Identity[]
        reader?: string | null | undefined
        preview?: true
        lifeSeconds: number
      },
    ): { token: string; tokenId: string; expiration: string } {
      const tokenId = randomUUID()
      const exp = Math.min(entra.exp, seconds() + grant.lifeSeconds)
      const identities = cipher.encrypt(JSON.stringify(grant.identities))
      const { reports, reader, preview } = grant
      const claims = {
        aud: EMBED,
        jti: tokenId,
        sub: tokenId,
        iat: seconds(),
        exp,
        reports,
        identities,
        ...(reader && { reader }),
        ...(preview && { preview }),
      }
      return { token: sign(jwt, claims), tokenId, expiration: new Date(exp * 1000).toISOString() }
    },
    verifyEmbed(token: string): EmbedClaims {
      const claims = verify(jwt, token, EMBED, EmbedClaims, now)
      try {
        return {
          ...claims,
          identities: z.array(Identity).parse(JSON.parse(cipher.decrypt(claims.identities))),
        }
      } catch {
        throw notAuthorized()
      }
    },
  }
}

/** `sub` is the requesting application or user, except in embed tokens, which browsers can read. */
const sign = <Claims extends { sub: string; jti: string; aud: string }>(jwt: JWT, claims: Claims) =>
  jwt.sign(claims, { algorithm: 'HS256' })

/**
 * Checks expiry with the injected clock; the library checks signature and audience.
 * @throws PowerBiError 403
 */
const verify = <Claims extends { exp: number }>(
  jwt: JWT,
  token: string,
  audience: string,
  schema: z.ZodType<Claims>,
  now: () => number,
): Claims => {
  let claims: Claims
  try {
    const rules = { algorithms: ['HS256' as const], allowedAud: audience, ignoreExpiration: true }
    claims = schema.parse(jwt.verify<object>(token, rules))
  } catch {
    // The bearer does not learn what is wrong with the token.
    throw notAuthorized()
  }
  if (claims.exp * 1000 <= now()) throw tokenExpired()
  return claims
}
