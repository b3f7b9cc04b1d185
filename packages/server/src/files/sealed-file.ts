import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/* AES-256-GCM under a key of the file's own: 12 bytes of nonce, 16 of tag, then the text. */

const NONCE = 12
const TAG = 16

/** @returns the file as a store may have it, and the key that opens it, in base64 */
export const sealFile = (plain: Buffer): { sealed: Buffer; key: string } => {
  const key = randomBytes(32)
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]), key: key.toString('base64') }
}

/** @throws Error when the file was altered or cut, or the key is another file's */
export const openFile = (sealed: Buffer, key: string): Buffer => {
  const nonce = sealed.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
}
