import { parentPort, workerData } from 'node:worker_threads'
import type { PdfVerdict } from './judge-pdf.ts'
import { readPdf } from './read-pdf.ts'

const verdict = await readPdf(workerData).then(
  (): PdfVerdict => ({}),
  (error: Error): PdfVerdict => ({ refusal: error.message }),
)
parentPort?.postMessage(verdict)
