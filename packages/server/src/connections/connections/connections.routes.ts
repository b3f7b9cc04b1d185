import {
  type Connection,
  type ConnectionTest,
  type ConnectionUpdate,
  connectionEntity,
  connectionsApi,
  type ExternalReport,
} from '@bi-manager/contract'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { assertNoDependants } from '../../platform/db/queries/dependants.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerEntitiesCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import { defined } from '../../platform/lib/defined.ts'
import { dayOf, dayText } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import type { ConnectionServices } from '../capacities/connection-services.ts'
import type { Connection as ProviderConnection } from '../power-bi/connection.ts'
import { dashboardDenialReason, embedDenialReason } from '../power-bi/embed-denial-reason.ts'
import { isPaginatedReport } from '../power-bi/power-bi-api.ts'
import { withAdminAdvice } from '../power-bi/provider-advice.ts'
import { registeredConnection } from '../power-bi/registered-connection.ts'
import { testConnection } from './connection-test.ts'
import {
  exportConnections,
  findConnection,
  findCredential,
  isOfVersion,
  listConnections,
  listRegisteredIds,
  listRegisteredReports,
  mapRegisteredGroups,
  recordTest,
} from './connections.repository.ts'
import { storeReading } from './read-secrets.job.ts'
import { hasReadableExpiry, readSecretExpiry, type SecretExpiry } from './secret-expiry.ts'
import { followEdit } from './secret-readings.repository.ts'

export const connectionsRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { config, db, now, powerBi, secrets } = services

  const notifyOfCredential = (tx: Db, { nomeUsuario, idUsuario }: Caller, act: string) => {
    const bell = { titulo: 'Credencial de um Powerbi', texto: `${nomeUsuario} ${act}.` }
    return notify(tx, { audience: 'guardioes', but: [idUsuario], kind: 'seguranca_alterada', bell }, now())
  }

  serveList(app, connectionsApi.list, (query) => listConnections(db, query))

  serve(app, connectionsApi.exportCsv, async ({ query }, context) =>
    answerEntitiesCsv(db, context, connectionEntity, {
      query,
      list: await exportConnections(db, query),
    }),
  )

  serve(app, connectionsApi.get, async ({ params }) => orNotFound(await findConnection(db, params.id)))

  serve(app, connectionsApi.create, async ({ body: { password, ...fields } }, { user, write }) => {
    return write(async (tx, audit) => {
      const values = {
        ...fields,
        segredo: secrets.encrypt(password),
        provedor: fields.provedor ?? config.bi.defaultProvider,
        tipoCredencial: fields.tipoCredencial ?? credentialKindOf(fields.username),
      }
      const connection = await insertEntity(tx, connectionEntity, values, findConnection)
      assertProfileAllowed(connection)
      await audit('connection.created', subjectOf(connection.idPowerBI), { depois: connection })
      await notifyOfCredential(tx, user, `cadastrou a credencial do Powerbi ${connection.nome}`)
      return connection
    })
  })

  serve(app, connectionsApi.update, ({ params: { id }, body }, context) => {
    const { user, request, assertReauthenticated, write } = context
    return write(async (tx, audit) => {
      const before = await lockEntity(tx, connectionEntity, id, findConnection, ifMatchOf(request))
      if (body.provedor && body.provedor !== before.provedor && !body.password) {
        const password = 'Digite a senha: a que está guardada é do outro provedor.'
        throw new Problem('campos_invalidos', { campos: { password } })
      }
      const updated = await updateEntity(tx, connectionEntity, id, rowOf(body), findConnection)
      const isOtherSecret = !!body.password || isOtherCredential(before, updated)
      await followEdit(tx, { id, version: updated.versao, isOtherSecret })
      const connection = (await findConnection(tx, id)) ?? updated
      assertProfileAllowed(connection)
      if (isOtherSecret) {
        assertReauthenticated()
        await takeBack(tx, subjectOf(id))
        await notifyOfCredential(tx, user, `trocou a credencial do Powerbi ${connection.nome}`)
      }
      const change = changeOf(before, connection)
      // The audit must only show that the password changed.
      const depois = { ...change.depois, ...(body.password ? { password: 'alterada' } : {}) }
      await audit('connection.updated', subjectOf(id), { ...change, depois })
      return connection
    })
  })

  const rowOf = ({ password, ...fields }: ConnectionUpdate) =>
    password ? { validadeSegredo: null, ...defined(fields), segredo: secrets.encrypt(password) } : fields

  serve(app, connectionsApi.remove, ({ params: { id } }, { user, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, connectionEntity, id, findConnection)
      await assertNoDependants(tx, connectionEntity, id)
      await deleteRow(tx, connectionEntity, id)
      await audit('connection.deleted', subjectOf(id), { antes: before })
      await notifyOfCredential(tx, user, `excluiu o Powerbi ${before.nome}, com a credencial`)
    }),
  )

  const getCallable = async (id: number) =>
    registeredConnection(orNotFound(await findCredential(db, id)), services)

  serve(app, connectionsApi.test, async ({ params: { id } }, { user, write }) => {
    const connection = await getCallable(id)
    const { addresses, timeoutMs } = config.bi
    const registered = await listRegisteredReports(db, id, REGISTERED_TESTED)
    const tested = await testConnection(connection, { addresses, timeoutMs, now, registered, viewer: user })
    const isAccepted = tested.etapas[0]?.ok === true
    const expiry =
      isAccepted && addresses.microsoft.graph && hasReadableExpiry(connection)
        ? await readSecretExpiry(connection, {
            addresses,
            timeoutMs,
            now,
            deadline: AbortSignal.timeout(timeoutMs),
          })
        : undefined
    const result = { ...tested, ...(expiry ? { segredo: secretResult(expiry) } : {}) }
    await write(async (tx, audit) => {
      await recordTest(tx, { id, versao: connection.version, now: now() }, result)
      if (result.etapas.every(({ ok }) => ok) && (await isOfVersion(tx, id, connection.version)))
        await takeBack(tx, subjectOf(id))
      if (expiry)
        await storeReading(tx, { connection, expiry }, ({ action, subject = '', details }) =>
          audit(action, subject, details),
        )
      await audit('connection.tested', subjectOf(id), { ...result })
    })
    return result
  })

  serve(app, connectionsApi.groups, async ({ params: { id } }) => {
    const connection = await getCallable(id)
    const [groups, registered] = await Promise.all([
      powerBi.listGroups(connection).catch((error: unknown) => {
        throw withAdminAdvice(error, connection)
      }),
      mapRegisteredGroups(db, id),
    ])
    return groups
      .map(({ id: idGrupo, name: nomeGrupo }) => ({
        idGrupo,
        nomeGrupo,
        idGrupoRelatorio: registered.get(idGrupo.toLowerCase()) ?? null,
      }))
      .sort((a, b) => byName.compare(a.nomeGrupo, b.nomeGrupo))
  })

  /** Dashboards are only listed: an import does not fail with them. */
  const listDashboards = async (connection: ProviderConnection, idGrupo: string, log: FastifyBaseLogger) => {
    // The local service has none.
    if (connection.provider === 'local') return []
    return powerBi.listDashboards(connection, idGrupo).catch((err: unknown) => {
      log.warn({ err }, 'the dashboards of a group are not listed')
      return []
    })
  }

  serve(app, connectionsApi.groupReports, async ({ params: { id, idGrupo } }, { request }) => {
    const connection = await getCallable(id)
    const { embed } = config.bi.addresses[connection.provider]
    const [reports, dashboards, registered] = await Promise.all([
      powerBi.listReports(connection, idGrupo).catch((error: unknown) => {
        throw withAdminAdvice(error, connection)
      }),
      listDashboards(connection, idGrupo, request.log),
      listRegisteredIds(db, id, idGrupo),
    ])
    const listed: ExternalReport[] = [
      ...reports.map((report) => ({
        reportId: report.id,
        nome: report.name,
        tipo: isPaginatedReport(report) ? ('PAGINADO' as const) : ('INTERATIVO' as const),
        jaCadastrado: registered.has(report.id.toLowerCase()),
        impedimento: embedDenialReason(report, connection, embed),
      })),
      ...dashboards.map(({ id: reportId, name: nome }) => ({
        reportId,
        nome,
        tipo: 'PAINEL' as const,
        jaCadastrado: false,
        impedimento: dashboardDenialReason,
      })),
    ]
    return listed.sort((a, b) => byName.compare(a.nome, b.nome))
  })
}

/** Workspaces of which the connection test tries a report. */
const REGISTERED_TESTED = 10

const byName = new Intl.Collator('pt-BR', { numeric: true })

const credentialFields = [
  'username',
  'provedor',
  'tenantId',
  'applicationId',
  'tipoCredencial',
  'perfilPrincipal',
] as const

/** Returns whether the secret is now used for another service, user name or profile. */
const isOtherCredential = (before: Connection, after: Connection): boolean =>
  credentialFields.some((field) => before[field] !== after[field])

/** Power BI accepts a profile from a service principal only. */
const assertProfileAllowed = ({ perfilPrincipal, tipoCredencial }: Connection): void => {
  if (!perfilPrincipal || tipoCredencial === 'service_principal') return
  const fault = 'Só um service principal tem perfis: um usuário mestre entra sem perfil.'
  throw new Problem('campos_invalidos', { campos: { perfilPrincipal: fault } })
}

const subjectOf = (id: number) => `powerbi:${id}`

const credentialKindOf = (username: string) => (username.includes('@') ? 'master_user' : 'service_principal')

/** Returns what the connection test shows of a reading in Microsoft Graph. */
const secretResult = (expiry: SecretExpiry): NonNullable<ConnectionTest['segredo']> => ({
  leitura: expiry.reading,
  expiraEm: expiry.expiresAt && dayOf(expiry.expiresAt),
  detalhe: sentenceOf(expiry),
})

const sentenceOf = (expiry: SecretExpiry): string => {
  switch (expiry.reading) {
    case 'lida':
      return `O segredo vence em ${dayText(expiry.expiresAt)}, lido do Microsoft Entra.`
    case 'sem_permissao':
      return 'O aplicativo não tem permissão para ler esta data no Microsoft Graph. Informe-a no cadastro, ou dê a ele a permissão de aplicativo Application.Read.All, com o consentimento do administrador.'
    case 'nao_encontrada':
      return 'O Microsoft Graph não mostra este segredo entre os do aplicativo no tenant. Informe a data no cadastro.'
    case 'falhou':
      if (expiry.fault) return `A data não foi lida do Microsoft Graph. ${expiry.fault}`
      return 'O Microsoft Graph não respondeu. O portal tenta de novo em uma hora; se continuar, informe a data no cadastro.'
  }
}
