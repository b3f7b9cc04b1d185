import type { Writable } from 'node:stream'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'

/** Structured logs without secrets: headers and bodies are never written, and addresses lose their query. */
export const logOptions = (level: string, stream?: Writable): FastifyServerOptions['logger'] => ({
  level,
  ...(stream ? { stream } : {}),
  redact: {
    paths: [
      '*.authorization',
      '*.password',
      '*.senha',
      '*.secret',
      '*.segredo',
      '*.token',
      '*.access_token',
      // Of libraries that tell what they were given, at their most talkative.
      '*.headers',
    ],
    censor: '[removido]',
  },
  serializers: {
    err: describeError,
    req: (request: FastifyRequest) => ({
      id: request.id,
      method: request.method,
      path: pathOf(request),
      address: request.ip,
    }),
  },
})

const ofPatients: (string | undefined)[] = ['records:access', 'data-protection:manage']

/** As it was typed; where patients are concerned, of what stands for a number of ours only a number: not what else somebody put there. */
const pathOf = ({ url, routeOptions, params }: FastifyRequest): string => {
  const { url: pattern = '', config } = routeOptions
  const [typed = ''] = url.split('?')
  if (!ofPatients.includes(config.permission)) return typed
  return pattern.replace(/:(\w+)/g, (name, field: string) => {
    const value = (params as Record<string, string> | undefined)?.[field] ?? ''
    return /^\d{1,10}$/.test(value) ? value : name
  })
}

/**
 * An error as the log tells it. The database's own carry the values that it refused (`detail`, `where`, the message of class
 * 22): of those only what names the place is told.
 */
const describeError = (
  error: unknown,
): { type: string; message: string; stack: string; [field: string]: unknown } => {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { name, message, stack = '', cause } = error
  const { code, constraint, table, column, codigo, status } = error as Error & Record<string, unknown>
  const isOfValue = typeof code === 'string' && /^22\w{3}$/.test(code)
  return {
    type: name,
    message: isOfValue ? '[removido]' : message,
    // The stack begins with the message.
    stack: isOfValue ? stack.replace(message, '[removido]') : stack,
    ...defined({ code, constraint, table, column, codigo, status }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
