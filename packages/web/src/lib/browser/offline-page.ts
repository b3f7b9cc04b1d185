/** The only content of the only cache. The server writes the company's name into it. */
const PAGE = '/sem-conexao.html'
const CACHE = 'bi-manager.sem-conexao'

/**
 * Registers the service worker of the built pages, and keeps the page that it shows without a
 * network. Errors are ignored: the portal works without it, as in a private window.
 */
export const keepOfflinePage = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/sw.js')
    // At each start, because name and colour may have changed.
    await (await caches.open(CACHE)).add(PAGE)
  } catch {}
}
