import { isAbsolute, relative, resolve } from 'node:path'
import { z } from 'zod'
import { orUndefined } from '../lib/or-undefined.ts'
import { readSchedule } from '../lib/recurrence.ts'
import { type RetentionRule, readRetention } from './backup-retention.ts'
import { ConfigError } from './config-error.ts'
import type { S3Settings } from './s3-settings.ts'
import { origin } from './url-settings.ts'

const works = (work: () => object): boolean => orUndefined(work) !== undefined
const text = z.string().trim()

/** Settings of encrypted backups, as fields of the environment. */
export const backupFields = {
  BACKUP_SCHEDULE: text
    .refine(
      (given) => works(() => readSchedule(given, 'UTC')),
      'deve ser uma hora (03:00) ou uma expressão cron de cinco campos',
    )
    .optional(),
  BACKUP_TIME_ZONE: text
    .refine(
      (zone) => works(() => new Intl.DateTimeFormat('pt-BR', { timeZone: zone })),
      'deve ser um fuso horário, como America/Sao_Paulo',
    )
    .default('America/Sao_Paulo'),
  BACKUP_TARGET: text
    .refine(
      (given) => isAbsolute(given) || /^s3:\/\/[a-z\d][a-z\d.-]{1,61}[a-z\d](\/[\w.-]+)*\/?$/.test(given),
      'deve ser uma pasta (caminho completo) ou s3://bucket/pasta',
    )
    .optional(),
  BACKUP_KEY: text
    .transform((given) => given.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.every((key) => /^age1[a-z\d]{58,}$/.test(key)),
      'deve ser a chave pública (age1…) de quem abre as cópias, ou várias separadas por vírgula',
    )
    .optional(),
  BACKUP_KEEP: text
    .refine(
      (given) => works(() => readRetention(given)),
      'deve ser uma lista como 7d,4w,12m (dias, semanas, meses e, com y, anos)',
    )
    .default('7d,4w,12m'),
  BACKUP_VERIFY: z
    .enum(['true', 'false', '1', '0'], 'deve ser true ou false')
    .transform((given) => given === 'true' || given === '1')
    .default(true),
  BACKUP_S3_ENDPOINT: origin.optional(),
  BACKUP_S3_REGION: text.min(1).max(60, 'deve ter no máximo 60 caracteres').optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
}
type BackupEnvironment = z.output<z.ZodObject<typeof backupFields>>

export type BackupPlace =
  | { kind: 'folder'; folder: string }
  /** `prefix` is empty, or ends with `/`. */
  | { kind: 's3'; settings: S3Settings; prefix: string }

export interface BackupSettings {
  /** Undefined: only the command makes backups. */
  schedule: string | undefined
  timeZone: string
  place: BackupPlace
  /** Public keys (age recipients) of the operators who can open the backups. */
  recipients: string[]
  keep: RetentionRule
  verify: boolean
}

/**
 * Returns the settings, or undefined when no target is set.
 * @param s3 the bucket of attachments, the default service of a target in S3
 * @throws ConfigError when the settings contradict each other
 */
export const backupOf = (
  env: BackupEnvironment,
  s3: S3Settings | undefined,
  dataDir: string,
): BackupSettings | undefined => {
  if (!env.BACKUP_TARGET || !env.BACKUP_KEY) {
    if (env.BACKUP_SCHEDULE || env.BACKUP_TARGET || env.BACKUP_KEY) {
      throw new ConfigError(
        'Configuração inválida: BACKUP_TARGET e BACKUP_KEY são informados juntos, e BACKUP_SCHEDULE exige os dois.',
      )
    }
    return undefined
  }
  return {
    schedule: env.BACKUP_SCHEDULE,
    timeZone: env.BACKUP_TIME_ZONE,
    place: placeOf(env.BACKUP_TARGET, env, s3, dataDir),
    recipients: env.BACKUP_KEY,
    keep: readRetention(env.BACKUP_KEEP),
    verify: env.BACKUP_VERIFY,
  }
}

const placeOf = (
  target: string,
  env: BackupEnvironment,
  s3: S3Settings | undefined,
  dataDir: string,
): BackupPlace => {
  if (!target.startsWith('s3://')) {
    const folder = resolve(target)
    if (!/^\.\.(\/|$)/.test(relative(dataDir, folder))) {
      throw new ConfigError('Configuração inválida: BACKUP_TARGET deve ficar fora de DATA_DIR.')
    }
    return { kind: 'folder', folder }
  }
  const [bucket = '', ...prefix] = target.slice('s3://'.length).split('/').filter(Boolean)
  const endpoint = env.BACKUP_S3_ENDPOINT ?? s3?.endpoint
  const region = env.BACKUP_S3_REGION ?? s3?.region
  const accessKeyId = env.BACKUP_S3_ACCESS_KEY_ID ?? s3?.accessKeyId
  const secretAccessKey = env.BACKUP_S3_SECRET_ACCESS_KEY ?? s3?.secretAccessKey
  if (!endpoint || !region || !accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      'Configuração inválida: BACKUP_TARGET em S3 exige BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_ACCESS_KEY_ID e BACKUP_S3_SECRET_ACCESS_KEY, ou os de S3_.',
    )
  }
  return {
    kind: 's3',
    settings: { endpoint, bucket, region, accessKeyId, secretAccessKey },
    prefix: prefix.map((part) => `${part}/`).join(''),
  }
}
