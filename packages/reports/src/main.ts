import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { extraCertificatesFault } from '@bi-manager/telemetry/environment'
import { createLogger, logFormatOf } from '@bi-manager/telemetry/logging'
import { logConsole, logCrashes } from '@bi-manager/telemetry/process-log'
import packageJson from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'
import type { Measured } from './metrics.ts'
import type { ServiceFile } from './protocol/rest/service-file.ts'

/** Start, stop and failure are logged at every LOG_LEVEL. */
const log = createLogger({ service: 'relatorios', level: 'info', format: logFormatOf(process.env) })
logCrashes(log)
if (logFormatOf(process.env) === 'json') logConsole(log)
const certificatesFault = extraCertificatesFault(process.env)
if (certificatesFault) {
  // Before a module loads TLS: Node would then report the missing file as text.
  log.fatal(certificatesFault)
  process.exit(78)
}
// Loaded after the log, which then also tells of a module that is missing or broken.
const { buildApp } = await import('./app.ts')
const { ConfigError, readConfig } = await import('./config.ts')
const { SERVICE_FILE } = await import('./protocol/rest/service-file.ts')
/** Started by a launcher, whose death, however sudden, ends this process too. */
const hasLauncher = process.connected

try {
  await start()
} catch (error) {
  // One sentence without a stack when a setting is at fault.
  log.fatal(error instanceof ConfigError ? error.message : explain(error))
  // EX_CONFIG of sysexits.h tells the launcher that the message has been printed.
  process.exit(78)
}

async function start() {
  const config = readConfig(process.env)
  const { tracesEndpoint: endpoint } = config
  const tracing = endpoint
    ? (await import('@bi-manager/telemetry/tracing')).startTracing({
        service: 'bi-manager-relatorios',
        version: packageJson.version,
        endpoint,
        log,
      })
    : undefined
  const { app, loaded, measured, draining } = await buildApp(config, {
    onFirstStart: (credentials) => log.info(howToConnect(credentials, config.dataDir)),
  })
  const metrics = await startMetrics(config, measured)
  const stopNow = new AbortController()
  let isStopping = false
  const stop = async (reason: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'stopping')
    draining.isOn = true
    await sleep(config.drainSeconds * 1000, undefined, { signal: stopNow.signal }).catch(() => {})
    await app.close()
    await metrics?.close()
    await tracing?.close()
    log.info('stopped')
    process.exit(0)
  }
  const stopWithoutDraining = (reason: string) => {
    stopNow.abort()
    void stop(reason)
  }
  process.on('SIGTERM', (reason) => (isStopping ? stopNow.abort() : void stop(reason)))
  process.on('SIGINT', stopWithoutDraining)
  const onLauncherGone = () => stopWithoutDraining('the launcher ended')
  process.once('disconnect', onLauncherGone)
  process.channel?.unref()
  // It may have ended while the service started.
  if (hasLauncher && !process.connected) return onLauncherGone()
  const url = await app.listen({ host: config.host, port: config.port })
  log.info({ url, publicUrl: config.reportsUrl, node: process.version }, 'started')
  // A stop during the load of datasets aborts it.
  await loaded.catch((error: unknown) => {
    if (!isStopping) throw error
  })
}

/** Loads no module when no port is configured. */
async function startMetrics({ metrics: address }: Config, measured: Measured) {
  if (!address) return undefined
  const { createReportMetrics } = await import('./metrics.ts')
  const { serveMetrics } = await import('@bi-manager/telemetry/metrics-server')
  return serveMetrics(createReportMetrics(measured), address)
}

/**
 * Tells an administrator how to register this service. The portal that was started with it does so
 * itself. The secret stays in its file, since logs are kept and copied.
 */
function howToConnect({ applications: [application] }: ServiceFile, dataDir: string): string {
  if (hasLauncher) return 'O portal cadastra e testa sozinho a conexão com este serviço de relatórios.'
  const file = resolve(dataDir, SERVICE_FILE)
  return `Para usar o serviço local de relatórios, cadastre no portal um Powerbi com Username ${application?.clientId} e Provedor Local (em Avançado; o restante fica vazio). A Senha é o clientSecret de ${file}, que só o usuário do serviço lê.`
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const { port } = error as Error & { port?: number }
    const setting =
      port === Number(process.env.REPORTS_METRICS_PORT) ? 'REPORTS_METRICS_PORT' : 'REPORTS_PORT'
    return `O serviço de relatórios não iniciou: a porta de ${setting} já está em uso.`
  }
  if (code === 'EACCES') return `O serviço de relatórios não iniciou: sem permissão (${String(error)}).`
  return `O serviço de relatórios não iniciou: ${error instanceof Error ? error.message : error}`
}
