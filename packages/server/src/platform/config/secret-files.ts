import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

type Environment = Record<string, string | undefined>

/** Settings with a secret. Each may come from a file instead, named by the setting with `_FILE`. */
export const secretSettings = [
  'DATABASE_URL',
  'APP_SECRET',
  'APP_SECRET_PREVIOUS',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'HTTPS_PROXY',
  'HTTP_PROXY',
] as const

/**
 * Returns the environment with the secrets read from files, as containers, Kubernetes and systemd
 * provide them: more programs can read a process's environment than such a file.
 * @throws ConfigError when a file cannot be read or is empty, or the setting is given twice
 */
export const withSecretFiles = (environment: Environment): Environment => {
  const found = secretSettings.flatMap((name) => {
    const path = environment[`${name}_FILE`]
    if (!path) return []
    if (environment[name]) {
      throw new ConfigError(`Configuração inválida: informe ${name} ou ${name}_FILE, não as duas.`)
    }
    return [[name, contentOf(`${name}_FILE`, path)]]
  })
  return { ...environment, ...Object.fromEntries(found) }
}

const contentOf = (setting: string, path: string): string => {
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content) return content
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(`Configuração inválida: ${setting} não pode ser lido (${code}: ${path}).`, {
      cause,
    })
  }
  throw new ConfigError(`Configuração inválida: ${setting} é um arquivo vazio (${path}).`)
}
