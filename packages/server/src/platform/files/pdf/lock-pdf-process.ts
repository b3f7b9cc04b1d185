import { randomBytes } from 'node:crypto'
import { PDFDocument } from '@cantoo/pdf-lib'
import { LOADED } from '../../lib/contained-process.ts'
import type { LockAnswer } from './lock-pdf.ts'

/* A contained process that encrypts one PDF. */

const say = (answer: LockAnswer) => process.send?.(answer, () => process.exit(0))

process.once('message', ({ bytes, password }: { bytes: Uint8Array; password: string }) => {
  lock(bytes, password).then(
    (locked) => say({ locked }),
    (error: unknown) => say({ failure: String(error).slice(0, 10_000) }),
  )
})
// The portal has ended.
process.once('disconnect', () => process.exit(0))
process.send?.(LOADED)

const lock = async (bytes: Uint8Array, password: string): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  // Nobody knows the owner's password: the person's own is the only one that opens the file.
  document.encrypt({
    algorithm: 'AES-256',
    userPassword: password,
    ownerPassword: randomBytes(32).toString('base64url'),
    permissions: { printing: 'highResolution', copying: true, contentAccessibility: true },
  })
  return new Uint8Array(await document.save())
}
