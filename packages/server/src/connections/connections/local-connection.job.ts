import { connectionEntity, type TestStep } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { insertEntity } from '../../platform/db/queries/records.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { readIfThere } from '../../platform/lib/missing-files.ts'
import { registeredConnection } from '../power-bi/registered-connection.ts'
import { testConnection } from './connection-test.ts'
import { findConnection, findCredential, findUnproven, recordTest } from './connections.repository.ts'

/** The part of the report service's file that a client needs. */
const ServiceFile = z.object({
  applications: z.tuple([z.object({ clientId: z.string(), clientSecret: z.string() })], z.unknown()),
})

/** Milliseconds between attempts while the service does not answer yet. */
const everyMs = 5_000

/** Milliseconds between tests of an empty service, each of which is in the service's log. */
const whileEmptyMs = 5 * 60_000

/** `waiting`: the service does not answer yet. `empty`: it answers, and has no workspace. */
type LocalServiceState = 'waiting' | 'empty' | 'done'

/**
 * Registers and tests the connection to the report service that runs next to the portal, once: an
 * ADMIN may change or delete it. The test waits for the service, and is repeated until the service
 * has its first workspace.
 */
export const startLocalConnection = (
  services: Services,
  log: Pick<FastifyBaseLogger, 'error'>,
  pauses = { everyMs, whileEmptyMs },
) => {
  const { localServiceFile, demoSeed } = services.config
  if (!localServiceFile || demoSeed) return undefined
  let nextAt = 0
  const connect = async () => {
    if (performance.now() < nextAt) return
    const state = await connectLocalService(services, localServiceFile)
    if (state === 'empty') nextAt = performance.now() + pauses.whileEmptyMs
    if (state === 'done') nextAt = Number.POSITIVE_INFINITY
  }
  const { everyMs } = pauses
  const name = 'registration of the local report service'
  return startRepeating({ name, everyMs, log, first: connect }, connect)
}

/** Does what is left to do, and returns what is left then. */
export const connectLocalService = async (
  services: Services,
  serviceFile: string,
): Promise<LocalServiceState> => {
  const text = readIfThere(serviceFile)
  if (text === undefined) return 'waiting'
  const [{ clientId, clientSecret }] = ServiceFile.parse(JSON.parse(text)).applications
  await register(services, clientId, clientSecret)
  const unproven = await findUnproven(services.db, { provedor: 'local', username: clientId })
  return unproven ? test(services, unproven) : 'done'
}

const register = (
  { db, secrets, writeAudit }: Services,
  username: string,
  clientSecret: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { servicoLocalRegistrado } = await tx
      .selectFrom('configuracao')
      .select('servicoLocalRegistrado')
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (servicoLocalRegistrado) return
    await tx.updateTable('configuracao').set({ servicoLocalRegistrado: true }).execute()
    const known = await tx
      .selectFrom('powerbi')
      .select('idPowerBi')
      .where('provedor', '=', 'local')
      .limit(1)
      .executeTakeFirst()
    if (known) return
    const values = {
      nome: 'Serviço de relatórios local',
      username,
      segredo: secrets.encrypt(clientSecret),
      provedor: 'local' as const,
      tipoCredencial: 'service_principal' as const,
    }
    const depois = await insertEntity(tx, connectionEntity, values, findConnection)
    const subject = `powerbi:${depois.idPowerBI}`
    await writeAudit(tx, { action: 'connection.created', idUsuario: null, subject, details: { depois } })
  })

/** Keeps the result unless the service does not answer yet. */
const test = async (
  services: Services,
  { idPowerBi: id, ...last }: NonNullable<Awaited<ReturnType<typeof findUnproven>>>,
): Promise<LocalServiceState> => {
  const { config, db, now, writeAudit } = services
  const row = await findCredential(db, id)
  if (!row) return 'done'
  const connection = registeredConnection(row, services)
  const { addresses, timeoutMs } = config.bi
  // No registered report: no identity of a viewer is sent.
  const viewer = { emailUsuario: '', emailComprovado: false, identidadeRls: null }
  const tested = await testConnection(connection, { addresses, timeoutMs, now, registered: [], viewer })
  const okOf = (step: TestStep) => tested.etapas.find(({ nome }) => nome === step)?.ok
  const hasWorkspaces = okOf('grupos') === true
  const isEmpty = okOf('credencial') === true && okOf('grupos') === null
  const isKnown = last.resultado === 'parcial' && last.versaoTestada === last.versao
  if (hasWorkspaces || (isEmpty && !isKnown)) {
    await inTransaction(db, async (tx) => {
      await recordTest(tx, { id, versao: connection.version, now: now() }, tested)
      const details = { ...tested }
      const subject = `powerbi:${id}`
      await writeAudit(tx, { action: 'connection.tested', idUsuario: null, subject, details })
    })
  }
  if (hasWorkspaces) return 'done'
  return isEmpty ? 'empty' : 'waiting'
}
