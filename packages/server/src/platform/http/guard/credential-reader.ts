import type { Permission, ProblemCode } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { Problem } from '../../lib/problem.ts'

interface Options<B> {
  /** The permission of the routes that the credential opens. */
  permission: Permission
  /** The form of the credential, which no session token has. */
  form: RegExp
  /**
   * Returns who bears the credential; undefined when it was revoked or has expired.
   * @throws Problem 403 when it may not be used at the address
   */
  find: (credential: string, address: string) => Promise<B | undefined>
  /** The problem of a credential that is not valid. */
  refused: ProblemCode
  /** The first part of the key by which calls are counted. */
  counted: string
}

/**
 * Reads the credentials of kiosk screens and of guests, who have no account. Remembers each valid pair
 * of credential and address. Calls of such a pair are counted by credential, because the screens of a
 * building share a network. All other calls are counted by network: a caller can invent any number of
 * credentials, and must not use up the limit of a stolen one from another address.
 */
export const createCredentialReader = <B extends { marca: string }>({
  permission,
  form,
  find,
  refused,
  counted,
}: Options<B>) => {
  const valid = createBoundedCache<string>(5_000)
  const credentialOf = ({ headers, routeOptions }: FastifyRequest): string | undefined => {
    if (routeOptions.config.permission !== permission) return undefined
    const [scheme, credential = ''] = headers.authorization?.split(' ') ?? []
    return scheme === 'Bearer' && form.test(credential) ? credential : undefined
  }
  const placeOf = (credential: string, { ip }: FastifyRequest) => `${credential} ${ip}`
  return {
    /** Returns the key by which the calls of a valid credential are counted. */
    limitKeyOf: (request: FastifyRequest): string | undefined => {
      const credential = credentialOf(request)
      return credential && valid.get(placeOf(credential, request))
    },
    /**
     * Returns who calls with their own credential. Every other route reads the credential as a session
     * token, and refuses it.
     * @throws Problem 401 when it was revoked or has expired; 403 as `find`
     */
    bearerOf: async (request: FastifyRequest): Promise<B | undefined> => {
      const credential = credentialOf(request)
      if (!credential) return undefined
      const place = placeOf(credential, request)
      try {
        const bearer = await find(credential, request.ip)
        if (!bearer) throw new Problem(refused)
        valid.set(place, `${counted}:${bearer.marca}`)
        return bearer
      } catch (error) {
        valid.delete(place)
        throw error
      }
    },
  }
}
