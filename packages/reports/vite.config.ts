import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the embed page: dist/embed/index.html and its assets, served at /embed-assets/. */
export default defineConfig({
  root: here('./src/embed-page'),
  publicDir: false,
  build: {
    outDir: here('./dist/embed'),
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // The Content-Security-Policy allows files only: nothing is inlined, nothing is polyfilled.
    assetsInlineLimit: 0,
    // Chunks of the entry are fetched together with it.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  experimental: {
    renderBuiltUrl: (file) => `/embed-assets/${file.replace(/^assets\//, '')}`,
  },
})
