import type { Plugin } from 'vite'
import { isManualFile } from './manual-files.ts'
import { readPage } from './read-page.ts'

/** Turns the Markdown of the manual into modules of HTML, so that browsers need no parser. */
export const manualPlugin = (): Plugin => ({
  name: 'manual',
  enforce: 'pre',
  transform(code, id) {
    if (!isManualFile(id)) return undefined
    const { title, headings, html, pictures } = readPage(code, id)
    const imports = pictures.map((path, index) => `import p${index} from ${JSON.stringify(`./${path}`)}`)
    const text = JSON.stringify(html).replace(/%PICTURE_(\d+)%/g, '" + p$1 + "')
    const page = `{ title: ${JSON.stringify(title)}, headings: ${JSON.stringify(headings)}, html: ${text} }`
    return { code: `${imports.join('\n')}\nexport default ${page}\n`, map: null }
  },
})
