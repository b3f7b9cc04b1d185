import { randomBytes } from 'node:crypto'
import { answerContained } from '@bi-manager/telemetry/answer-contained'
import { PDFDocument } from '@cantoo/pdf-lib'

/* A contained program that encrypts one PDF. */

await answerContained(async ({ bytes, password }: { bytes: Uint8Array; password: string }) => {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  // Nobody knows the owner's password: the person's own is the only one that opens the file.
  document.encrypt({
    algorithm: 'AES-256',
    userPassword: password,
    ownerPassword: randomBytes(32).toString('base64url'),
    permissions: { printing: 'highResolution', copying: true, contentAccessibility: true },
  })
  return document.save()
})
