// The build for browsers of some years: the other one needs functions that came to phones in 2026.
import { GlobalWorkerOptions, getDocument, VerbosityLevel, version } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import type { Size } from './zoom.ts'

GlobalWorkerOptions.workerSrc = workerUrl

/** Decoders of scanned pages and the standard fonts, as vite.config.ts puts them. */
const PARTS = `/assets/pdf-${version}/`

export interface PdfFile {
  pages: number
  /** Of a page in CSS pixels at its own size. */
  sizeOf: (page: number) => Promise<Size>
  /**
   * Draws a page `scale` times its size, sharp on dense screens.
   * @throws what pdf.js throws, and AbortError when `signal` says so
   */
  draw: (page: number, scale: number, signal: AbortSignal) => Promise<HTMLCanvasElement>
  close: () => void
}

/** @throws what pdf.js throws of a file that it cannot read */
export const openPdf = async (content: Blob): Promise<PdfFile> => {
  const task = getDocument({
    data: new Uint8Array(await content.arrayBuffer()),
    // The worker may fetch nothing and compile nothing: fonts come through the page, decoders as plain scripts.
    useWorkerFetch: false,
    useWasm: false,
    wasmUrl: PARTS,
    standardFontDataUrl: PARTS,
    // The same letters on every machine.
    useSystemFonts: false,
    maxImageSize: IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
  })
  const file = await task.promise.catch(async (fault: unknown) => {
    // Its worker would stay for good.
    await task.destroy()
    throw fault
  })
  return {
    pages: file.numPages,
    sizeOf: async (page) => {
      const { width, height } = (await file.getPage(page)).getViewport({ scale: 1 })
      return { width, height }
    },
    draw: async (number, scale, signal) => {
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

/** Phones draw no larger canvas than some 16 million pixels; beyond that a page is a little less sharp. */
const CANVAS_PIXELS = 16_000_000
/** A larger picture in a page stays white: it would take half a gigabyte to decode. */
const IMAGE_PIXELS = 100_000_000
