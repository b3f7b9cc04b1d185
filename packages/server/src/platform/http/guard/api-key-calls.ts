import { type KeyGroup, keyGroupTexts } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { isAddressAllowed } from '../../lib/networks.ts'
import { isKey } from '../../lib/prefixed-key.ts'
import { Problem } from '../../lib/problem.ts'
import type { Caller } from '../callers/caller.ts'
import type { CallingKey } from '../callers/calling-key.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The groups of API keys that reach the route; without any, it refuses keys. */
    keyGroups?: readonly KeyGroup[]
    /** The route refuses sessions. */
    isForKeys?: boolean
  }
}

/** Finds the person behind an API key; undefined when the key is no longer valid. */
export type FindKeyCaller = (credential: string) => Promise<KeyCaller | undefined>
/** Writes when and from which address the key was last used. */
export type NoteKeyUse = (caller: KeyCaller, address: string) => Promise<void>
export type KeyCaller = Caller & { chave: CallingKey }

export const KEY_PREFIX = 'bim_'

const credentialOf = ({ headers }: FastifyRequest): string | undefined => {
  const [scheme = '', credential = ''] = headers.authorization?.split(' ') ?? []
  return /^bearer$/i.test(scheme) && credential.startsWith(KEY_PREFIX) ? credential : undefined
}

/** Whether the call carries what claims to be an API key. */
export const hasKey = (request: FastifyRequest): boolean => credentialOf(request) !== undefined

/**
 * Reads API keys. Keeps the valid ones: the calls that a key may make are limited by key. All other
 * calls count for their network, because a caller can make up any number of credentials.
 */
export const createKeyReader = (findCaller: FindKeyCaller) => {
  const valid = createBoundedCache<KeyCaller>(5_000)
  return {
    /**
     * Returns the key by which the calls of an API key are counted.
     * @param isInNetworks whether the key's owner may call from the request's address
     */
    limitKeyOf: (request: FastifyRequest, isInNetworks: (owner: Caller) => boolean): string | undefined => {
      const owner = valid.get(credentialOf(request) ?? '')
      const mayCall = owner && isInNetworks(owner) && denialReasonOf(owner, request) === undefined
      return mayCall ? owner.idSessao : undefined
    },
    /** @throws Problem 401 `chave_invalida` */
    callerOf: async (request: FastifyRequest): Promise<KeyCaller> => {
      const credential = credentialOf(request) ?? ''
      const caller = isKey(KEY_PREFIX, credential) ? await findCaller(credential) : undefined
      if (!caller) {
        valid.delete(credential)
        throw new Problem('chave_invalida')
      }
      valid.set(credential, caller)
      return caller
    },
  }
}

/** @throws Problem 403 when the key does not reach the route, or may not be used from the address */
export const assertKeyReaches = (caller: Caller, request: FastifyRequest): void => {
  const denialReason = denialReasonOf(caller, request)
  if (!denialReason) return
  const { keyGroups = [] } = request.routeOptions.config
  const wanted = keyGroups.map((group) => `“${keyGroupTexts[group].title}”`).join(' ou ')
  throw new Problem(
    denialReason,
    denialReason === 'chave_sem_permissao' && wanted ? { detail: lacking(wanted) } : {},
  )
}

/** The groups of a key never change. */
const lacking = (wanted: string): string =>
  `Esta chave de API não tem a permissão ${wanted}, que esta chamada pede. Crie outra chave no portal.`

/** Groups and networks of a key never change. */
const denialReasonOf = ({ chave }: Caller, { ip, routeOptions }: FastifyRequest) => {
  if (!chave) return undefined
  const { keyGroups = [] } = routeOptions.config
  if (!keyGroups.some((group) => chave.grupos.includes(group))) return 'chave_sem_permissao'
  return isAddressAllowed(chave.redes, ip) ? undefined : 'chave_rede_negada'
}
