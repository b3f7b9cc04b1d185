import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'
import { manualPlugin } from './manual/manual-plugin.ts'
import { unusedPalettes } from './unused-palettes.ts'

/** Files that pdf.js requests by name: standard fonts, and image decoders without WebAssembly. */
const pdfParts = (): Plugin => ({
  name: 'pdf-parts',
  apply: 'build',
  generateBundle() {
    const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    for (const folder of ['standard_fonts', 'wasm']) {
      const from = join(dirname(manifest), folder)
      const wanted = readdirSync(from).filter((name) =>
        /\.(pfb|ttf)$|_nowasm_fallback\.js$|^LICENSE_(?!.*(QCMS|QUICKJS))/.test(name),
      )
      for (const name of wanted) {
        // The version in the address: what lies under assets is kept by browsers for ever.
        const fileName = `assets/pdf-${version}/${name}`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) })
      }
    }
  },
})

const unusedPalette = new RegExp(`^--mantine-color-(${unusedPalettes.join('|')})-`)

const withoutUnusedPalettes = {
  postcssPlugin: 'without-unused-palettes',
  Declaration: (declaration: { prop: string; remove: () => void }) => {
    if (unusedPalette.test(declaration.prop)) declaration.remove()
  },
}

const neededAfterSignIn = ['portal.tsx', 'layouts/signed-in-frame.tsx', 'home-route.tsx'].map((file) =>
  join(import.meta.dirname, 'src/app', file),
)

/**
 * Writes a template with links to the code of the first page after sign-in. The sign-in page
 * inserts them once it is shown (app/sign-in-or-portal.tsx): browsers fetch the code but do not run it,
 * so that it never delays typing.
 */
const fetchedWhileSigningIn = (): Plugin => ({
  name: 'fetched-while-signing-in',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const names = new Set(
        Object.values(bundle)
          .filter((file) => file.type === 'chunk' && neededAfterSignIn.includes(file.facadeModuleId ?? ''))
          .map(({ fileName }) => fileName),
      )
      if (names.size < neededAfterSignIn.length) this.error('a page after sign-in is not a file of its own')
      // A Set grows during iteration, so this visits all transitive imports.
      for (const name of names) {
        const file = bundle[name]
        if (file?.type !== 'chunk') continue
        for (const needed of file.imports) names.add(needed)
      }
      const links = [...names]
        .filter((name) => !html.includes(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        }))
      return [{ tag: 'template', attrs: { id: 'depois-da-entrada' }, children: links, injectTo: 'body' }]
    },
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pdfParts(), manualPlugin(), fetchedWhileSigningIn()],
  // The server writes a fresh nonce over every `__CSP_NONCE__` of index.html, at each request.
  html: { cspNonce: '__CSP_NONCE__' },
  css: { postcss: { plugins: [mantine(), withoutUnusedPalettes] } },
  build: {
    outDir: `${import.meta.dirname}/dist`,
    emptyOutDir: true,
    // The CSP allows neither data: styles nor data: scripts; small SVGs stay files too.
    assetsInlineLimit: 0,
    // Every browser that the pages support knows how to.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // All that the sign-in page needs.
            { name: 'sign-in', tags: ['$initial'] },
            // Browsers keep it when only the portal changes.
            { name: 'powerbi', test: 'node_modules/powerbi-client/' },
            // Few files load sooner than many small ones: each request costs a phone a millisecond.
            { name: 'shell', minShareCount: 8 },
            { name: 'icons', test: 'node_modules/@tabler/', minShareCount: 2 },
          ],
        },
      },
    },
  },
})
