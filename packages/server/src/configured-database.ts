import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError, databasePlace } from './config/config.ts'
import { DirectoryInUse } from './db/drivers/directory-lock.ts'
import { UnusableDatabase } from './db/drivers/unusable-database.ts'
import { type OpenDatabase, openDatabase } from './db/open-database.ts'
import { connectionFault, faultSentence } from './lib/connection-fault.ts'

/** The setting that says where the database is. */
export const settingOf = ({ databaseUrl }: Config) => (databaseUrl ? 'DATABASE_URL' : 'DATA_DIR')

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
export const openConfigured = (config: Config, { log, onLost }: OpenOptions): Promise<OpenDatabase> => {
  const { dataDir, databaseUrl } = config
  const onError = (error: Error) => log.error(`Banco de dados: ${error.message}`)
  return openDatabase({ dataDir, databaseUrl, onError, onLost })
    .catch(databaseUrl ? notNow(config) : rethrow)
    .catch(locateDatabase(config))
    .catch(blame(settingOf(config)))
}

/** Adds where the database is to the sentence that says why it cannot be used. */
export const locateDatabase = (config: Config) => (cause: unknown) => {
  if (!(cause instanceof UnusableDatabase)) throw cause
  throw new ConfigError(`${cause.message} (${databasePlace(config)})`, { cause })
}

const rethrow = (error: unknown): never => {
  throw error
}

/** Explains a PostgreSQL that is starting, has no free connection or does not answer. */
const notNow = (config: Config) => (cause: unknown) => {
  const { code, message } = cause as { code?: string; message?: string }
  // pg's own errors have no code.
  const isAboutTls =
    /^ERR_(TLS|SSL)/.test(code ?? '') ||
    /^The server does not support SSL|^There was an error establishing an SSL/.test(message ?? '')
  const fault = connectionFault(cause)
  if (fault) {
    const sentence = faultSentence(fault, 'do banco de dados')
    throw new ConfigError(`${sentence}. (${databasePlace(config)})`, { cause })
  }
  const isAway =
    /^(08|53|57P)/.test(code ?? '') || /^timeout expired|^Connection terminated/.test(message ?? '')
  // While connecting: the statements that follow have their own sentences.
  if (code === '42501') {
    throw new UnusableDatabase(
      'O papel do banco de dados não pode se conectar a ele: `grant connect on database <banco> to <papel>`.',
      { cause },
    )
  }
  if (!isAway && !isAboutTls) throw cause
  const what = isAway ? 'não aceita conexões agora' : 'recusou a conexão com TLS'
  throw new ConfigError(`O banco de dados ${what} (${message}). (${databasePlace(config)})`, { cause })
}

/** Turns a system error about a setting (unknown host, no permission) into its sentence. */
export const blame = (setting: string) => (cause: unknown) => {
  const { code, message } = cause as NodeJS.ErrnoException
  // Codes of network and file system; a wrong password or database of PostgreSQL.
  const isAboutSetting = /^(E[A-Z]+|28\w{3}|3D000)$/.test(code ?? '') && code !== 'EADDRINUSE'
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
