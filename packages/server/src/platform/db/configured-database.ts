import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError, databasePlace } from '../config/config.ts'
import { DirectoryInUse } from './drivers/directory-lock.ts'
import { asUnusable } from './drivers/unusable-database.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/** The setting that says where the database is. */
export const settingOf = ({ databaseUrl }: Place) => (databaseUrl ? 'DATABASE_URL' : 'DATA_DIR')

interface OpenOptions {
  log: Pick<FastifyBaseLogger, 'error'>
  /** Called when the embedded database is lost while the server runs: no call can be served. */
  onLost: (error: Error) => void
}

/**
 * Opens the database of the settings.
 * @throws ConfigError naming the invalid setting; DirectoryInUse when another process holds the
 * data folder
 */
export const openConfigured = (config: Place, { log, onLost }: OpenOptions): Promise<OpenDatabase> => {
  const { dataDir, databaseUrl } = config
  const onError = (error: Error) => log.error(`Banco de dados: ${error.message}`)
  return openDatabase({ dataDir, databaseUrl, onError, onLost })
    .catch(locateDatabase(config))
    .catch(blame(settingOf(config)))
}

/** Adds where the database is to the sentence that says why it cannot be used. */
export const locateDatabase =
  (config: Place) =>
  (cause: unknown): never => {
    const unusable = asUnusable(cause)
    if (!unusable) throw cause
    throw new ConfigError(`${unusable.message} (${databasePlace(config)})`, { cause })
  }

/** Turns a system error about a setting (unknown host, no permission) into its sentence. */
export const blame = (setting: string) => (cause: unknown) => {
  const { code, message } = cause as NodeJS.ErrnoException
  // Codes of network and file system.
  const isAboutSetting = /^E[A-Z]+$/.test(code ?? '') && code !== 'EADDRINUSE'
  if (cause instanceof DirectoryInUse || !isAboutSetting) throw cause
  throw new ConfigError(`Configuração inválida: ${setting} não pode ser usado (${message}).`, { cause })
}

/** Runs `work`; its system errors name the setting. */
export const naming = <T>(setting: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    return blame(setting)(error)
  }
}
