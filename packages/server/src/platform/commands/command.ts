import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@bi-manager/telemetry/logging'
import { logConsole, logCrashes } from '@bi-manager/telemetry/process-log'
import { type Config, ConfigError, databasePlace, loadConfig } from '../config/config.ts'
import { keyFileOf } from '../config/key-file.ts'
import { openConfigured } from '../db/configured-database.ts'
import { DirectoryInUse } from '../db/drivers/directory-lock.ts'
import { asUnusable } from '../db/drivers/unusable-database.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { routeThroughProxy } from '../lib/outbound.ts'

/** The reason why a command cannot work, in one Portuguese sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/**
 * Runs an operator's command with the server's settings. Sets exit code 1 when the command returns
 * false or fails; an error that the operator can correct is printed as one sentence.
 * @param usage how the command is typed
 */
export const runCommand = async (
  usage: string,
  work: (config: Config, args: string[]) => Promise<boolean>,
): Promise<void> => {
  // Only when it is asked for: a person who pipes a command's sentences still reads them.
  if (process.env.LOG_FORMAT?.trim() === 'json') {
    const log = createLogger({ service: 'comando', level: 'info', format: 'json' })
    logCrashes(log)
    logConsole(log)
  }
  let config: Config | undefined
  try {
    config = loadConfig(process.env)
    routeThroughProxy(config.outbound)
    // After Node, scripts/run.js and the command's name.
    if (!(await work(config, process.argv.slice(3)))) process.exitCode = 1
  } catch (error) {
    process.exitCode = 1
    const unusable = asUnusable(error)
    if (error instanceof DirectoryInUse) {
      console.error(`${error.message} Pare o servidor e rode o comando de novo.`)
    } else if (unusable && config) {
      console.error(`${unusable.message} (${databasePlace(config)})`)
    } else if (error instanceof ConfigError || error instanceof CommandError) {
      console.error(error.message)
    } else if (isOfArguments(error)) {
      console.error(`Uso: ${usage}`)
    } else throw error
  }
}

const isOfArguments = (error: unknown): boolean =>
  /^ERR_PARSE_ARGS/.test((error as NodeJS.ErrnoException).code ?? '')

/**
 * Runs a command's work on the database. The loss of the database is not reported: the statements
 * fail too.
 */
export const withDatabase = async <T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  tell: (sentence: string) => void,
  work: (db: OpenDatabase) => Promise<T>,
): Promise<T> => {
  const db = await openConfigured(config, { log: { error: tell }, onLost: () => {} })
  return work(db).finally(() => db.destroy())
}

/**
 * Stops a command that would otherwise create a new database or key.
 * @param withoutKey what the command cannot do without the installation's key
 * @throws CommandError
 */
export const assertInstalled = (
  { appSecret, dataDir, databaseUrl }: Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl'>,
  withoutKey = 'Sem a chave não há o que conferir',
): void => {
  if (!databaseUrl && !existsSync(join(dataDir, 'database', 'PG_VERSION'))) {
    throw new CommandError(`Não há banco de dados em ${dataDir}: confira DATA_DIR.`)
  }
  if (appSecret === undefined && !existsSync(keyFileOf(dataDir))) {
    throw new CommandError(`${withoutKey}: informe APP_SECRET, ou restaure ${keyFileOf(dataDir)}.`)
  }
}
