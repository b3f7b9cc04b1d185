import { type Connection, connectionColumns, registeredConnection } from '../connections/index.ts'
import { Problem } from '../platform/lib/problem.ts'
import type { DraftCaller } from './draft-api.ts'
import type { PublishingServices } from './services.ts'

/**
 * Returns the connection to the local report service.
 * @throws Problem `servico_local_ausente` without one
 */
export const getLocalConnection = async (
  services: Pick<PublishingServices, 'config' | 'db' | 'secrets'>,
): Promise<Connection> => {
  const row = await services.db
    .selectFrom('powerbi')
    .select(connectionColumns)
    .where('provedor', '=', 'local')
    .orderBy('powerbi.idPowerBi')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new Problem('servico_local_ausente')
  return registeredConnection(row, services)
}

/** Returns whose drafts a call concerns: other users do not find them. */
export const getDraftCaller = async (
  services: PublishingServices,
  { idUsuario }: { idUsuario: number },
): Promise<DraftCaller> => ({
  connection: await getLocalConnection(services),
  person: services.secrets.digest(`publicacoes:${idUsuario}`),
})
