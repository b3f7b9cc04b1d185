import type { Permission, ProblemCode } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { createBoundedCache } from '../lib/bounded-cache.ts'
import { Problem } from '../lib/problem.ts'

interface Options<B> {
  /** The permission of the routes that the credential opens. */
  permission: Permission
  /** The form of the credential, which no session token has. */
  form: RegExp
  /** Returns who bears the credential; undefined when it was revoked or has expired. */
  find: (credential: string, address: string) => Promise<B | undefined>
  /** The problem of a credential that is not valid. */
  refused: ProblemCode
  /** The first part of the key by which calls are counted. */
  counted: string
}

/**
 * Reads the credentials of kiosk screens and of guests, who have no account. Keeps the valid ones,
 * whose calls are limited by credential: the screens of a building share a network. Others count for
 * their network, because a caller can make up any number of them.
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
  return {
    /** Returns the key by which the calls of a valid credential are counted. */
    limitKeyOf: (request: FastifyRequest): string | undefined => {
      const credential = credentialOf(request)
      return credential && valid.get(credential)
    },
    /**
     * Returns who calls with their own credential. Every other route reads the credential as a session
     * token, and refuses it.
     * @throws Problem 401 when it was revoked or has expired
     */
    bearerOf: async (request: FastifyRequest): Promise<B | undefined> => {
      const credential = credentialOf(request)
      if (!credential) return undefined
      const bearer = await find(credential, request.ip)
      if (bearer) valid.set(credential, `${counted}:${bearer.marca}`)
      else valid.delete(credential)
      if (!bearer) throw new Problem(refused)
      return bearer
    },
  }
}
