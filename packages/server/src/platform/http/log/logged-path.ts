import type { FastifyRequest } from 'fastify'

const ofPatients: (string | undefined)[] = ['records:access', 'data-protection:manage']

/**
 * Returns the path for the log, without its query. On routes about patients, parameters are kept
 * only when they are numeric: a caller may put personal data there.
 */
export const loggedPath = ({ url, routeOptions, params }: FastifyRequest): string => {
  const { url: pattern = '', config } = routeOptions
  const [typed = ''] = url.split('?')
  if (!ofPatients.includes(config.permission)) return typed
  return pattern.replace(/:(\w+)/g, (name, field: string) => {
    const value = (params as Record<string, string> | undefined)?.[field] ?? ''
    return /^\d{1,10}$/.test(value) ? value : name
  })
}
