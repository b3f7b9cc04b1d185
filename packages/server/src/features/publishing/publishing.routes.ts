import { publishingApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Connection } from '../../bi/connection.ts'
import { connectionColumns, registeredConnection } from '../../bi/registered-connection.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'

/** Bytes of a definition with its JSON. */
const definitionBytes = 2 * 1024 * 1024

/** Publishes a data file as a report of the local service; the page then registers and grants it. */
export const publishingRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, drafts, powerBi } = services

  /** @throws Problem `servico_local_ausente` without a connection to the local service */
  const localConnection = async (): Promise<Connection> => {
    const row = await db
      .selectFrom('powerbi')
      .select(connectionColumns)
      .where('provedor', '=', 'local')
      .orderBy('powerbi.idPowerBi')
      .limit(1)
      .executeTakeFirst()
    if (!row) throw new Problem('servico_local_ausente')
    return registeredConnection(row, services)
  }

  serve(app, publishingApi.workspaces, async () => {
    const connection = await localConnection()
    const [groups, registered] = await Promise.all([
      powerBi.listGroups(connection),
      db
        .selectFrom('grupoRelatorio')
        .select(['idGrupo', 'idGrupoRelatorio'])
        .where('idPowerBi', '=', connection.id)
        .execute(),
    ])
    const ids = new Map(registered.map((row) => [row.idGrupo.toLowerCase(), row.idGrupoRelatorio]))
    return groups
      .map(({ id, name }) => ({
        idGrupo: id,
        nome: name,
        idGrupoRelatorio: ids.get(id.toLowerCase()) ?? null,
      }))
      .toSorted((one, other) => one.nome.localeCompare(other.nome, 'pt-BR', { numeric: true }))
  })

  serve(app, publishingApi.send, async ({ body: { nome }, file }) => {
    if (!file) throw new Problem('campos_invalidos', { campos: { arquivo: 'Escolha um arquivo.' } })
    return { rascunho: await drafts.send(await localConnection(), nome, file.bytes) }
  })

  serve(app, publishingApi.read, async ({ params: { rascunho }, body }) =>
    drafts.read(await localConnection(), rascunho, body),
  )

  serve(
    app,
    publishingApi.check,
    async ({ params: { rascunho }, body }) => {
      const connection = await localConnection()
      return { idPowerBI: connection.id, ...(await drafts.check(connection, rascunho, body)) }
    },
    { bodyLimit: definitionBytes },
  )

  serve(
    app,
    publishingApi.publish,
    async ({ params: { rascunho }, body }, { write }) => {
      const connection = await localConnection()
      // Before the call: a service that does not answer may still publish.
      const { idGrupo, nome } = body.workspace
      const details = { rascunho, idGrupo, workspace: nome }
      await write((_tx, audit) => audit('publication.ordered', `powerbi:${connection.id}`, details))
      return { idPowerBI: connection.id, ...(await drafts.publish(connection, rascunho, body)) }
    },
    { bodyLimit: definitionBytes },
  )
}
