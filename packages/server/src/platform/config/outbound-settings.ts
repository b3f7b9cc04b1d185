import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { orUndefined } from '../lib/or-undefined.ts'
import type { OutboundRoutes } from '../lib/outbound.ts'
import { ConfigError } from './config-error.ts'
import { mustBeUrl } from './url-settings.ts'

const proxy = z
  .string()
  .superRefine(
    mustBeUrl(
      /^https?:$/,
      'deve ser um endereço http:// ou https:// completo, como http://proxy.empresa.com.br:3128',
    ),
  )

const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
const isException = (entry: string): boolean =>
  entry === '*' ||
  isIPv6(entry) ||
  /^(\*?\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/.test(entry) ||
  /^\[[\da-f:.]+\](:\d{1,5})?$/i.test(entry)

/** The settings of outbound connections, as fields of the environment. */
export const outboundFields = {
  HTTPS_PROXY: proxy.optional(),
  HTTP_PROXY: proxy.optional(),
  NO_PROXY: z.string().optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
}
type OutboundEnvironment = z.output<z.ZodObject<typeof outboundFields>>

const lowerCaseToo = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const

/** Returns the environment with the lower-case names, which take precedence as in Node and curl. */
export const withLowerCaseNames = (environment: Record<string, string | undefined>) => ({
  ...environment,
  ...Object.fromEntries(
    lowerCaseToo.flatMap((name) => {
      const value = environment[name.toLowerCase()]
      return value ? [[name, value]] : []
    }),
  ),
})

/**
 * Returns how outbound connections leave.
 * @param internalUrls addresses in the portal's own network, which no proxy reaches
 * @throws ConfigError when the exceptions, or the file of certificate authorities, cannot be used
 */
export const outboundOf = (env: OutboundEnvironment, internalUrls: string[]): OutboundRoutes => {
  if (env.NODE_EXTRA_CA_CERTS) assertCertificates(env.NODE_EXTRA_CA_CERTS)
  const exceptions = entriesOf(env.NO_PROXY ?? '')
  const httpsProxy = env.HTTPS_PROXY ?? env.HTTP_PROXY
  if (!httpsProxy || exceptions.includes('*'))
    return { httpsProxy: undefined, httpProxy: undefined, direct: [] }
  if (!exceptions.every(isException)) {
    throw new ConfigError(
      'Configuração inválida: NO_PROXY deve ser uma lista de nomes, domínios (.empresa.com.br) e endereços separados por vírgula, sem redes como 10.0.0.0/8.',
    )
  }
  const internal = internalUrls.map((url) => new URL(url).hostname)
  const direct = [...loopback, ...internal, ...exceptions.map(bracketed)].map((entry) => entry.toLowerCase())
  return { httpsProxy, httpProxy: env.HTTP_PROXY, direct: [...new Set(direct)] }
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** An address without brackets would be read as a name with a port. */
const bracketed = (entry: string): string => (isIPv6(entry) ? new URL(`http://[${entry}]`).hostname : entry)

/**
 * Node reads this file when the process starts, and continues without it after a mere warning.
 * @throws ConfigError
 */
const assertCertificates = (path: string): void => {
  const name = 'Configuração inválida: NODE_EXTRA_CA_CERTS'
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(`${name} não pode ser lido (${code}: ${path}).`, { cause })
  }
  const blocks = content.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  const isUsable = (block: string) => orUndefined(() => new X509Certificate(block)) !== undefined
  if (blocks.length === 0 || !blocks.every(isUsable)) {
    throw new ConfigError(`${name} deve ser um arquivo só de certificados no formato PEM (${path}).`)
  }
}
