/*
 * Shows a page of the portal when a navigation finds no network. That page is all it keeps: no
 * answer of the API, no report and no file ever passes through it (lib/browser/offline-page.ts).
 */
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith(
    fetch(event.request).catch(async (error) => {
      const page = await caches.match('/sem-conexao.html')
      if (page) return page
      throw error
    }),
  )
})
