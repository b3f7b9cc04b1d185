import type { FastifyRequest } from 'fastify'

/** Entra's hosts by cloud; the first of each is the one that clients should use. */
const CLOUDS = [
  ['login.microsoftonline.com', 'login.windows.net', 'login.microsoft.com', 'sts.windows.net'],
  ['login.microsoftonline.us', 'login.usgovcloudapi.net'],
  ['login.partner.microsoftonline.cn', 'login.chinacloudapi.cn'],
] as const

/** Returns the hosts by cloud, with this service's own as one more. */
export const loginClouds = (reportsUrl: string): (readonly [string, ...string[]])[] => [
  ...CLOUDS,
  [new URL(reportsUrl).host],
]

/**
 * Returns the origin of Entra's addresses: Microsoft's host when the client called it, otherwise
 * REPORTS_URL. Another `Host` header is never repeated, since clients send their secrets there.
 */
export const loginOrigin = ({ hostname }: Pick<FastifyRequest, 'hostname'>, reportsUrl: string): string => {
  const host = hostname.toLowerCase()
  return CLOUDS.flat().some((known) => known === host) ? `https://${host}` : reportsUrl
}
