import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/* AES-256-GCM under a key of the file's own: 12 bytes of nonce, 16 of tag, then the text. */

const NONCE = 12
const TAG = 16

/**
 * @param place whose file it is: it opens as nobody else's
 * @returns the file as a store may have it, and the key that opens it, in base64
 */
export const sealFile = (plain: Buffer, place: string): { sealed: Buffer; key: string } => {
  const key = randomBytes(32)
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]), key: key.toString('base64') }
}

/** @throws Error when the file was altered or cut, or is, or the key is, another one's */
export const openFile = (sealed: Buffer, key: string, place: string): Buffer => {
  const nonce = sealed.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, { authTagLength: TAG })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
}
