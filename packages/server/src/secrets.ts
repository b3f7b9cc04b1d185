import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keys derived from the installation's one secret. */
export interface Secrets {
  /** Signs access tokens (HS256). */
  tokenKey: Buffer
  /** AES-256-GCM. The text names the key it was sealed with, so that keys can be rotated. */
  seal: (plain: string) => string
  /** @throws Error when the text was altered, or sealed with another key */
  open: (sealed: string) => string
  /** Keyed SHA-256 in base64url: for values that must be found again but never read (device marks, addresses). */
  digest: (value: string) => string
}

/** The secret from `APP_SECRET`, or from a file of mode 0600 in the data folder, made at the first start. */
export const loadSecrets = (appSecret: string | undefined, dataDir: string): Secrets => {
  const master = appSecret ?? secretFile(dataDir)
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'bi-manager', purpose, 32))
  const sealingKey = derive('seal')
  const digestKey = derive('digest')
  const keyId = createHash('sha256').update(sealingKey).digest('base64url').slice(0, 8)
  return {
    tokenKey: derive('token'),
    seal: (plain) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ['v1', keyId, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join(
        '.',
      )
    },
    open: (sealed) => {
      const [version, id, iv = '', tag = '', body = ''] = sealed.split('.')
      if (version !== 'v1' || id !== keyId) {
        throw new Error(
          'This secret was sealed with another key: check APP_SECRET or the key file in DATA_DIR.',
        )
      }
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, Buffer.from(iv, 'base64url'))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8')
    },
    digest: (value) => createHash('sha256').update(digestKey).update(value).digest('base64url'),
  }
}

const secretFile = (dataDir: string): string => {
  const path = join(dataDir, 'app-secret.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of two processes that start at once, one writes and both read.
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(path, 0o600)
  return readFileSync(path, 'utf8').trim()
}
