import { asProblem, notImplemented, problem } from '../state/problem.ts'
import type { EmbedReply, EmbedRequest } from './transport.ts'

export interface RoutedRequest extends EmbedRequest {
  params: Record<string, string>
}
type Handler = (request: RoutedRequest) => EmbedReply | Promise<EmbedReply>
/** Handlers by address, such as `PUT /report/pages/:page/filters`. */
export type Routes = Record<string, Handler>

/**
 * Creates a router that answers every request: 501 for unknown ones (without a reply the client
 * hangs), and an error body when a handler throws.
 */
export const createRouter = (routes: Routes): ((request: EmbedRequest) => Promise<EmbedReply>) => {
  const compiled = Object.entries(routes).map(([address, handler]) => ({ ...compile(address), handler }))

  return async (request) => {
    const path = request.url.split('?')[0] ?? ''
    for (const { method, pattern, handler } of compiled) {
      const match = method === request.method ? pattern.exec(path) : null
      if (!match) continue
      try {
        return await handler({ ...request, params: decodeParams(match.groups) })
      } catch (cause) {
        const { status, body } = asProblem(cause)
        return { status, body }
      }
    }
    const { status, body } = notImplemented(`${request.method} ${path}`)
    return { status, body }
  }
}

const compile = (address: string) => {
  const [method = '', path = ''] = address.split(' ')
  return { method, pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }
}

const decodeParams = (groups: Record<string, string> = {}): Record<string, string> => {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)]))
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw problem(400, 'InvalidParameters', 'O endereço da chamada está malformado.')
  }
}
