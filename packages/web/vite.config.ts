import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server writes a fresh nonce over every `__CSP_NONCE__` of index.html, at each request.
  html: { cspNonce: '__CSP_NONCE__' },
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: `${import.meta.dirname}/dist`,
    emptyOutDir: true,
    // The CSP allows neither data: styles nor data: scripts; small SVGs stay files too.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': 'http://localhost:3000' } },
})
