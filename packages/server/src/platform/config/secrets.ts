import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { ConfigError } from './config.ts'
import { keyFileOf, linesOf, readKeyFile } from './key-file.ts'

/** A text made by `encrypt`. encrypted-columns.ts must list the columns of this type. */
export type Encrypted = string & { readonly encrypted: unique symbol }

/** Keys derived from the installation's secrets: the current one and earlier ones. */
export type Secrets = ReturnType<typeof secretsOf>

/**
 * Derives the keys from the given secrets (`APP_SECRET`, then `APP_SECRET_PREVIOUS`: newest first),
 * or from a file of mode 0600 in the data folder, created at the first start.
 * @throws ConfigError when the file has no secret
 */
export const loadSecrets = (given: string | readonly string[] | undefined, dataDir: string): Secrets => {
  if (given !== undefined) return secretsOf([given].flat())
  return secretsFromFile(keyFileOf(dataDir), readKeyFile(dataDir))
}

/**
 * Derives the keys from an existing key file.
 * @throws ConfigError when it has no secret
 */
export const secretsFromFile = (file: string, ring = linesOf(file)): Secrets => {
  if (ring.length > 0 && ring.every((secret) => secret.length >= 32)) return secretsOf(ring)
  throw new ConfigError(`O arquivo de chaves ${file} está vazio ou cortado: restaure a cópia dele.`)
}

/** @param ring newest first */
export const secretsOf = (ring: readonly string[]) => {
  const keys = [...new Set(ring)].map(keysOf)
  const [current, oldest] = [keys[0], keys.at(-1)]
  if (!current || !oldest) throw new Error('There is no secret to derive keys from.')
  const earlier = keys.slice(1)
  return {
    /** Keys of access tokens (HS256). The first one signs; the others verify earlier sessions. */
    tokenKeys: [current.token, ...earlier.map(({ token }) => token)] as const,
    /** Ids of the keys that `decrypt` knows; the first one encrypts. */
    encryptionKeyIds: [current.sealing.id, ...earlier.map(({ sealing }) => sealing.id)] as const,
    /**
     * Encrypts with AES-256-GCM and the current key. The text contains the key's id, so that keys
     * can be rotated.
     * @param context the encryption context (encryption-contexts.ts), required again to decrypt it
     */
    encrypt: (plain: string, context?: string): Encrypted => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.sealing.key, iv)
      if (context !== undefined) cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))
      return ['v1', current.sealing.id, ...parts].join('.') as Encrypted
    },
    /** @throws Error when the text was altered, has another context, or its key is unknown */
    decrypt: (encrypted: Encrypted, context?: string): string => {
      const [version, id, iv = '', tag = '', body = ''] = encrypted.split('.')
      const key = keys.find(({ sealing }) => sealing.id === id)?.sealing.key
      if (version !== 'v1' || !key) {
        throw new Error(
          'This secret was encrypted with another key: after a key rotation, restart first; else check APP_SECRET, APP_SECRET_PREVIOUS or the key file in DATA_DIR.',
        )
      }
      // Accepting shorter tags would make forgery easier.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
      if (context !== undefined) decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8')
    },
    /** Signs a text (HMAC-SHA-256, base64url). Returns the signature and the id of its key. */
    sign: (text: string) => ({ chave: current.audit.id, marca: signature(current.audit.key, text) }),
    /** Returns the signature with that key; undefined when the installation does not have it. */
    signatureBy: (chave: string, text: string) => {
      const key = keys.find(({ audit }) => audit.id === chave)?.audit.key
      return key && signature(key, text)
    },
    /** Signs a command of the operator for the running portal. */
    markCommand: (text: string) => signature(current.commandKey, text),
    /**
     * HMAC-SHA-256 in base64url, for values that must be found but never read (devices, addresses).
     * Its key comes from the oldest secret, so rotations do not change it (docs/decisions/0017).
     */
    digest: (value: string) => signature(oldest.digestKey, value),
    /**
     * SHA-256 of key and value, for rows older than the HMAC (docs/decisions/0033). Never stored.
     */
    earlierDigest: (value: string) =>
      createHash('sha256').update(oldest.earlierDigestKey).update(value).digest('base64url'),
  }
}

const keysOf = (secret: string) => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'bi-manager', purpose, 32))
  const named = (key: Buffer) => ({
    key,
    id: createHash('sha256').update(key).digest('base64url').slice(0, 8),
  })
  const token = named(derive('token'))
  return {
    // The id is the `kid` in a token's header; the key is text, because the verifier caches by it.
    token: { id: token.id, key: token.key.toString('base64url') },
    sealing: named(derive('seal')),
    audit: { ...named(derive('audit')), key: createSecretKey(derive('audit')) },
    commandKey: createSecretKey(derive('command')),
    // A separate key: the earlier digests used the other one in another way.
    digestKey: createSecretKey(derive('digest-hmac')),
    earlierDigestKey: derive('digest'),
  }
}

// A KeyObject: with bytes, each HMAC would prepare the key again, which costs six times the HMAC.
const signature = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')
