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

/**
 * The libraries of the sign-in page. One file of them compresses better than the dozen chunks that
 * the bundler would make.
 */
const entranceParts = new RegExp(
  `node_modules/(${[
    '(react|react-dom|scheduler|clsx|get-nonce)/',
    '@mantine/core/esm/core/(?!utils/(close|create-|find-|get-default-z|get-context|get-ref|get-single)|DirectionProvider|.*/use-mantine-color-scheme.mjs)',
    '@mantine/core/esm/components/(ActionIcon|Anchor|Button|CloseButton|Input|InputBase|Loader|PasswordInput|Text|TextInput|Transition|UnstyledButton)/',
    '@tabler/icons-react/dist/esm/(createReactComponent|defaultAttributes)',
    '@mantine/hooks/esm/(use-did-update|use-id|use-isomorphic-effect|use-media-query|use-merged-ref|use-reduced-motion|use-uncontrolled|utils/(?!shallow|use-callback|clamp|upper))',
  ].join('|')})`,
)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pdfParts(), manualPlugin()],
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
            { name: 'entrance', test: entranceParts },
            // Browsers keep it when only the portal changes.
            { name: 'powerbi', test: 'node_modules/powerbi-client/' },
          ],
        },
      },
    },
  },
})
