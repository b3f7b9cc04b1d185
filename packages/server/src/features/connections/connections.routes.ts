import {
  type Connection,
  type ConnectionUpdate,
  connectionEntity,
  connectionsApi,
  csvColumnsOf,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../audit/record-change.ts'
import { assertRecentProof } from '../../auth/recent-sign-in.ts'
import { testConnection } from '../../bi/connection-test.ts'
import { withAdminAdvice } from '../../bi/provider-advice.ts'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import { answerCsv } from '../../http/csv.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { notifySecurity } from '../../notifications/notify-security.ts'
import {
  countWorkspacesOf,
  deleteConnection,
  exportConnections,
  findConnection,
  findCredential,
  findRegisteredReport,
  insertConnection,
  listConnections,
  listRegisteredIds,
  recordTest,
  updateConnection,
} from './connections.repository.ts'

export const connectionsRoutes = async (app: FastifyInstance, services: Services) => {
  const { config, db, now, powerBi, secrets, recordAudit } = services

  const tellOfKey = (tx: Db, texto: string) =>
    notifySecurity(tx, { titulo: 'Credencial de um Powerbi', texto }, now())

  serve(app, connectionsApi.list, async ({ query }, context) =>
    sendListHeaders(await listConnections(db, query), query, context),
  )

  serve(app, connectionsApi.exportCsv, async ({ query }, context) =>
    answerCsv({ db, recordAudit }, context, {
      name: connectionEntity.list,
      query,
      list: await exportConnections(db, query),
      columns: csvColumnsOf(connectionEntity),
    }),
  )

  serve(app, connectionsApi.get, async ({ params }) => {
    const connection = await findConnection(db, params.id)
    if (!connection) throw new Problem('nao_encontrado')
    return connection
  })

  serve(app, connectionsApi.create, async ({ body: { password, ...fields } }, { user, request, write }) => {
    assertRecentProof(services, user)
    return write(async (tx) => {
      const connection = await insertConnection(tx, {
        ...fields,
        segredo: secrets.seal(password),
        provedor: fields.provedor ?? config.bi.defaultProvider,
        tenantId: fields.tenantId ?? null,
        applicationId: fields.applicationId ?? null,
        tipoCredencial: fields.tipoCredencial ?? credentialKindOf(fields.username),
      })
      await recordAudit(tx, {
        action: 'connection.created',
        idUsuario: user.idUsuario,
        subject: subjectOf(connection.idPowerBI),
        details: { depois: connection },
        request,
      })
      await tellOfKey(tx, `${user.nomeUsuario} cadastrou a credencial do Powerbi ${connection.nome}.`)
      return connection
    })
  })

  serve(app, connectionsApi.update, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx) => {
      const ifMatch = ifMatchOf(request)
      await lockRow(tx, connectionEntity, id)
      const before = await findConnection(tx, id)
      if (before && body.provedor && body.provedor !== before.provedor && !body.password) {
        const password = 'Digite a senha: a que está guardada é do outro provedor.'
        throw new Problem('campos_invalidos', { campos: { password } })
      }
      const connection = before && (await updateConnection(tx, id, columnsOf(body), ifMatch))
      if (!connection)
        throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      if (body.password || isOtherCredential(before, connection)) {
        assertRecentProof(services, user)
        await tellOfKey(tx, `${user.nomeUsuario} trocou a credencial do Powerbi ${connection.nome}.`)
      }
      const change = changeOf(before, connection)
      // The audit must only show that the password changed.
      const depois = { ...change.depois, ...(body.password ? { password: 'alterada' } : {}) }
      await recordAudit(tx, {
        action: 'connection.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { ...change, depois },
        request,
      })
      return connection
    }),
  )

  const columnsOf = ({ password, ...fields }: ConnectionUpdate) =>
    password ? { validadeSegredo: null, ...defined(fields), segredo: secrets.seal(password) } : fields

  serve(app, connectionsApi.remove, ({ params: { id } }, { user, request, write }) =>
    write(async (tx) => {
      await lockRow(tx, connectionEntity, id)
      const before = await findConnection(tx, id)
      const workspaces = await countWorkspacesOf(tx, id)
      if (workspaces > 0) throw new Problem('registro_em_uso', { detail: dependants(workspaces) })
      if (!before || !(await deleteConnection(tx, id))) throw new Problem('nao_encontrado')
      await recordAudit(tx, {
        action: 'connection.deleted',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { antes: before },
        request,
      })
      assertRecentProof(services, user)
      await tellOfKey(tx, `${user.nomeUsuario} excluiu o Powerbi ${before.nome}, com a credencial.`)
    }),
  )

  const getCallable = async (id: number) => {
    const row = await findCredential(db, id)
    if (!row) throw new Problem('nao_encontrado')
    return registeredConnection(row, services)
  }

  serve(app, connectionsApi.test, async ({ params: { id } }, { user, request, write }) => {
    const connection = await getCallable(id)
    const { addresses, timeoutMs } = config.bi
    const registered = await findRegisteredReport(db, id)
    const result = await testConnection(connection, { addresses, timeoutMs, now, registered, viewer: user })
    await write(async (tx) => {
      await recordTest(tx, { id, versao: connection.version, now: now() }, result)
      await recordAudit(tx, {
        action: 'connection.tested',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { ...result },
        request,
      })
    })
    return result
  })

  serve(app, connectionsApi.groups, async ({ params: { id } }) => {
    const connection = await getCallable(id)
    const groups = await powerBi.listGroups(connection).catch((error: unknown) => {
      throw withAdminAdvice(error, 'grupos', connection)
    })
    return groups
      .map(({ id: idGrupo, name: nomeGrupo }) => ({ idGrupo, nomeGrupo }))
      .sort((a, b) => byName.compare(a.nomeGrupo, b.nomeGrupo))
  })

  serve(app, connectionsApi.groupReports, async ({ params: { id, idGrupo } }) => {
    const connection = await getCallable(id)
    const [reports, registered] = await Promise.all([
      powerBi.listReports(connection, idGrupo).catch((error: unknown) => {
        throw withAdminAdvice(error, 'grupo', connection)
      }),
      listRegisteredIds(db, id, idGrupo),
    ])
    return reports
      .map(({ id: reportId, name: nome }) => ({
        reportId,
        nome,
        jaCadastrado: registered.has(reportId.toLowerCase()),
      }))
      .sort((a, b) => byName.compare(a.nome, b.nome))
  })
}

/** Removes the keys that Zod sets to undefined for omitted fields. */
const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

const byName = new Intl.Collator('pt-BR', { numeric: true })

const credentialFields = ['username', 'provedor', 'tenantId', 'applicationId', 'tipoCredencial'] as const

/** Returns whether the secret is now used for another service or user name. */
const isOtherCredential = (before: Connection, after: Connection): boolean =>
  credentialFields.some((field) => before[field] !== after[field])

const subjectOf = (id: number) => `powerbi:${id}`

const credentialKindOf = (username: string) => (username.includes('@') ? 'master_user' : 'service_principal')

const dependants = (workspaces: number): string =>
  workspaces === 1
    ? 'Este Powerbi tem 1 workspace. Exclua-o primeiro.'
    : `Este Powerbi tem ${workspaces} workspaces. Exclua-os primeiro.`
