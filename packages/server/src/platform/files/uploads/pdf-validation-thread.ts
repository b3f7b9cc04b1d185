import { parentPort } from 'node:worker_threads'
import { LOADED } from '../../lib/contained-process.ts'
import { readPdf } from './read-pdf.ts'
import type { PdfVerdict } from './validate-pdf.ts'

parentPort?.once('message', async (bytes: Uint8Array) => {
  const verdict = await readPdf(bytes).then(
    (decrypted): PdfVerdict => (decrypted ? { decrypted } : {}),
    (error: Error): PdfVerdict => ({ refusal: error.message }),
  )
  parentPort?.postMessage(verdict)
})
parentPort?.postMessage(LOADED)
