import type { SubscriptionFormat } from '@bi-manager/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { AllServices } from '../../src/all-services.ts'
import type { DatasetIdentity } from '../../src/connections/power-bi/effective-identity.ts'
import { workSubscriptions } from '../../src/distribution/subscriptions/subscriptions.job.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import { createSubscription } from '../distribution/subscriptions.ts'
import { moveClockTo } from '../let-time-pass.ts'
import { testSender } from '../mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { exportedFiles, startProvider } from './provider-stand-in.ts'
import { startSmtp } from './smtp.ts'

/** What `start` created, as far as a refresh concerns it. */
interface Refreshed {
  report: { idRelatorio: number; reportId: string }
  idPowerBi: number
}

interface Order {
  powerBIReportConfiguration?: {
    identities?: DatasetIdentity[]
    reportLevelFilters?: { filter: string }[]
    pages?: object[]
  }
}

/** Returns the time of day, in São Paulo, twelve hours from this time: no test reaches it by accident. */
const farFrom = (now: Date) =>
  new Date(now.getTime() + 12 * 3_600_000).toLocaleTimeString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    hour: '2-digit',
    minute: '2-digit',
  })

/**
 * Starts the portal, a mail server, and a provider whose files contain the identity that they were
 * asked for, for a test file about subscriptions.
 */
export const subscriptionSuite = () => {
  const suite = {} as {
    app: TestApp
    provider: Awaited<ReturnType<typeof startProvider>>
    smtp: Awaited<ReturnType<typeof startSmtp>>
  }
  beforeAll(async () => {
    suite.provider = await startProvider()
  })
  afterAll(() => suite.provider.close())
  suite.app = useTestApp(() => ({
    POWERBI_AUTHORITY_URL: suite.provider.origin,
    POWERBI_API_URL: suite.provider.origin,
    POWERBI_EMBED_URL: suite.provider.origin,
    REPORTS_URL: suite.provider.origin,
    BI_TIMEOUT_SECONDS: '2',
    PUBLIC_URL: 'https://bi.exemplo.com.br',
  }))
  /** Export → what was asked for. */
  const orders = new Map<string, Order>()
  const logged: unknown[] = []
  const write = (...about: unknown[]) => void logged.push(about)
  const log = { warn: write, error: write } as never
  beforeEach(async () => {
    suite.smtp = await startSmtp()
    suite.provider.restore()
    orders.clear()
    logged.length = 0
    let last = 0
    suite.provider.answer('refreshSchedule', () => ({ body: { enabled: false, days: [], times: [] } }))
    refreshed()
    suite.provider.answer('exportTo', ({ body }) => {
      last += 1
      const id = `${JSON.parse(body).format}-s${last}`
      orders.set(id, JSON.parse(body))
      return { status: 202, body: { id, status: 'NotStarted' } }
    })
    suite.provider.answer('exportFile', ({ path }) => {
      const id = path.split('/').at(-2) ?? ''
      const identity = orders.get(id)?.powerBIReportConfiguration?.identities?.[0]
      const begins = exportedFiles[id.split('-')[0] as SubscriptionFormat]
      return { body: Buffer.concat([begins, Buffer.from(`\npara:${identity?.username ?? 'todos'}\n`)]) }
    })
  })
  afterEach(() => suite.smtp.close())

  /** Makes the provider's last refresh end at this time, with this status. */
  const refreshed = (
    endTime = new Date(suite.app.services.now().getTime() - 60_000),
    status = 'Completed',
  ) => {
    // The histories are remembered for a minute.
    suite.app.clock.offsetMs += 61_000
    const startTime = new Date(endTime.getTime() - 60_000)
    suite.provider.answer('refreshes', () => ({
      body: { value: [{ refreshType: 'Scheduled', startTime, endTime, status }] },
    }))
  }

  const work = (services: Partial<AllServices> = {}) =>
    workSubscriptions({ ...suite.app.services, ...services }, log)

  const senderOf = (services: Partial<AllServices> = {}) => {
    const config = loadConfig({
      DATA_DIR: suite.app.dataDir,
      PUBLIC_URL: 'https://bi.exemplo.com.br',
      SMTP_URL: suite.smtp.url,
    })
    return testSender({ ...suite.app.services, ...services, config }, log)
  }

  /** Works until nothing is left to do, and sends the e-mails. */
  const workAndSend = async (): Promise<void> => {
    for (let look = 0; look < 30; look += 1) {
      await work()
      await senderOf().sendDue()
      const open = await suite.app.db
        .selectFrom('assinaturaExecucao')
        .select('idExecucao')
        .where('terminadaEm', 'is', null)
        .execute()
      if (open.length === 0) return
      await pass(2_500)
    }
  }

  /** Creates a granted report, people and a subscription that is due. */
  const start = async ({
    report: fields = {},
    subscription = {},
    people = 1,
    provedor = 'microsoft' as 'microsoft' | 'local',
    rules = {},
  }: {
    report?: object
    subscription?: object
    people?: number
    provedor?: 'microsoft' | 'local'
    rules?: object
  } = {}) => {
    const { app } = suite
    const versao = Math.floor(Math.random() * 1e9)
    const { idPowerBi } = await createConnection(app, { provedor, versao })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const report = await createReport(app, {
      idGrupoRelatorio,
      nomeRelatorio: 'Custos & receitas',
      ...fields,
    })
    const owner = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
    const recipients = []
    for (let n = 1; n <= people; n += 1) {
      const person = await createUser(app, { nomeUsuario: `Leitora ${n}` })
      await grantReport(app, person.idUsuario, report.idRelatorio)
      recipients.push(person)
    }
    if (Object.keys(rules).length > 0)
      await app.db
        .updateTable('assinaturaRegras')
        .set({ versao: 2, ...rules })
        .execute()
    const created = await createSubscription(
      app,
      {
        idRelatorio: report.idRelatorio,
        idDono: owner.idUsuario,
        entrega: 'ANEXO',
        proximaEm: new Date(),
        horario: farFrom(new Date()),
        ...subscription,
      },
      recipients.map(({ idUsuario }) => idUsuario),
    )
    return { report, owner, recipients, idAssinatura: created.idAssinatura, idPowerBi }
  }

  const runs = () => suite.app.db.selectFrom('assinaturaExecucao').selectAll().orderBy('idExecucao').execute()
  const mails = () =>
    suite.app.db
      .selectFrom('assinaturaEntrega')
      .select(['idUsuario', 'estado', 'motivo'])
      .orderBy('idExecucao')
      .orderBy('idUsuario')
      .execute()

  /** Returns each received e-mail's address and the identity in its file; null without a file. */
  const received = () =>
    suite.smtp.received.map(({ to, attachments }) => {
      const content = attachments[0]?.content
      const text = content === undefined ? '' : Buffer.from(content as ArrayBuffer).toString('latin1')
      return { para: to?.[0]?.address ?? '', de: /para:(.*)/.exec(text)?.[1] ?? null }
    })

  const bellOf = async (idUsuario: number) =>
    suite.app.db
      .selectFrom('notificacao')
      .select(['titulo', 'texto', 'lidaEm'])
      .where('idUsuario', '=', idUsuario)
      .where('tipo', '=', 'assinatura')
      .orderBy('idNotificacao')
      .execute()

  /** Makes the subscription due again. */
  const again = async () => {
    await pass(60_000)
    await suite.app.db.updateTable('assinatura').set({ proximaEm: new Date() }).execute()
  }

  /** The clock moves, too, for what the process remembers. */
  const pass = (ms: number) => moveClockTo(suite.app, suite.app.clock.offsetMs + ms)

  const onlyRun = async () => {
    const [run, ...more] = await runs()
    expect(more).toEqual([])
    return run
  }

  const change = (table: 'usuario' | 'relatorio' | 'assinatura', fields: object, id: number) => {
    const key = { usuario: 'idUsuario', relatorio: 'idRelatorio', assinatura: 'idAssinatura' }[table]
    return suite.app.db
      .updateTable(table as 'usuario')
      .set(fields)
      .where(key as 'idUsuario', '=', id)
      .execute()
  }

  /** Returns the requests for files. */
  const asked = () => suite.provider.seen.filter(({ path }) => path.endsWith('/ExportTo'))

  /** Stores the end of a refresh as the watch of refreshes does. */
  const noteRefresh = async ({ report, idPowerBi }: Refreshed, concluidaEm: Date): Promise<void> => {
    const { idRelatorio, reportId } = report
    await suite.app.db
      .insertInto('conjuntoRelatorio')
      .values({ idRelatorio, reportId, idGrupoConjunto: 'g', idConjunto: 'c', lidoEm: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await suite.app.db
      .insertInto('leituraAtualizacoes')
      .values({ idPowerBi, idConjunto: 'c', lidaEm: new Date(), falhasAte: new Date(), concluidaEm })
      .onConflict((conflict) => conflict.columns(['idPowerBi', 'idConjunto']).doUpdateSet({ concluidaEm }))
      .execute()
  }

  return {
    suite,
    start,
    work,
    workAndSend,
    senderOf,
    refreshed,
    runs,
    onlyRun,
    mails,
    received,
    bellOf,
    again,
    pass,
    orders,
    logged,
    change,
    asked,
    noteRefresh,
  }
}
