import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { createServer, type Plugin, type ViteDevServer } from 'vite'

const root = join(import.meta.dirname, '../..')

interface Site {
  /** The port that a browser opens. */
  port: number
  /** Address of the process that answers the calls. */
  server: string
  /** Resolves once that process can answer, or after a while. */
  ready: () => Promise<unknown>
}

/** Modules of the embed page; all other addresses of its site are the report service's. */
const embedBase = '/embed-page/'

/**
 * Starts a Vite server for the web app and one for the embed page.
 * @param allowedParents origins that may embed reports
 */
export async function startPages(portal: Site, reports: Site, allowedParents: string) {
  // The exact addresses that the build makes: the PDF viewer's fonts and decoders.
  const web = await serve('web', portal, '^/(api/|mcp$|healthz|readyz|assets/pdf-)')
  const reload = () => web.ws.send({ type: 'full-reload' })
  await serve('reports', reports, `^/(?!${embedBase.slice(1)}|reportEmbed)`, {
    base: embedBase,
    plugins: [embedPage(allowedParents, reload)],
  })
  return {
    /** Reloads the portal's page, which then opens its report again. */
    reload,
    /** Calls back with the path of each changed file of the folders. */
    watch: (folders: string[], onChange: (path: string) => void) => {
      web.watcher.add(folders)
      web.watcher.on('all', (_event, path) => {
        if (folders.some((folder) => path.startsWith(folder + sep))) onChange(path)
      })
    },
  }
}

async function serve(
  name: 'web' | 'reports',
  { port, server, ready }: Site,
  calls: string,
  { base = '/', plugins = [] as Plugin[] } = {},
): Promise<ViteDevServer> {
  const vite = await createServer({
    configFile: join(root, 'packages', name, 'vite.config.ts'),
    configLoader: 'native',
    cacheDir: join(root, 'node_modules/.vite', name),
    base,
    clearScreen: false,
    plugins: [waitForServer(new RegExp(calls), ready), ...plugins],
    server: { port, strictPort: true, proxy: { [calls]: server }, forwardConsole: true },
  })
  return vite.listen()
}

/** Holds calls during a restart, so that the page shows no error. */
const waitForServer = (calls: RegExp, ready: () => Promise<unknown>): Plugin => ({
  name: 'wait-for-server',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (calls.test(request.url ?? '')) void ready().then(() => next(), next)
      else next()
    })
  },
})

/** Serves the embed page. It cannot reload alone: its settings come from the portal. */
const embedPage = (allowedParents: string, reload: () => void): Plugin => ({
  name: 'embed-page',
  configureServer({ middlewares, config, transformIndexHtml }) {
    middlewares.use('/reportEmbed', async (_request, response, next) => {
      try {
        const page = await readFile(join(config.root, 'index.html'), 'utf8')
        const html = page.replaceAll('__ALLOWED_PARENTS__', allowedParents)
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await transformIndexHtml('/index.html', html))
      } catch (error) {
        next(error)
      }
    })
  },
  hotUpdate({ modules, file }) {
    if (modules.length === 0 && !file.endsWith('.html')) return
    reload()
    return []
  },
})
