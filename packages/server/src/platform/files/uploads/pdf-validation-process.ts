import { answerContained } from '@bi-manager/telemetry/answer-contained'
import { readPdf } from './read-pdf.ts'
import type { PdfVerdict } from './validate-pdf.ts'

/* A contained program that checks one PDF. */

await answerContained((bytes: Uint8Array) =>
  readPdf(bytes).then(
    (decrypted): PdfVerdict => (decrypted ? { decrypted } : {}),
    (error: Error): PdfVerdict => ({ refusal: error.message }),
  ),
)
