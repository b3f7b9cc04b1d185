import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { emailOf } from '@bi-manager/contract'
import {
  extraCertificatesFault,
  renamedFolderFault,
  withoutCarriageReturns,
} from '@bi-manager/telemetry/environment'
import { logFormatOf, logFormats } from '@bi-manager/telemetry/logging'
import { z } from 'zod'
import { backupFields, backupOf } from './backup-settings.ts'
import { ConfigError } from './config-error.ts'
import { dataSourceFields, dataSourcesOf, webhooksOf } from './data-sources.ts'
import { outboundFields, outboundOf, withLowerCaseNames } from './outbound-settings.ts'
import { cloudWith, type PowerBiCloudName, powerBiClouds } from './power-bi-clouds.ts'
import type { S3Settings } from './s3-settings.ts'
import { withSecretFiles } from './secret-files.ts'
import { mustBeUrl, origin } from './url-settings.ts'

export { ConfigError }

const flag = z
  .enum(['true', 'false', '1', '0'], 'deve ser true ou false')
  .transform((text) => text === 'true' || text === '1')
const atMost = (characters: number): string => `deve ter no máximo ${characters} caracteres`
const integer = (min: number, max: number) =>
  z.coerce
    .number(`deve ser um número inteiro de ${min} a ${max}`)
    .int(`deve ser um número inteiro de ${min} a ${max}`)
    .min(min, `deve ser um número inteiro de ${min} a ${max}`)
    .max(max, `deve ser um número inteiro de ${min} a ${max}`)
const httpUrl = z.url({ protocol: /^https?$/, error: 'deve ser um endereço http:// ou https:// completo' })
const adminEmail = z.string().transform((text, context) => {
  const email = emailOf(text)
  if (email === undefined) context.addIssue({ code: 'custom', message: 'deve ser um e-mail válido' })
  return email ?? z.NEVER
})
const guid = z.guid('deve ser um GUID')
const cloudNames = Object.keys(powerBiClouds) as PowerBiCloudName[]
const isNetwork = (text: string) => {
  const [address = '', bits = '0', ...rest] = text.split('/')
  const version = isIP(address)
  return version > 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}
/**
 * A list of networks, never a number of hops, and `true` means this machine only: forwarding
 * headers of any other peer, on the Internet or in the same office, are ignored.
 */
const trustProxy = z
  .string()
  .refine(
    (text) => ['true', 'false'].includes(text) || text.split(',').every((part) => isNetwork(part.trim())),
    'deve ser true, false ou uma lista de endereços e redes separados por vírgula',
  )
  .transform((text) => (text === 'false' ? false : text === 'true' ? 'loopback' : text))

/** The settings, by environment variable. */
export const Environment = z.object({
  PORT: integer(1, 65535).default(3000),
  HOST: z.string().default('localhost'),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: trustProxy.default(false),
  DRAIN_SECONDS: integer(0, 300).default(5),
  DATA_DIR: z.string().default('./data'),
  MIN_FREE_MB: integer(0, 1_000_000).default(200),
  DATABASE_URL: z
    .string()
    .superRefine(mustBeUrl(/^postgres(ql)?:$/, 'deve ser um endereço postgres:// completo'))
    .optional(),
  ADMIN_EMAIL: adminEmail.default('admin@localhost.localdomain'),
  ADMIN_PASSWORD: z.string().min(8, 'deve ter ao menos 8 caracteres').optional(),
  APP_SECRET: z.string().min(32, 'deve ter ao menos 32 caracteres').optional(),
  APP_SECRET_PREVIOUS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 32),
      'deve ter chaves de ao menos 32 caracteres, separadas por vírgula, da mais nova à mais antiga',
    )
    .optional(),
  SESSION_HOURS: z.coerce
    .number('deve ser um número de horas')
    .gt(0, 'deve ser maior que 0')
    .max(720, 'deve ser no máximo 720 horas')
    .default(8),
  SESSION_IDLE_MINUTES: z.coerce
    .number('deve ser um número de minutos')
    .gt(0, 'deve ser maior que 0')
    .max(43_200, 'deve ser no máximo 43200 minutos')
    .default(60),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).default(600),
  RATE_LIMIT_PER_PERSON: integer(1, 2_000_000).optional(),
  SIGN_IN_FAILURES: integer(5, 15).default(15),
  SIGN_IN_FAILURES_PER_ADDRESS: integer(100, 1_000_000).default(100),
  /** False lets everyone in from any network: the way back for ADMINs who shut themselves out. */
  SIGN_IN_NETWORKS: flag.default(true),
  /** Whether users may sign in with a password, or only through the identity provider. */
  PASSWORD_SIGN_IN: flag.default(true),
  COMPANY_NAME: z.string().trim().max(120, atMost(120)).optional(),
  SMTP_URL: z
    .string()
    .superRefine(mustBeUrl(/^smtps?:$/, 'deve ser um endereço smtp:// ou smtps:// completo'))
    .optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .max(320, atMost(320))
    .regex(/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'deve ser um e-mail, ou Nome <e-mail>')
    .optional(),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET_EXPIRES: z.iso.date('deve ser uma data no formato aaaa-mm-dd').optional(),
  OIDC_NAME: z.string().trim().min(1).max(60, atMost(60)).default('sua conta da empresa'),
  /** For a provider without `email_verified` whose users cannot choose an e-mail (Entra). */
  OIDC_TRUST_EMAIL: flag.default(false),
  OIDC_TIMEOUT_SECONDS: integer(1, 60).default(15),
  S3_ENDPOINT: origin.optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/,
      'deve ser o nome de um bucket (3 a 63 letras minúsculas, números, . e -)',
    )
    .optional(),
  S3_REGION: z.string().trim().min(1).max(60, atMost(60)).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  ...backupFields,
  ...outboundFields,
  AUDIT_DAYS: integer(30, 36_500).default(1_825),
  USAGE_DAYS: integer(365, 3_650).default(400),
  ...dataSourceFields,
  REPORTS_ENABLED: flag.default(false),
  REPORTS_PORT: integer(1, 65535).default(3001),
  REPORTS_DATA_DIR: z.string().optional(),
  REPORTS_URL: origin.optional(),
  REPORTS_INTERNAL_URL: origin.optional(),
  BI_PROVIDER: z.enum(['local', 'microsoft'], 'deve ser local ou microsoft').default('microsoft'),
  POWERBI_TENANT_ID: guid.optional(),
  POWERBI_CLIENT_ID: guid.optional(),
  POWERBI_CLOUD: z
    .enum(cloudNames, `deve ser ${cloudNames.slice(0, -1).join(', ')} ou ${cloudNames.at(-1)}`)
    .default('global'),
  POWERBI_AUTHORITY_URL: origin.optional(),
  POWERBI_API_URL: origin.optional(),
  POWERBI_EMBED_URL: origin.optional(),
  POWERBI_GRAPH_URL: origin.optional(),
  POWERBI_MANAGEMENT_URL: origin.optional(),
  BI_TIMEOUT_SECONDS: integer(1, 120).default(15),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'deve ser fatal, error, warn, info, debug, trace ou silent',
    )
    .default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  METRICS_PORT: integer(1, 65535).optional(),
  METRICS_HOST: z.string().default('localhost'),
  LOG_FORMAT: z.enum(logFormats, 'deve ser json ou texto').optional(),
  /** Set only by the demo: the seed file. Undocumented on purpose. */
  DEMO_SEED: z.string().optional(),
})

/** Addresses of one provider. Origins only; they come from configuration, never from a record. */
export interface ProviderAddresses {
  authority: string
  api: string
  embed: string
  /** Entra's name of the API for which a token is requested. */
  scope: string
  /** Hosts below this domain may get the API's calls by a redirect; undefined: no other host. */
  clusters?: string
  /** Microsoft Graph; undefined: it is not called. The local service has none. */
  graph?: string
  /** Azure Resource Manager; undefined: capacities are not managed. */
  management?: string
}

export type Config = ReturnType<typeof loadConfig>

/**
 * Reads all settings.
 * @throws ConfigError naming the first invalid setting
 */
export const loadConfig = (environment: Record<string, string | undefined>) => {
  const given = Object.fromEntries(
    Object.entries(withSecretFiles(withLowerCaseNames(withoutCarriageReturns(environment)))).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  )
  const fault = renamedFolderFault(environment, 'DATA_DIR') ?? extraCertificatesFault(environment)
  if (fault) throw new ConfigError(fault)
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ConfigError(`Configuração inválida: ${issue?.path.join('.')} ${issue?.message}.`)
  }
  const env = parsed.data
  const reportsUrl = env.REPORTS_URL ?? `http://localhost:${env.REPORTS_PORT}`
  const internalUrl = env.REPORTS_INTERNAL_URL ?? reportsUrl
  const local: ProviderAddresses = {
    authority: internalUrl,
    api: internalUrl,
    embed: reportsUrl,
    scope: powerBiClouds.global.scope,
  }
  const microsoft: ProviderAddresses = cloudWith(env.POWERBI_CLOUD, {
    authority: env.POWERBI_AUTHORITY_URL,
    api: env.POWERBI_API_URL,
    embed: env.POWERBI_EMBED_URL,
    graph: env.POWERBI_GRAPH_URL,
    management: env.POWERBI_MANAGEMENT_URL,
  })
  if (!!env.OIDC_ISSUER !== !!env.OIDC_CLIENT_ID) {
    throw new ConfigError('Configuração inválida: OIDC_ISSUER e OIDC_CLIENT_ID são informados juntos.')
  }
  if (env.OIDC_CLIENT_SECRET_EXPIRES && !env.OIDC_CLIENT_SECRET) {
    throw new ConfigError('Configuração inválida: OIDC_CLIENT_SECRET_EXPIRES exige OIDC_CLIENT_SECRET.')
  }
  if (!env.PASSWORD_SIGN_IN && !env.OIDC_ISSUER) {
    throw new ConfigError('Configuração inválida: PASSWORD_SIGN_IN=false exige OIDC_ISSUER.')
  }
  if (env.APP_SECRET_PREVIOUS && !env.APP_SECRET) {
    throw new ConfigError('Configuração inválida: APP_SECRET_PREVIOUS exige APP_SECRET.')
  }
  // These issuers stand for every Microsoft tenant, and in their own tenant anyone sets any e-mail.
  if (env.OIDC_TRUST_EMAIL && /\/(common|organizations|consumers)(\/|$)/.test(env.OIDC_ISSUER ?? '')) {
    throw new ConfigError(
      'Configuração inválida: OIDC_TRUST_EMAIL exige o endereço de um único locatário em OIDC_ISSUER.',
    )
  }
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const dataDir = resolve(env.DATA_DIR)
  /** Set when a local service is configured. */
  const localEmbedOrigin =
    env.REPORTS_ENABLED || env.REPORTS_URL || env.BI_PROVIDER === 'local' ? reportsUrl : null
  // On one origin, a page of the report service could read the portal's sessions.
  if (localEmbedOrigin && onLoopback(localEmbedOrigin) === onLoopback(publicUrl)) {
    throw new ConfigError(
      `Configuração inválida: REPORTS_URL é a origem do portal (${publicUrl}): dê ao serviço de relatórios uma porta ou um nome só dele.`,
    )
  }
  const s3 = s3Of(env)
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    trustProxy: env.TRUST_PROXY,
    /** Seconds that `/readyz` answers 503 after SIGTERM before connections close. */
    drainSeconds: env.DRAIN_SECONDS,
    dataDir,
    /** Free megabytes on the disk of `dataDir` below which writing calls are refused. */
    minFreeMegabytes: env.MIN_FREE_MB,
    databaseUrl: env.DATABASE_URL,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    /** The current secret and earlier ones, newest first; undefined with a key file. */
    appSecret: env.APP_SECRET
      ? [env.APP_SECRET, ...secretsAsGiven(environment), ...(env.APP_SECRET_PREVIOUS ?? [])]
      : undefined,
    session: {
      seconds: Math.round(env.SESSION_HOURS * 3600),
      idleSeconds: Math.round(env.SESSION_IDLE_MINUTES * 60),
    },
    /** API calls per minute and session, or per network address without a session. */
    callsPerMinute: env.RATE_LIMIT_PER_MINUTE,
    /** API calls per minute of all sessions of a user together: enough for two busy windows. */
    callsPerPerson: env.RATE_LIMIT_PER_PERSON ?? 2 * env.RATE_LIMIT_PER_MINUTE,
    /**
     * Failed sign-ins in 15 minutes before 429. A user can sign in by e-mail and by user name, so
     * an account gets at most twice `perName`.
     */
    signInFailures: { perName: env.SIGN_IN_FAILURES, perAddress: env.SIGN_IN_FAILURES_PER_ADDRESS },
    signInNetworks: env.SIGN_IN_NETWORKS,
    passwordSignIn: env.PASSWORD_SIGN_IN,
    companyName: env.COMPANY_NAME,
    mail: {
      /** Undefined: messages go to the outbox folder. May contain a password. */
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM ?? `BI Manager <nao-responda@${new URL(publicUrl).hostname}>`,
      outbox: join(dataDir, 'outbox'),
    },
    oidc:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID
        ? {
            issuer: env.OIDC_ISSUER,
            clientId: env.OIDC_CLIENT_ID,
            /** Undefined for a public client, which uses PKCE only. */
            clientSecret: env.OIDC_CLIENT_SECRET,
            /** The day (yyyy-mm-dd) on which the secret expires at the provider. */
            clientSecretExpires: env.OIDC_CLIENT_SECRET_EXPIRES,
            name: env.OIDC_NAME,
            trustEmail: env.OIDC_TRUST_EMAIL,
            /** Limit of each call to the provider; a sign-in needs up to four. */
            timeoutMs: env.OIDC_TIMEOUT_SECONDS * 1000,
          }
        : undefined,
    /** The bucket for attachment files; undefined: the data folder. */
    s3,
    /** Encrypted backups; undefined when not configured. */
    backup: backupOf(env, s3, dataDir),
    outbound: outboundOf(env, env.REPORTS_INTERNAL_URL ? [env.REPORTS_INTERNAL_URL] : []),
    /** From where schedules replace the data of reports. */
    dataSources: dataSourcesOf(env, dataDir),
    webhooks: webhooksOf(env),
    /** Days that the audit trail is kept. */
    auditDays: env.AUDIT_DAYS,
    /** Days that views and their sums are kept. */
    usageDays: env.USAGE_DAYS,
    /** Credentials of the report service that runs next to the portal; undefined without one. */
    localServiceFile: env.REPORTS_ENABLED
      ? join(resolve(env.REPORTS_DATA_DIR ?? join(dataDir, 'reports')), 'service.json')
      : undefined,
    bi: {
      defaultProvider: env.BI_PROVIDER,
      tenantId: env.POWERBI_TENANT_ID,
      clientId: env.POWERBI_CLIENT_ID,
      timeoutMs: env.BI_TIMEOUT_SECONDS * 1000,
      addresses: { local, microsoft },
      /** The origin besides Microsoft's that the portal may embed; null without a local service. */
      localEmbedOrigin,
    },
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT ?? logFormatOf({}),
    /** The OpenTelemetry collector; undefined: no traces. */
    tracesEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** Address for Prometheus; undefined: no metrics. */
    metrics: env.METRICS_PORT ? { port: env.METRICS_PORT, host: env.METRICS_HOST } : undefined,
    demoSeed: env.DEMO_SEED,
  })
}

/** Earlier versions took a carriage return at the end into the secret, and encrypted with it. */
const secretsAsGiven = ({ APP_SECRET = '' }: Record<string, string | undefined>): string[] =>
  APP_SECRET.endsWith('\r') ? [APP_SECRET] : []

/** Returns the database's place for a message, without user and password. */
export const databasePlace = ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): string => {
  if (!databaseUrl) return `DATA_DIR: ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `DATABASE_URL: ${host}${pathname}`
}

/** Treats the three names of this machine as one. */
const onLoopback = (address: string): string =>
  new URL(address).origin.replace(/\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost')

/** @throws ConfigError when some of the settings are present and others not */
const s3Of = (env: z.output<typeof Environment>): S3Settings | undefined => {
  const all = {
    endpoint: env.S3_ENDPOINT,
    bucket: env.S3_BUCKET,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
  }
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = all
  if (endpoint && bucket && region && accessKeyId && secretAccessKey) {
    return { endpoint, bucket, region, accessKeyId, secretAccessKey }
  }
  if (Object.values(all).every((value) => value === undefined)) return undefined
  throw new ConfigError(
    'Configuração inválida: S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID e S3_SECRET_ACCESS_KEY são informados juntos.',
  )
}
