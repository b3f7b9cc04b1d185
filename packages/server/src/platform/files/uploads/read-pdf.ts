import { refuseActiveContent } from './active-content.ts'
import { decryptPdf, readAsViewer } from './read-as-viewer.ts'
import { AGAIN, BROKEN, RefusedPdf } from './refused-pdf.ts'

/**
 * Checks a PDF in this thread, which must be one that may use up all its time and memory.
 * @returns for an encrypted PDF that opens without a password: a decrypted copy, not checked yet
 * @throws RefusedPdf with the sentence for the user
 */
export const readPdf = async (upload: Uint8Array): Promise<Uint8Array | undefined> => {
  const bytes = Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength)
  try {
    refuseForeignBytes(bytes)
    if (await readAsViewer(bytes)) return await decryptPdf(bytes)
    refuseActiveContent(bytes)
    return undefined
  } catch (cause) {
    if (cause instanceof RefusedPdf) throw cause
    throw new RefusedPdf(BROKEN, { cause })
  }
}

const refuseForeignBytes = (bytes: Buffer): void => {
  if (!/^%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 8))) {
    throw new RefusedPdf(`O arquivo traz outros dados antes do PDF. ${AGAIN}`)
  }
  const end = bytes.lastIndexOf('%%EOF')
  if (end < 0) throw new RefusedPdf(BROKEN)
  if (!/^[\s\0]*$/.test(bytes.toString('latin1', end + 5))) {
    throw new RefusedPdf(`O arquivo traz outros dados depois do PDF. ${AGAIN}`)
  }
}
