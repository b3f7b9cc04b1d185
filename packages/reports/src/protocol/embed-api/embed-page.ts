import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readIfThere } from '../../definitions/missing-files.ts'
import type { CountPublicCall } from '../../http/public-calls.ts'

type Options = {
  embedDir: string
  allowedParents: readonly string[]
  countPublicCall: CountPublicCall
}

/** Routes of the embed page and its assets. `embedDir` is Vite's output. */
export const embedPageRoutes = async (app: FastifyInstance, options: Options) => {
  const { embedDir, allowedParents, countPublicCall } = options
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    // CSP has no syntax for IPv6 addresses: browsers would warn and ignore them.
    `frame-ancestors ${allowedParents.filter((origin) => !origin.includes('[')).join(' ')}`,
  ].join('; ')

  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    const html = await readIfThere(join(embedDir, 'index.html'))
    if (html === undefined) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('A página de relatórios ainda não foi construída. Execute npm run build e tente novamente.')
    }
    return reply
      .headers({
        'content-security-policy': policy,
        'referrer-policy': 'strict-origin',
        'cache-control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll('__ALLOWED_PARENTS__', escapeHtml(allowedParents.join(' '))))
  }
  for (const path of EMBED_PATHS) app.get(path, { onRequest: countPublicCall }, sendPage)

  app.register(fastifyStatic, {
    root: join(embedDir, 'assets'),
    prefix: '/embed-assets/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Vite includes a content hash in each file name.
    immutable: true,
    maxAge: '365d',
  })
}

/**
 * The paths of all embed URLs of powerbi-client. The page answers an error for what it cannot show;
 * without a page, the client would wait for ever.
 */
const EMBED_PATHS = [
  '/reportEmbed',
  '/dashboardEmbed',
  '/tileEmbed',
  '/embed',
  '/qnaEmbed',
  '/quickCreate',
  '/rdlEmbed',
]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
