import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Bytes. A shorter tag is easier to forge, so it is refused. */
const TAG = { authTagLength: 16 }

/** Encrypts texts with a key that is derived for one purpose. `decrypt` throws on any changed text. */
export const createTextCipher = (signingKey: string, purpose: string) => {
  const key = Buffer.from(hkdfSync('sha256', signingKey, '', purpose, 32))
  return {
    encrypt(text: string): string {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, TAG)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(encrypted: string): string {
      const bytes = Buffer.from(encrypted, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG)
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
