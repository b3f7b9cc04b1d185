import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/* AES-256-GCM with a data key per file: 12 bytes of nonce, 16 of tag, then the ciphertext. */

const NONCE = 12
const TAG = 16

/**
 * Encrypts a file with a new data key.
 * @param place the encryption context; the file is decrypted with the same one only
 * @returns the encrypted bytes, and the key in base64
 */
export const encryptFile = (plain: Buffer, place: string): { encrypted: Buffer; key: string } => {
  const key = randomBytes(32)
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return { encrypted: Buffer.concat([nonce, cipher.getAuthTag(), body]), key: key.toString('base64') }
}

/** @throws Error when the file was altered or cut, or when key or context are of another file */
export const decryptFile = (encrypted: Buffer, key: string, place: string): Buffer => {
  const nonce = encrypted.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, { authTagLength: TAG })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(encrypted.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE + TAG)), decipher.final()])
}
