import { isIP } from 'node:net'
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

/** Names or addresses without ports, as they are written in an address. */
const hostNames = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine(
    (names) => names.every((name) => isIP(name) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(name)),
    'deve ser uma lista de nomes ou endereços separados por vírgula, sem https:// nem porta',
  )
  .transform((names) => names.map((name) => name.toLowerCase()))

/** The settings of addresses that administrators type, as fields of the environment. */
export const dataSourceFields = {
  DATA_FILES_DIR: z.string().optional(),
  DATA_PRIVATE_HOSTS: hostNames.optional(),
  WEBHOOK_PRIVATE_HOSTS: hostNames.optional(),
}
type DataSourceEnvironment = z.output<z.ZodObject<typeof dataSourceFields>>

/**
 * Returns from where schedules may replace the data of reports.
 * @throws ConfigError when the folder contains the portal's own data
 */
export const dataSourcesOf = (env: DataSourceEnvironment, dataDir: string) => {
  const filesDir = env.DATA_FILES_DIR ? resolve(env.DATA_FILES_DIR) : undefined
  // An administrator could read the key file as a report.
  if (filesDir && !/^\.\.(\/|$)/.test(relative(filesDir, dataDir)))
    throw new ConfigError('Configuração inválida: DATA_FILES_DIR não pode conter DATA_DIR.')
  return {
    /** The folder whose files may be read; undefined: none. */
    filesDir,
    /** Lower-case hosts of https:// addresses that may be in a private network. */
    privateHosts: env.DATA_PRIVATE_HOSTS ?? [],
  }
}

/** Returns where the webhooks of alerts may be: lower-case hosts that may be in a private network. */
export const webhooksOf = (env: DataSourceEnvironment) => ({
  privateHosts: env.WEBHOOK_PRIVATE_HOSTS ?? [],
})
