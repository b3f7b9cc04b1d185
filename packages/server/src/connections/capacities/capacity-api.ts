import { type CapacityKind, type CapacityState, ownValue } from '@bi-manager/contract'
import { z } from 'zod'
import { Problem } from '../../platform/lib/problem.ts'
import type { CallLimits, Connection } from '../power-bi/connection.ts'
import { createEntraTokens } from '../power-bi/entra-tokens.ts'
import { callProvider, ProviderRefusal, sendToProvider } from '../power-bi/provider-call.ts'
import { problemOfCapacityRefusal } from './capacity-refusal.ts'

/*
 * Azure Resource Manager's calls of capacities, with the connection's service principal:
 * learn.microsoft.com/rest/api/microsoftfabric/fabric-capacities and
 * learn.microsoft.com/rest/api/power-bi-embedded/capacities.
 */

const text = z.string().nullish()
const Sku = z.object({ name: z.string().regex(/^[A-Z]{1,3}\d{1,4}$/) })
const CapacityAnswer = z.object({ sku: Sku.nullish(), properties: z.object({ state: text }) })
const SkusAnswer = z.object({ value: z.array(z.object({ sku: Sku })) })

/** Microsoft's states of both kinds: F capacities run as `Active`, A ones as `Succeeded`. */
const states: Record<string, CapacityState> = {
  Active: 'ATIVA',
  Succeeded: 'ATIVA',
  Paused: 'PAUSADA',
  Pausing: 'PAUSANDO',
  Suspending: 'PAUSANDO',
  Resuming: 'INICIANDO',
  Scaling: 'REDIMENSIONANDO',
  Updating: 'REDIMENSIONANDO',
  Provisioning: 'PREPARANDO',
  Preparing: 'PREPARANDO',
  Suspended: 'SUSPENSA',
  Failed: 'FALHOU',
}

const versions: Record<CapacityKind, string> = { F: '2023-11-01', A: '2021-01-01' }
const tiers: Record<CapacityKind, string> = { F: 'Fabric', A: 'PBIE_Azure' }

export const kindOf = (recurso: string): CapacityKind => (/\/microsoft\.fabric\//i.test(recurso) ? 'F' : 'A')

export interface CapacityReading {
  estado: CapacityState
  sku: string | null
}

/** A capacity, with the connection that may change it. */
interface CapacityAddress {
  connection: Connection
  recurso: string
}

export type CapacityApi = ReturnType<typeof createCapacityApi>

export const createCapacityApi = ({ now, ...limits }: CallLimits & { now: () => Date }) => {
  const { management } = limits.addresses.microsoft
  const tokens = createEntraTokens({ ...limits, now, scope: `${management}/.default` })

  const send = async <T>(
    { connection, recurso }: CapacityAddress,
    { operation, method = 'GET', path = '', body }: Sent,
    work: (request: Parameters<typeof sendToProvider>[0]) => Promise<T>,
  ): Promise<T> => {
    if (!management) throw new Problem('capacidade_sem_azure')
    const attempt = (token: string) =>
      work({
        call: { provider: connection.provider, operation },
        url: `${management}${recurso}${path}?api-version=${versions[kindOf(recurso)]}`,
        init: {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body: body ? JSON.stringify(body) : null,
        },
        timeoutMs: limits.timeoutMs,
        hide: [token],
      })
    try {
      const token = await tokens.tokenFor(connection)
      return await attempt(token).catch(async (error: unknown) => {
        if (!(error instanceof ProviderRefusal && error.status === 401)) throw error
        return attempt(await tokens.tokenFor(connection, token))
      })
    } catch (error) {
      throw error instanceof ProviderRefusal ? problemOfCapacityRefusal(error) : error
    }
  }

  return {
    read: async (capacity: CapacityAddress): Promise<CapacityReading> => {
      const { sku, properties } = await send(capacity, { operation: 'readCapacity' }, (request) =>
        callProvider({ ...request, answer: CapacityAnswer }),
      )
      return { estado: ownValue(states, properties.state ?? '') ?? 'DESCONHECIDA', sku: sku?.name ?? null }
    },
    /** Azure accepts the change with 200 or 202; the state shows when it is done. */
    start: (capacity: CapacityAddress) =>
      send(capacity, { operation: 'startCapacity', method: 'POST', path: '/resume' }, sendToProvider),
    pause: (capacity: CapacityAddress) =>
      send(capacity, { operation: 'pauseCapacity', method: 'POST', path: '/suspend' }, sendToProvider),
    resize: (capacity: CapacityAddress, sku: string) => {
      const body = { sku: { name: sku, tier: tiers[kindOf(capacity.recurso)] } }
      return send(capacity, { operation: 'resizeCapacity', method: 'PATCH', body }, sendToProvider)
    },
    /** Returns the sizes that the capacity may have, smallest first. */
    listSkus: async (capacity: CapacityAddress): Promise<string[]> => {
      const { value } = await send(capacity, { operation: 'listCapacitySkus', path: '/skus' }, (request) =>
        callProvider({ ...request, answer: SkusAnswer }),
      )
      return [...new Set(value.map(({ sku }) => sku.name))].toSorted((a, b) => sizeOf(a) - sizeOf(b))
    },
  }
}

interface Sent {
  /** A fixed name, for metrics and traces. */
  operation: string
  method?: 'GET' | 'POST' | 'PATCH'
  path?: string
  body?: object
}

const sizeOf = (sku: string): number => Number(sku.replace(/\D/g, ''))
