import type { SeenRequest } from './provider-requests.ts'
import { accepted, type Provider, type ScriptedAnswer } from './provider-stand-in.ts'

/* Capacities in Azure Resource Manager, played by the provider stand-in. */

type State = 'Active' | 'Succeeded' | 'Paused' | 'Pausing' | 'Resuming' | 'Scaling' | 'Suspended' | 'Failed'

export interface SimulatedAzureCapacity {
  /** /subscriptions/…/providers/Microsoft.Fabric/capacities/… */
  id: string
  sku: string
  state: State
  /** The capacity of workspaces in Power BI. */
  capacityId?: string
  /** Milliseconds that a change takes; default: until the next reading. */
  changeMs?: number
  /** The answer to the next changes, instead of accepting them. */
  refusal?: ScriptedAnswer
}

/** Azure's error answers. */
export const azureRefusals = {
  forbidden: {
    status: 403,
    body: { error: { code: 'AuthorizationFailed', message: 'The client does not have authorization.' } },
  },
  missing: { status: 404, body: { error: { code: 'ResourceNotFound', message: 'It was not found.' } } },
  conflict: { status: 409, body: { error: { code: 'Conflict', message: 'Another operation is running.' } } },
  throttled: {
    status: 429,
    headers: { 'retry-after': '17' },
    body: { error: { code: 'TooManyRequests', message: 'Too many requests.' } },
  },
} satisfies Record<string, ScriptedAnswer>

const kinds = {
  F: { version: '2023-11-01', active: 'Active', skus: ['F8', 'F2', 'F4', 'F64'], tier: 'Fabric' },
  A: { version: '2021-01-01', active: 'Succeeded', skus: ['A4', 'A1', 'A2'], tier: 'PBIE_Azure' },
} as const

const kindOf = ({ id }: SimulatedAzureCapacity) => kinds[/Microsoft\.Fabric/i.test(id) ? 'F' : 'A']

export const isRunning = ({ state }: SimulatedAzureCapacity): boolean =>
  state === 'Active' || state === 'Succeeded' || state === 'Scaling'

/** Makes the stand-in answer for these capacities; changes of the objects take effect at once. */
export const simulateAzure = (provider: Provider, capacities: SimulatedAzureCapacity[]): void => {
  const pending = new Map<SimulatedAzureCapacity, { state: State; sku: string; at: number }>()

  const settle = (capacity: SimulatedAzureCapacity): void => {
    const next = pending.get(capacity)
    if (!next || Date.now() < next.at) return
    pending.delete(capacity)
    Object.assign(capacity, { state: next.state, sku: next.sku })
  }

  const of =
    (answer: (capacity: SimulatedAzureCapacity, request: SeenRequest) => ScriptedAnswer) =>
    (request: SeenRequest): ScriptedAnswer => {
      const url = new URL(request.path, provider.origin)
      const capacity = capacities.find(({ id }) => url.pathname.toLowerCase().startsWith(id.toLowerCase()))
      if (!capacity || !request.authorization?.startsWith('Bearer ')) return azureRefusals.missing
      if (url.searchParams.get('api-version') !== kindOf(capacity).version)
        return { status: 400, body: { error: { code: 'InvalidApiVersionParameter' } } }
      return answer(capacity, request)
    }

  const changing = (from: State[], during: State, next: (one: SimulatedAzureCapacity) => State) =>
    of((capacity) => {
      settle(capacity)
      if (capacity.refusal) return capacity.refusal
      if (!from.includes(capacity.state)) return azureRefusals.conflict
      const at = Date.now() + (capacity.changeMs ?? 0)
      pending.set(capacity, { state: next(capacity), sku: capacity.sku, at })
      capacity.state = during
      return accepted(provider.origin)
    })

  provider.answer(
    'capacity',
    of((capacity) => {
      settle(capacity)
      if (capacity.refusal?.status === 403) return capacity.refusal
      const { id, sku, state } = capacity
      const { tier } = kindOf(capacity)
      return {
        body: { id, sku: { name: sku, tier }, properties: { provisioningState: 'Succeeded', state } },
      }
    }),
  )
  provider.answer(
    'capacityStart',
    changing(['Paused'], 'Resuming', (one) => kindOf(one).active),
  )
  provider.answer(
    'capacityPause',
    changing(['Active', 'Succeeded'], 'Pausing', () => 'Paused'),
  )
  provider.answer(
    'capacityResize',
    of((capacity, { body }) => {
      if (capacity.refusal) return capacity.refusal
      const { name, tier } = JSON.parse(body).sku
      const { skus, tier: own } = kindOf(capacity)
      if (tier !== own || !skus.some((sku) => sku === name))
        return { status: 400, body: { error: { code: 'BadRequest', message: 'Unknown SKU.' } } }
      const at = Date.now() + (capacity.changeMs ?? 0)
      pending.set(capacity, { state: capacity.state, sku: name, at })
      capacity.state = 'Scaling'
      return { status: 202, body: { properties: { state: 'Scaling' } } }
    }),
  )
  provider.answer(
    'capacitySkus',
    of((capacity) => {
      const { skus, tier } = kindOf(capacity)
      return { body: { value: skus.map((name) => ({ sku: { name, tier } })) } }
    }),
  )
}
