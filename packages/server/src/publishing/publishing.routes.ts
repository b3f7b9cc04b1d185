import { publishingApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../platform/http/serve.ts'
import { assertProduction } from '../platform/installation/test-environment.ts'
import { Problem } from '../platform/lib/problem.ts'
import { getDraftCaller, getLocalConnection } from './local-connection.ts'
import { auditedPublication, ownLines } from './publication-audit.ts'
import { forgettingFilesOf } from './schedules.repository.ts'
import type { PublishingServices } from './services.ts'

/** Bytes of a definition with its JSON. */
const definitionBytes = 2 * 1024 * 1024

/** Publishes a data file as a report of the local service; the page then registers and grants it. */
export const publishingRoutes = async (app: FastifyInstance, services: PublishingServices) => {
  const { db, drafts, powerBi } = services

  const callerOf = (user: { idUsuario: number }) => getDraftCaller(services, user)

  serve(app, publishingApi.workspaces, async () => {
    const connection = await getLocalConnection(services)
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

  serve(app, publishingApi.send, async ({ body: { nome }, file }, { user }) => {
    if (!file) throw new Problem('campos_invalidos', { campos: { arquivo: 'Escolha um arquivo.' } })
    return drafts.send(await callerOf(user), nome, file.bytes)
  })

  serve(app, publishingApi.read, async ({ params: { rascunho }, body }, { user }) =>
    drafts.read(await callerOf(user), rascunho, body),
  )

  serve(
    app,
    publishingApi.check,
    async ({ params: { rascunho }, body }, { user }) => {
      const caller = await callerOf(user)
      return { idPowerBI: caller.connection.id, ...(await drafts.check(caller, rascunho, body)) }
    },
    { bodyLimit: definitionBytes },
  )

  serve(
    app,
    publishingApi.preview,
    async ({ params: { rascunho }, body }, { user, request }) => {
      const shown = await drafts.preview(await callerOf(user), rascunho, body)
      // The service may take seconds: the caller may not have changed since.
      await app.checkCallerAgain(request)
      return shown
    },
    { bodyLimit: definitionBytes },
  )

  serve(
    app,
    publishingApi.publish,
    async ({ params: { rascunho }, body }, { user, write, auditIn, request }) => {
      await assertProduction(db)
      const caller = await callerOf(user)
      const { connection } = caller
      const { idGrupo, nome } = body.workspace
      const details = { rascunho, idGrupo, workspace: nome }
      const order = { action: 'publication.ordered' as const, subject: `powerbi:${connection.id}`, details }
      const outcome = await auditedPublication(
        { db, connection, log: request.log },
        ownLines(db, { write, auditIn }),
        order,
        () =>
          forgettingFilesOf(
            db,
            () => drafts.publish(caller, rascunho, body, user.nomeUsuario),
            ({ reportId }) => [reportId],
          ),
      )
      return { idPowerBI: connection.id, ...outcome }
    },
    { bodyLimit: definitionBytes },
  )

  serve(app, publishingApi.discard, async ({ params: { rascunho } }, { user }) =>
    drafts.discard(await callerOf(user), rascunho),
  )

  serve(app, publishingApi.sendFolder, async ({ body: { nome } }, { user }) =>
    drafts.sendFolder(await callerOf(user), nome),
  )

  serve(
    app,
    publishingApi.sendFolderFile,
    async ({ params: { rascunho }, body: { caminho }, file }, { user }) => {
      if (!file) throw new Problem('campos_invalidos', { campos: { arquivo: 'Escolha um arquivo.' } })
      return { rascunho: await drafts.sendFolderFile(await callerOf(user), rascunho, caminho, file.bytes) }
    },
  )

  serve(app, publishingApi.checkFolder, async ({ params: { rascunho } }, { user }) => {
    const caller = await callerOf(user)
    return { idPowerBI: caller.connection.id, ...(await drafts.checkFolder(caller, rascunho)) }
  })

  serve(
    app,
    publishingApi.previewFolder,
    async ({ params: { rascunho }, body: { reportId } }, { user, request }) => {
      const shown = await drafts.previewFolder(await callerOf(user), rascunho, reportId)
      // The service may take seconds: the caller may not have changed since.
      await app.checkCallerAgain(request)
      return shown
    },
  )

  serve(
    app,
    publishingApi.publishFolder,
    async ({ params: { rascunho } }, { user, write, auditIn, request }) => {
      await assertProduction(db)
      const caller = await callerOf(user)
      const { connection } = caller
      const details = { rascunho, pasta: true }
      const order = { action: 'publication.ordered' as const, subject: `powerbi:${connection.id}`, details }
      const outcome = await auditedPublication(
        { db, connection, log: request.log },
        ownLines(db, { write, auditIn }),
        order,
        () =>
          forgettingFilesOf(
            db,
            () => drafts.publishFolder(caller, rascunho, user.nomeUsuario),
            ({ erros, relatorios }) => (erros.length > 0 ? [] : relatorios.map(({ reportId }) => reportId)),
          ),
      )
      return { idPowerBI: connection.id, ...outcome }
    },
  )
}
