import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { AlertCell } from '@bi-manager/contract'
import type { Insertable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { AllServices } from '../../src/all-services.ts'
import type { DatasetIdentity } from '../../src/connections/power-bi/effective-identity.ts'
import { workAlerts } from '../../src/distribution/alerts/alerts.job.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import { alertDraft, createAlert } from '../distribution/alerts.ts'
import { moveClockTo } from '../let-time-pass.ts'
import { testSender } from '../mails.ts'
import { companyTls, trustAuthority } from '../outbound/company-network.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { startProvider } from './provider-stand-in.ts'
import { startSmtp } from './smtp.ts'

/** A received call of a webhook. */
interface WebhookCall {
  headers: Record<string, string | string[] | undefined>
  body: string
}

const visualOf = (name: string, type: string, columns: string[]) => ({
  name,
  type,
  title: name.toUpperCase(),
  columns,
  labels: { custo: 'Custo' },
  format: { custo: 'moeda' },
})

/**
 * Starts the portal, a mail server, the receiver of a webhook, and a report service whose values
 * depend on the identity of the token.
 */
export const alertSuite = () => {
  const suite = {} as {
    app: TestApp
    provider: Awaited<ReturnType<typeof startProvider>>
    smtp: Awaited<ReturnType<typeof startSmtp>>
    /** The webhook's address. */
    hook: string
  }
  const hook = { calls: [] as WebhookCall[], status: 204, onCall: async () => {} }
  const receiver = createServer(companyTls, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    hook.calls.push({ headers: request.headers, body })
    await hook.onCall()
    const switched = hook.status === 101 ? { connection: 'Upgrade', upgrade: 'x' } : {}
    response.writeHead(hook.status, switched).end()
  })
  beforeAll(async () => {
    suite.provider = await startProvider()
    await new Promise<void>((resolve) => receiver.listen(0, resolve))
    suite.hook = `https://localhost:${(receiver.address() as AddressInfo).port}/alerta?chave=segredo`
  })
  afterAll(async () => {
    await suite.provider.close()
    receiver.closeAllConnections()
    receiver.close()
  })
  suite.app = useTestApp(() => ({
    POWERBI_AUTHORITY_URL: suite.provider.origin,
    POWERBI_API_URL: suite.provider.origin,
    POWERBI_EMBED_URL: suite.provider.origin,
    REPORTS_URL: suite.provider.origin,
    BI_TIMEOUT_SECONDS: '2',
    PUBLIC_URL: 'https://bi.exemplo.com.br',
    WEBHOOK_PRIVATE_HOSTS: 'localhost',
  }))

  /** Identity, or 'todos' without one → the value of the card, and the rows of the table. */
  const values = new Map<string, AlertCell>()
  const tables = new Map<string, [string, AlertCell][]>()
  /** The kinds of the table's columns; none from an older report service. */
  const tableKinds: string[] = []
  const logged: unknown[] = []
  const write = (...about: unknown[]) => void logged.push(about)
  const log = { warn: write, error: write } as never
  let undoTrust: () => void
  beforeEach(async () => {
    undoTrust = trustAuthority()
    suite.smtp = await startSmtp()
    suite.provider.restore()
    values.clear()
    tables.clear()
    tableKinds.length = 0
    logged.length = 0
    hook.calls.length = 0
    hook.status = 204
    hook.onCall = async () => {}
    answerAsLocalService()
  })
  afterEach(async () => {
    undoTrust()
    await suite.smtp.close()
  })

  const answerAsLocalService = () => {
    suite.provider.answer('generateToken', ({ body }) => {
      const { identities = [] } = JSON.parse(body) as { identities?: DatasetIdentity[] }
      const expiration = new Date(suite.app.services.now().getTime() + 3_600_000)
      return { body: { token: `para:${identities[0]?.username ?? 'todos'}`, expiration } }
    })
    suite.provider.answer('describeReport', () => ({
      body: {
        name: 'Custos',
        pages: [
          {
            name: 'p1',
            displayName: 'Resumo',
            visuals: [
              visualOf('custo', 'card', ['custo']),
              visualOf('tabela', 'table', ['operadora', 'custo']),
              { ...visualOf('aviso', 'text', []), title: '' },
            ],
          },
        ],
        columns: {},
      },
    }))
    suite.provider.answer('readData', ({ authorization, body }) => {
      const reader = authorization?.replace('EmbedToken para:', '') ?? ''
      const asked = JSON.parse(body) as { visuals: string[] }
      const value = values.has(reader) ? values.get(reader) : values.get('todos')
      const answers = {
        // A card shows its last row; the others are its trend.
        custo: { columns: ['custo'], rows: [[0], [value ?? null]], truncated: false },
        tabela: {
          columns: ['operadora', 'custo'],
          kinds: tableKinds,
          rows: tables.get(reader) ?? tables.get('todos') ?? [],
          truncated: false,
        },
      }
      const visuals = Object.entries(answers).filter(([name]) => asked.visuals.includes(name))
      return { body: { visuals: Object.fromEntries(visuals), failures: {} } }
    })
  }

  const work = (services: Partial<AllServices> = {}) =>
    workAlerts({ ...suite.app.services, ...services }, log)

  const senderOf = (db = suite.app.services.db) => {
    const config = loadConfig({
      DATA_DIR: suite.app.dataDir,
      PUBLIC_URL: 'https://bi.exemplo.com.br',
      SMTP_URL: suite.smtp.url,
    })
    return testSender({ ...suite.app.services, db, config }, log)
  }

  /** The clock moves, too, for what the process remembers. */
  const pass = (ms: number) => moveClockTo(suite.app, suite.app.clock.offsetMs + ms)

  /** Makes all alerts due, and evaluates them; sends the e-mails. */
  const evaluate = async (): Promise<void> => {
    await pass(60_000)
    await suite.app.db
      .updateTable('alerta')
      .set({ proximaEm: new Date() })
      .where('ativo', '=', true)
      .execute()
    await work()
    await senderOf().sendDue()
  }

  /** Creates a report of the local service. */
  const publish = async (fields: object = {}, provedor: 'local' | 'microsoft' = 'local') => {
    const versao = Math.floor(Math.random() * 1e9)
    const { idPowerBi } = await createConnection(suite.app, { provedor, versao })
    const { idGrupoRelatorio } = await createWorkspace(suite.app, { idPowerBi })
    return createReport(suite.app, { idGrupoRelatorio, nomeRelatorio: 'Custos & receitas', ...fields })
  }

  /** Creates a person who may see the report, with an alert whose condition is not met. */
  const watch = async (
    { idRelatorio }: { idRelatorio: number },
    fields: Partial<Insertable<Tables['alerta']>> = {},
    person: object = {},
  ) => {
    const user = await createUser(suite.app, person)
    await grantReport(suite.app, user.idUsuario, idRelatorio)
    const alert = await createAlert(suite.app, { idRelatorio, idDono: user.idUsuario, ...fields })
    return { user, idAlerta: alert.idAlerta }
  }

  /** Creates a person who may see the report and makes an alert as a browser does. */
  const make = async (
    report: { idRelatorio: number },
    fields: Parameters<typeof alertDraft>[0] = {},
    person = {},
  ) => {
    const user = await createUser(suite.app, person)
    await grantReport(suite.app, user.idUsuario, report.idRelatorio)
    const session = await suite.app.as(user)
    const made = await session.post(`/usuarios/relatorio/${report.idRelatorio}/alertas`, alertDraft(fields))
    return { user, session, made, idAlerta: made.body.alerta?.idAlerta as number }
  }

  const outcomes = async (idAlerta: number) =>
    (
      await suite.app.db
        .selectFrom('alertaAvaliacao')
        .select(['resultado', 'valor', 'anterior'])
        .where('idAlerta', '=', idAlerta)
        .orderBy('idAvaliacao')
        .execute()
    ).map(({ resultado, valor, anterior }) => [resultado, valor, anterior])

  const bellOf = (idUsuario: number) =>
    suite.app.db
      .selectFrom('notificacao')
      .select(['titulo', 'texto', 'rota'])
      .where('idUsuario', '=', idUsuario)
      .where('tipo', '=', 'alerta')
      .orderBy('idNotificacao')
      .execute()

  const sendings = () =>
    suite.app.db
      .selectFrom('alertaEnvio')
      .select(['canal', 'estado', 'motivo', 'tentativas'])
      .orderBy('idAvaliacao')
      .orderBy('canal')
      .execute()

  const change = (table: 'usuario' | 'relatorio' | 'alerta', fields: object, id: number) => {
    const key = { usuario: 'idUsuario', relatorio: 'idRelatorio', alerta: 'idAlerta' }[table]
    return suite.app.db
      .updateTable(table as 'usuario')
      .set(fields)
      .where(key as 'idUsuario', '=', id)
      .execute()
  }

  return {
    change,
    suite,
    values,
    tables,
    tableKinds,
    hook,
    logged,
    work,
    senderOf,
    pass,
    evaluate,
    publish,
    watch,
    make,
    outcomes,
    bellOf,
    sendings,
  }
}
