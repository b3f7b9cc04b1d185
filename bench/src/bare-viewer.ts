import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

/** Serves a minimal page that embeds a report, with the powerbi-client of the portal. */
export const bareViewer = () => {
  const client = createRequire(import.meta.resolve('@bi-manager/web/package.json')).resolve(
    'powerbi-client/dist/powerbi.min.js',
  )
  return createServer((request, answer) => {
    if (request.url === '/powerbi.js') {
      answer.writeHead(200, {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      createReadStream(client).pipe(answer)
      return
    }
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    answer.end(page)
  })
}

/**
 * The page defines `embed`, which the benchmark calls with a report and its token. powerbi-client
 * only creates iframes of Microsoft's hosts, so the page creates the iframe, as the portal does,
 * and uses the portal's settings.
 */
const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Página mínima</title>
<link rel="icon" href="data:,"><style>body{margin:0}#report{height:100vh}</style>
<script src="/powerbi.js"></script>
<div id="report"></div>
<script>
  const { Report, factories, models, service } = window['powerbi-client']
  const bi = new service.Service(factories.hpmFactory, factories.wpmpFactory, factories.routerFactory)
  function embed({ id, embedUrl, accessToken }) {
    const host = document.getElementById('report')
    const iframe = document.createElement('iframe')
    Object.assign(iframe.style, { width: '100%', height: '100%', border: '0' })
    const config = {
      type: 'report', id, embedUrl, accessToken, uniqueId: 'minima',
      tokenType: models.TokenType.Embed, permissions: models.Permissions.Read, viewMode: models.ViewMode.View,
      settings: {
        panes: { filters: { visible: false, expanded: false }, pageNavigation: { visible: true } },
        layoutType: models.LayoutType.Master,
        persistentFiltersEnabled: false,
        localeSettings: { language: 'pt-BR', formatLocale: 'pt-BR' },
      },
    }
    const report = new Report(bi, host, config, false, false, iframe)
    iframe.src = embedUrl + '&uid=minima'
    host.replaceChildren(iframe)
    host.powerBiEmbed = report
    bi.addOrOverwriteEmbed(report, host)
  }
</script>`
