import { beforeEach, expect } from 'vitest'
import { watchCapacities } from '../../src/connections/capacities/capacity-watch.job.ts'
import { moveClockTo } from '../let-time-pass.ts'
import { createWorkspace } from '../reports.ts'
import { createUser } from '../users.ts'
import type { SimulatedAzureCapacity } from './azure-capacities.ts'
import { embeddingSuite } from './embedding.ts'
import { groupId } from './provider-stand-in.ts'
import { registerSimulatedCapacity } from './simulated-capacity.ts'

export const wednesday = '2027-03-10'

/** A schedule on Mondays, Wednesdays and Fridays. */
export const schedule = {
  diasAgenda: ['segunda', 'quarta', 'sexta'] as ('segunda' | 'quarta' | 'sexta')[],
  iniciaAs: '08:00',
  pausaAs: '19:00',
}

/** Starts the portal with an ADMIN at six in the morning, and a tenant with one capacity. */
export const capacityWatchSuite = () => {
  const { suite } = embeddingSuite({ BI_TIMEOUT_SECONDS: '10' })

  const silent = { error: (problem: unknown) => expect.fail(JSON.stringify(problem)) }
  const look = () => watchCapacities(suite.app.services, silent)

  /** Sets the server's clock; São Paulo is three hours behind UTC. */
  const at = (time: string) => moveClockTo(suite.app, Date.parse(`${time}-03:00`) - Date.now())

  beforeEach(async () => {
    await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    await at(`${wednesday}T06:00:00`)
  })

  /** Registers a capacity, paused unless `azure` says otherwise, with a workspace on it. */
  const begin = async (
    azure: Partial<SimulatedAzureCapacity> = {},
    fields: Parameters<typeof registerSimulatedCapacity>[2] = {},
  ) => {
    const registered = await registerSimulatedCapacity(suite, { state: 'Paused', ...azure }, fields)
    await createWorkspace(suite.app, { idPowerBi: registered.connection.idPowerBi, idGrupo: groupId })
    return registered
  }

  const lines = (action: string) =>
    suite.app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'detalhes'])
      .where('acao', '=', action)
      .orderBy('idAuditoria')
      .execute()
  const notifications = () =>
    suite.app.db
      .selectFrom('notificacao')
      .select(['titulo', 'texto'])
      .where('titulo', 'like', 'A capacidade%')
      .orderBy('idNotificacao')
      .execute()
  const stored = () => suite.app.db.selectFrom('capacidadeEstado').selectAll().executeTakeFirstOrThrow()
  const refreshing = () =>
    suite.provider.answer('refreshes', () => ({
      body: {
        value: [
          {
            status: 'Unknown',
            startTime: new Date(suite.app.services.now().getTime() - 600_000).toISOString(),
          },
        ],
      },
    }))
  const starts = () => suite.provider.seen.filter(({ path }) => path.includes('/resume')).length
  const pauses = () => suite.provider.seen.filter(({ path }) => path.includes('/suspend')).length

  return { suite, look, at, begin, lines, notifications, stored, refreshing, starts, pauses }
}
