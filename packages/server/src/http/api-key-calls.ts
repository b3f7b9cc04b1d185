import type { KeyGroup } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { createBoundedCache } from '../lib/bounded-cache.ts'
import { isInNetworks } from '../lib/networks.ts'
import { isKey } from '../lib/prefixed-key.ts'
import { Problem } from '../lib/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The groups of API keys that reach the route; without any, it refuses keys. */
    keyGroups?: readonly KeyGroup[]
    /** The route refuses sessions. */
    isForKeys?: boolean
  }
}

/** Finds the person behind an API key; undefined when the key is no longer valid. */
export type FindKeyCaller = (credential: string, address: string) => Promise<Caller | undefined>

export const KEY_PREFIX = 'bim_'

const credentialOf = ({ headers }: FastifyRequest): string | undefined => {
  const [scheme = '', credential = ''] = headers.authorization?.split(' ') ?? []
  return /^bearer$/i.test(scheme) && credential.startsWith(KEY_PREFIX) ? credential : undefined
}

/** Whether the call carries what claims to be an API key. */
export const hasKey = (request: FastifyRequest): boolean => credentialOf(request) !== undefined

/**
 * Reads API keys. Keeps the valid ones, whose calls are limited by key. Other credentials count for
 * their network, because a caller can make up any number of them.
 */
export const createKeyReader = (findCaller: FindKeyCaller) => {
  const valid = createBoundedCache<string>(5_000)
  return {
    /** Returns the key by which the calls of an API key are counted. */
    limitKeyOf: (request: FastifyRequest): string | undefined => {
      const credential = credentialOf(request)
      return credential && valid.get(credential)
    },
    /** @throws Problem 401 `chave_invalida` */
    callerOf: async (request: FastifyRequest): Promise<Caller> => {
      const credential = credentialOf(request) ?? ''
      const caller = isKey(KEY_PREFIX, credential) ? await findCaller(credential, request.ip) : undefined
      if (!caller) {
        valid.delete(credential)
        throw new Problem('chave_invalida')
      }
      valid.set(credential, caller.idSessao)
      return caller
    },
  }
}

/** @throws Problem 403 when the key does not reach the route, or may not be used from the address */
export const assertKeyReaches = ({ chave }: Caller, { ip, routeOptions }: FastifyRequest): void => {
  if (!chave) return
  const { keyGroups = [] } = routeOptions.config
  if (!keyGroups.some((group) => chave.grupos.includes(group))) throw new Problem('chave_sem_permissao')
  if (chave.redes.length > 0 && !isInNetworks(chave.redes, ip)) throw new Problem('chave_rede_negada')
}
