import { isIP } from 'node:net'
import {
  extraCertificatesFault,
  originFault,
  renamedFolderFault,
  withoutCarriageReturns,
} from '@bi-manager/telemetry/environment'
import { logFormatOf, logFormats } from '@bi-manager/telemetry/logging'
import { z } from 'zod'

/** Settings of the report service, read once from the environment and frozen. */
export type Config = ReturnType<typeof readConfig>

/** A Portuguese sentence that names the invalid setting. */
export class ConfigError extends Error {}

export const readConfig = (env: Record<string, string | undefined>) => {
  // An empty variable counts as absent: `REPORTS_URL= npm start` uses the default.
  const given = Object.fromEntries(
    Object.entries(withoutCarriageReturns(env)).filter(([, value]) => value?.trim()),
  )
  const fault = renamedFolderFault(env, 'REPORTS_DATA_DIR') ?? extraCertificatesFault(env)
  if (fault) throw new ConfigError(fault)
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`Configuração inválida: ${issue?.path.join('.')} deve ser ${issue?.message}.`)
  }
  const settings = parsed.data
  const reportsUrl = settings.REPORTS_URL ?? `http://localhost:${settings.REPORTS_PORT}`
  const parents = allowedParents(settings.PUBLIC_URL)
  // With a shared origin, each page could read the other's sessions.
  if (parents.includes(reportsUrl))
    throw new ConfigError(
      `Configuração inválida: REPORTS_URL é a origem do portal (${reportsUrl}): dê ao serviço de relatórios uma porta ou um nome só dele.`,
    )
  return Object.freeze({
    host: settings.HOST,
    port: settings.REPORTS_PORT,
    /** The public origin of this service, used in `embedUrl`. */
    reportsUrl,
    /** The proxies whose forwarded client address is trusted: networks, `loopback`, or false. */
    trustProxy: settings.REPORTS_TRUST_PROXY,
    /** Calls per minute and address without a valid token: sign-ins, embed page, refused calls. */
    callsPerMinute: settings.REPORTS_RATE_LIMIT_PER_MINUTE,
    dataDir: settings.REPORTS_DATA_DIR,
    /** Origins that may frame the embed page: the portal's. */
    allowedParents: Object.freeze(parents),
    /** Lifetime of an Entra token; an embed token never outlives the one that requested it. */
    tokenSeconds: settings.REPORTS_TOKEN_SECONDS,
    memoryMegabytes: settings.REPORTS_MEMORY_MB,
    /** The Chromium that renders exports; by default it is searched in the usual places. */
    chromiumPath: settings.CHROMIUM_PATH,
    /** The PATH in which Chromium is searched. */
    searchPath: settings.PATH,
    /** Seconds after SIGTERM in which `/readyz` answers 503 and every other call is served. */
    drainSeconds: settings.DRAIN_SECONDS,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT ?? logFormatOf({}),
    /** The OpenTelemetry collector; undefined disables tracing. */
    tracesEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** The address for Prometheus; undefined disables metrics. */
    metrics: settings.REPORTS_METRICS_PORT
      ? { port: settings.REPORTS_METRICS_PORT, host: settings.METRICS_HOST }
      : undefined,
  })
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** On loopback, all three names of this machine are the portal. */
const allowedParents = (publicUrl: string) => {
  const url = new URL(publicUrl)
  if (!LOOPBACK.includes(url.hostname)) return [url.origin]
  return LOOPBACK.map((hostname) => `${url.protocol}//${hostname}${url.port ? `:${url.port}` : ''}`)
}

const numberWithin = (min: number, max: number) => {
  const message = `um número inteiro de ${min} a ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}
const integer = (min: number, max: number, fallback: number) => numberWithin(min, max).default(fallback)

const httpUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'um endereço http:// ou https://',
  )
const origin = z
  .string()
  .superRefine((text, context) => {
    const message = originFault(text)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .transform((text) => new URL(text).origin)

const NETWORKS = 'true, false ou uma lista de endereços e redes separados por vírgula'
const isNetwork = (text: string) => {
  const [address = '', bits = '0', ...rest] = text.trim().split('/')
  const version = isIP(address)
  return version > 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

/** Like the portal's TRUST_PROXY: `true` trusts this machine only. */
const trustProxy = z
  .string()
  .refine((text) => ['true', 'false'].includes(text) || text.split(',').every(isNetwork), NETWORKS)
  .transform((text) => (text === 'false' ? false : text === 'true' ? 'loopback' : text))
  .default(false)

/** The settings by environment variable. */
export const Settings = z.object({
  HOST: z.string().default('localhost'),
  REPORTS_PORT: integer(1, 65_535, 3001),
  REPORTS_URL: origin.optional(),
  REPORTS_TRUST_PROXY: trustProxy,
  REPORTS_RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000, 600),
  REPORTS_DATA_DIR: z.string().default('./data/reports'),
  PUBLIC_URL: origin.default('http://localhost:3000'),
  REPORTS_TOKEN_SECONDS: integer(5, 3599, 3599),
  REPORTS_MEMORY_MB: integer(128, 65_536, 1024),
  CHROMIUM_PATH: z.string().optional(),
  PATH: z.string().default(''),
  DRAIN_SECONDS: integer(0, 300, 5),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'um de fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  REPORTS_METRICS_PORT: numberWithin(1, 65_535).optional(),
  METRICS_HOST: z.string().default('localhost'),
  LOG_FORMAT: z.enum(logFormats, { error: 'json ou texto' }).optional(),
})
