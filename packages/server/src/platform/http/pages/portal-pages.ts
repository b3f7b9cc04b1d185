import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { VISIT_PATHS } from '@bi-manager/contract'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Brand } from '../../brand/brand.ts'
import { brandedManifest, brandedOfflinePage, brandedPage, keepLast } from '../../brand/page-brand.ts'
import { Problem } from '../../lib/problem.ts'
import { sendProblem } from '../errors/error-handler.ts'
import { FOR_EVER } from '../security-headers.ts'
import { linkPaths } from './link-paths.ts'
import { readBuiltPage } from './page-build.ts'

interface PageOptions {
  /** Folder of the built web app. */
  root: string
  /** Origins of the reports in iframes. */
  frameOrigins: string[]
  /** How the page looks at this moment. */
  readBrand: () => Promise<Brand>
}

/** Pages that e-mail links open: the address carries a token, which no other site may receive. */
const linkPages: ReadonlySet<string> = new Set([
  ...Object.values(linkPaths),
  VISIT_PATHS.invitation,
  VISIT_PATHS.link,
])

/** A worker has the policy of its response, not the page's: each may do only what it is for. */
const workerPolicies: [file: RegExp, policy: string][] = [
  // Loads its decoders.
  [/[/\\]pdf\.worker[^/\\]*$/, "default-src 'none'; script-src 'self'"],
  // Sends navigations on.
  [/[/\\]sw\.js$/, "default-src 'none'; connect-src 'self'"],
]

/** Shown by the service worker without a network; it must not need any other file. */
const offlinePage = 'sem-conexao.html'

const manifestFile = 'manifest.webmanifest'

const noncePlaceholder = '__CSP_NONCE__'

/**
 * Serves the built web app: hashed assets, cached for a year, and its one page, with a fresh nonce,
 * for every other address.
 */
export const portalPages = async (app: FastifyInstance, { root, frameOrigins, readBrand }: PageOptions) => {
  app.addHook('onRoute', (route) => {
    // One route in logs and metrics: a series for each file and release would grow without end.
    const group = route.url === '/*' ? undefined : '/assets/*'
    route.config = { ...route.config, permission: 'public', ...(group ? { group } : {}) }
    route.schema = { ...route.schema, hide: true }
  })
  const { page: built, build } = await readBuiltPage(root)
  const page = built.replace('<html ', `<html data-build="${build}" `)
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      const hashed = relative(root, path).startsWith('assets')
      response.header('cache-control', hashed ? FOR_EVER : 'no-cache')
      const workerPolicy = workerPolicies.find(([file]) => file.test(path))?.[1]
      if (workerPolicy) response.header('content-security-policy', workerPolicy)
    },
    globIgnore: ['index.html', offlinePage, manifestFile, '**/*.{br,gz}'],
  })

  const sendWithNonce = (reply: FastifyReply, html: string) => {
    const nonce = randomBytes(18).toString('base64')
    return reply
      .header('content-security-policy', policy(nonce, frameOrigins))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(noncePlaceholder, nonce))
  }
  // Missing in a test's folder of pages, and in a build before it existed.
  const offline = await readFile(join(root, offlinePage), 'utf8').catch(() => undefined)
  if (offline) {
    const offlineFor = keepLast((brand) => brandedOfflinePage(offline, brand))
    app.get(`/${offlinePage}`, async (_request, reply) => sendWithNonce(reply, offlineFor(await readBrand())))
  }
  // Missing in a test's folder of pages.
  const manifest = await readFile(join(root, manifestFile), 'utf8').catch(() => undefined)
  if (manifest) {
    const manifestFor = keepLast((brand) => brandedManifest(manifest, brand))
    app.get(`/${manifestFile}`, async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/manifest+json')
        .send(manifestFor(await readBrand())),
    )
  }
  const pageFor = keepLast((brand) => brandedPage(page, brand, noncePlaceholder))
  app.get('/*', async (request, reply) => {
    const [path = '/'] = request.url.split('?')
    const isApi = /^\/+api(\/|$)/i.test(path)
    // A missing file answers 404: no page's address ends in an extension or begins with a dot.
    const isFile = /^\/assets\/|\.[a-z\d]{1,6}$|\/\.[^/]*$|~$/i.test(path)
    if (isApi || isFile) return sendProblem(request, reply, new Problem('nao_encontrado'))
    // The address carries the token of an e-mail's link; the page's requests must not send it on.
    if (linkPages.has(path)) reply.header('referrer-policy', 'no-referrer')
    return sendWithNonce(reply, pageFor(await readBrand()))
  })
}

const policy = (nonce: string, frameOrigins: string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src ${frameOrigins.join(' ') || "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
