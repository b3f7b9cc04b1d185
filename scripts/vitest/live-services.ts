import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { copyEmbedded } from '@bi-manager/server/test/database/embedded-template'
import {
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '@bi-manager/server/test/processes/killed-server'
import { fixtureFiles, OTHER_GROUP, PLAIN_REPORT, writeFiles } from '../../packages/reports/test/fixture.ts'
import { freePorts } from '../machines/ports.ts'
import { endProcess } from '../nodes/bound-process.ts'

const reportsMain = join(import.meta.dirname, '../../packages/reports/src/main.ts')

type Headers = Record<string, string>

interface Places {
  /** DATA_DIR of the portal. */
  dataDir: string
  /** The data folder of the report service. */
  reportsDir: string
}

/**
 * Starts the portal and the report service as two processes with metrics, on existing folders.
 * @param settings environment of both
 */
export const startBoth = async ({ dataDir, reportsDir }: Places, settings: Record<string, string> = {}) => {
  const [port, reportsPort, metricsPort, reportsMetricsPort] = await freePorts(4)
  const reportsUrl = `http://localhost:${reportsPort}`
  const reports = watch(
    spawn(process.execPath, [reportsMain], {
      env: {
        PATH: process.env.PATH,
        PUBLIC_URL: `http://localhost:${port}`,
        REPORTS_PORT: String(reportsPort),
        REPORTS_DATA_DIR: reportsDir,
        REPORTS_METRICS_PORT: String(reportsMetricsPort),
        DRAIN_SECONDS: '0',
        ...settings,
      },
    }),
  )
  const server = await spawnServer(dataDir, {
    PORT: String(port),
    REPORTS_URL: reportsUrl,
    BI_PROVIDER: 'local',
    LOG_LEVEL: 'info',
    METRICS_PORT: String(metricsPort),
    ...settings,
  })
  const portal = { url: server.url, child: server.child, output: server.output }
  const stop = async () => {
    await Promise.all([portal.child, reports.child].map((child) => endProcess(child, 'SIGTERM')))
  }
  const isReady =
    (await untilReadyAtLast(server)) &&
    (await untilReadyAtLast({ url: reportsUrl, child: reports.child, output: () => '' }))
  if (!isReady) {
    await stop()
    throw new Error(`the services did not start: ${portal.output()}${reports.output()}`)
  }

  const call = (headers: Headers) => async (method: string, path: string, body?: object) => {
    const response = await fetch(`${portal.url}/api${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : undefined
  }
  const signIn = (secret: string, headers: Headers = {}) =>
    call(headers)('POST', '/usuarios/authorizer', { username: nameOf(0), password: secret })
  /** Opens the report of `registerReport` like a browser does, and returns its rows. */
  const readReport = async (headers: Headers) => {
    const embed = await call(headers)('POST', '/usuarios/relatorio/embed', {
      groupId: OTHER_GROUP,
      reportId: PLAIN_REPORT,
    })
    const data = await fetch(`${reportsUrl}/embed-api/reports/${PLAIN_REPORT}/data`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `EmbedToken ${embed.embedToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ page: 'Main', filters: [] }),
    })
    if (!data.ok) throw new Error(`the report answered ${data.status}: ${await data.text()}`)
    const { visuals } = (await data.json()) as { visuals: Record<string, { rows: unknown[][] }> }
    return visuals.n?.rows
  }
  return {
    portal,
    reports: { url: reportsUrl, ...reports },
    stop,
    call,
    signIn,
    readReport,
    metricsPort,
    reportsMetricsPort,
  }
}

/** Registers the connection to the report service, and one report that an ADMIN may open. */
export const registerReport = async (
  asAdmin: ReturnType<Awaited<ReturnType<typeof startBoth>>['call']>,
  reportsDir: string,
) => {
  const { applications } = await ensureServiceFile(reportsDir)
  const { idUsuario } = await asAdmin('GET', '/usuarios/sessao')
  const connection = await asAdmin('POST', '/usuarios/powerbi', {
    nome: 'Local',
    username: applications[0]?.clientId,
    password: applications[0]?.clientSecret,
    clienteId: idUsuario,
    idResponsavel: 1,
    provedor: 'local',
  })
  const workspace = await asAdmin('POST', '/usuarios/workspace', {
    nomeGrupo: 'Grupo',
    idGrupo: OTHER_GROUP,
    idPowerBi: connection.idPowerBI,
  })
  const report = await asAdmin('POST', '/usuarios/relatorio', {
    idGrupoRelatorio: workspace.idGrupoRelatorio,
    nomeRelatorio: 'Simples',
    operadoraRelatorio: 'CNU',
    reportId: PLAIN_REPORT,
  })
  return { connection, report }
}

/**
 * Starts both services on an embedded database, with one report.
 * @param settings environment of both
 */
export const startLiveServices = async (settings: Record<string, string> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-live-'))
  const reportsDir = join(dataDir, 'reports')
  await copyEmbedded(join(dataDir, 'database'))
  await writeFiles(reportsDir, fixtureFiles)
  await ensureServiceFile(reportsDir)
  const both = await startBoth({ dataDir, reportsDir }, settings).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const { portal, reports, call, signIn, readReport, metricsPort, reportsMetricsPort } = both
  const stop = async () => {
    await both.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const { access_token } = await signIn(password)
  const authorization = `Bearer ${access_token}`
  const asAdmin = call({ authorization })
  const { connection, report } = await registerReport(asAdmin, reportsDir)

  /**
   * Opens the report like a browser does.
   * @param headers of each call
   */
  const openReport = async (headers: Headers = {}) => {
    const asked = call({ authorization, ...headers })
    await readReport({ authorization, ...headers })
    const times = { carregadoMs: 400, renderizadoMs: 900 }
    await asked('POST', `/usuarios/relatorio/${report.idRelatorio}/visualizacao`, times)
  }
  const scrape = async (at: number) => (await fetch(`http://localhost:${at}/metrics`)).text()
  return {
    portal,
    reports,
    stop,
    call,
    signIn,
    asAdmin,
    connection: { idPowerBI: Number(connection.idPowerBI) },
    openReport,
    metricsPort,
    reportsMetricsPort,
    portalMetrics: () => scrape(metricsPort),
    reportMetrics: () => scrape(reportsMetricsPort),
  }
}

/** A first start with all migrations takes long on a busy machine. */
const untilReadyAtLast = async (server: Server): Promise<boolean> => {
  for (let waits = 0; waits < 5; waits += 1) if (await untilReady(server)) return true
  return false
}

const watch = (child: ChildProcess) => {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return { child, output: () => output }
}
