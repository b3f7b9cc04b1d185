import { createLogger, logFormatOf } from '@bi-manager/telemetry/logging'
import { logConsole, logCrashes } from '@bi-manager/telemetry/process-log'
import packageJson from '../package.json' with { type: 'json' }

/*
 * Starts the portal: migrates and listens. SIGTERM drains before the stop, so that a load balancer
 * first takes the process out. SIGINT and a second SIGTERM stop without draining. Both finish the
 * calls in progress.
 */

/** Start, stop and failure are logged at every LOG_LEVEL. */
const log = createLogger({ service: 'portal', level: 'info', format: logFormatOf(process.env) })
logCrashes(log)
if (logFormatOf(process.env) === 'json') logConsole(log)
// Loaded after the log, which then also tells of a module that is missing or broken.
const { ConfigError, loadConfig } = await import('./platform/config/config.ts')
const { DirectoryInUse } = await import('./platform/db/drivers/directory-lock.ts')
const { openConfigured } = await import('./platform/db/configured-database.ts')
/** Started by a launcher, whose death, however sudden, ends this process too. */
const hasLauncher = process.connected

try {
  const config = loadConfig(process.env)
  const onLost = (error: Error) => {
    log.fatal(`O banco de dados embutido parou: ${error.message}`)
    process.exit(1)
  }
  const { tracesEndpoint: endpoint } = config
  const tracing = endpoint
    ? (await import('@bi-manager/telemetry/tracing')).startTracing({
        service: 'bi-manager-portal',
        version: packageJson.version,
        endpoint,
        log,
      })
    : undefined
  const open = () => openConfigured(config, { log, onLost })
  // The embedded database opens in its own thread while this one loads the rest of the program. A
  // connection to PostgreSQL would time out where loading is slow.
  const embedded = config.databaseUrl ? undefined : open()
  const [{ startServer }] = await Promise.all([import('./start-server.ts'), embedded])
  const server = await startServer(config, { log, opening: embedded ?? open() })
  const { version } = packageJson
  log.info({ url: server.url, publicUrl: config.publicUrl, version, node: process.version }, 'started')
  const stopNow = new AbortController()
  let isStopping = false
  const stop = async (reason: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'stopping')
    await server.close(stopNow.signal)
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
  // It may have ended while the portal started.
  if (hasLauncher && !process.connected) onLauncherGone()
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DirectoryInUse || isAddressInUse(error)
  if (known) log.fatal(sentenceOf(error))
  else log.fatal({ err: error }, 'the start failed')
  // 78, as in sysexits.h: the reason is logged already.
  process.exit(known ? 78 : 1)
}

function isAddressInUse(error: unknown): error is NodeJS.ErrnoException & { port: number } {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

function sentenceOf(error: Error): string {
  return isAddressInUse(error)
    ? `A porta ${error.port} já está em uso: escolha outra em ${error.port === Number(process.env.METRICS_PORT) ? 'METRICS_PORT' : 'PORT'}.`
    : error.message
}
