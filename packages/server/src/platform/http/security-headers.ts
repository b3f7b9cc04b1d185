import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import helmet from 'helmet'
import { Problem } from '../lib/problem.ts'
import { isApi } from './api/routes-of-api.ts'

/**
 * Sets headers on every answer. API answers may load nothing; pages loosen the policy. Refuses calls
 * that a page of another origin makes a browser send: those before sign-in need no token.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { https }: { https: boolean }) => {
  const headers = headersOf(https)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = isApi(request) && changesSomething(request) && isOfForeignPage(request)
    done(isRefused ? new Problem('sem_permissao', { detail: FOREIGN_PAGE }) : undefined)
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isApi(request)) reply.header('cache-control', isKept(request, reply) ? FOR_EVER : 'no-store')
    done()
  })
})

const FOREIGN_PAGE = 'Esta chamada veio de uma página de outro endereço.'

const changesSomething = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD'

/** Browsers say from which site a call comes; other programs send no such header. */
const isOfForeignPage = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

/** One year: the longest that caches honour. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

const isKept = ({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  statusCode === 200 && routeOptions.config.isImmutable === true

/** The headers do not depend on the request, so they are computed once. */
const headersOf = (https: boolean): Record<string, string> => {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    hsts: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error
  })
  return headers
}
