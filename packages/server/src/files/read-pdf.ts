import { refuseActiveContent } from './active-content.ts'
import { readAsViewer } from './read-as-viewer.ts'
import { BROKEN, RefusedPdf } from './refused-pdf.ts'

/**
 * Judges a PDF in this very thread: to be called where it may take all the time and memory that there is.
 * @throws RefusedPdf with a sentence that says why it is not taken
 */
export const readPdf = async (bytes: Uint8Array): Promise<void> => {
  try {
    await refuseActiveContent(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    await readAsViewer(bytes)
  } catch (cause) {
    if (cause instanceof RefusedPdf) throw cause
    throw new RefusedPdf(BROKEN, { cause })
  }
}
