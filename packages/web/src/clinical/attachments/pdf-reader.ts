// The legacy build, because the modern one needs browser functions that reached phones in 2026.
import { GlobalWorkerOptions, getDocument, VerbosityLevel, version } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import type { Size } from './zoom.ts'

GlobalWorkerOptions.workerSrc = workerUrl

/** Image decoders and standard fonts, placed here by vite.config.ts. */
const PARTS = `/assets/pdf-${version}/`

/**
 * Opens a PDF with pdf.js.
 * @throws the error of pdf.js when it cannot read the file
 */
export const openPdf = async (content: Blob) => {
  const task = getDocument({
    data: new Uint8Array(await content.arrayBuffer()),
    // The CSP lets the worker neither fetch nor compile WebAssembly: the page fetches the fonts,
    // and the decoders are plain scripts.
    useWorkerFetch: false,
    useWasm: false,
    wasmUrl: PARTS,
    standardFontDataUrl: PARTS,
    // Same glyphs on every machine.
    useSystemFonts: false,
    maxImageSize: IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
  })
  const file = await task.promise.catch(async (fault: unknown) => {
    // Otherwise its worker would never end.
    await task.destroy()
    throw fault
  })
  return {
    pages: file.numPages,
    /** Returns a page's size in CSS pixels at scale 1. */
    sizeOf: async (page: number): Promise<Size> => {
      const { width, height } = (await file.getPage(page)).getViewport({ scale: 1 })
      return { width, height }
    },
    /**
     * Draws a page at `scale`, at the resolution of the screen.
     * @throws the errors of pdf.js; AbortError when `signal` is aborted
     */
    draw: async (number: number, scale: number, signal: AbortSignal) => {
      const page = await file.getPage(number)
      signal.throwIfAborted()
      const size = page.getViewport({ scale })
      const density = Math.min(
        window.devicePixelRatio || 1,
        Math.sqrt(CANVAS_PIXELS / (size.width * size.height)),
      )
      const viewport = page.getViewport({ scale: scale * density })
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(viewport.width))
      canvas.height = Math.max(1, Math.round(viewport.height))
      const drawing = page.render({ canvas, viewport })
      const cancel = () => drawing.cancel()
      signal.addEventListener('abort', cancel, { once: true })
      await drawing.promise.finally(() => signal.removeEventListener('abort', cancel))
      signal.throwIfAborted()
      return canvas
    },
    close: () => void task.destroy(),
  }
}

export type PdfFile = Awaited<ReturnType<typeof openPdf>>

/** The largest canvas of phones; larger pages are drawn slightly less sharp. */
const CANVAS_PIXELS = 16_000_000
/** Larger images in a page stay blank: decoding one would take half a gigabyte. */
const IMAGE_PIXELS = 100_000_000
