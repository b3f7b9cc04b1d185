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
import { keyFileOf, linesOf, readKeyFile } from './keys/key-file.ts'

/** A text of `seal`. Columns that hold one are of this type, so that the list of them (sealed-columns.ts) is complete. */
export type Sealed = string & { readonly sealed: unique symbol }

export interface TokenKey {
  /** Stands in a token's header as `kid`. */
  id: string
  key: string
}

/** Keys derived from the installation's secrets: the current one, and those before it, which open what they once made. */
export interface Secrets {
  /** For access tokens (HS256). The first one signs; the others let sessions live that were opened before a rotation. */
  tokenKeys: readonly [TokenKey, ...TokenKey[]]
  /** Ids of the keys that `open` knows; the first one seals. */
  sealingKeyIds: readonly [string, ...string[]]
  /**
   * AES-256-GCM with the current key. The text names the key it was sealed with, so that keys can be rotated.
   * @param place where it belongs (clinical/places.ts): it opens nowhere else
   */
  seal: (plain: string, place?: string) => Sealed
  /** @throws Error when the text was altered, belongs elsewhere, or was sealed with a key that is not known */
  open: (sealed: Sealed, place?: string) => string
  /**
   * HMAC-SHA-256 in base64url: for values that must be found again but never read (device marks, addresses). Its key
   * comes from the oldest secret and outlives rotations (docs/decisions/0017).
   */
  digest: (value: string) => string
  /** SHA-256 of key and value: finds rows that versions before the HMAC wrote (docs/decisions/0033). Never stored. */
  earlierDigest: (value: string) => string
  /** A keyed digest (HMAC-SHA-256, base64url) that shows who wrote a text, and the id of the key it was made with. */
  sign: (text: string) => { chave: string; marca: string }
  /** The digest under the key of that id; undefined when the installation does not have it. */
  signatureBy: (chave: string, text: string) => string | undefined
  /** A keyed digest by which the running portal knows a command of its own operator. */
  markCommand: (text: string) => string
}

/**
 * The secrets given (`APP_SECRET`, then `APP_SECRET_PREVIOUS`: newest first), or those of a file of mode 0600 in the data
 * folder, made at the first start.
 * @throws ConfigError when the file holds none
 */
export const loadSecrets = (given: string | readonly string[] | undefined, dataDir: string): Secrets => {
  if (given !== undefined) return secretsOf([given].flat())
  return secretsIn(keyFileOf(dataDir), readKeyFile(dataDir))
}

/**
 * The secrets of a key file that is there, wherever it lies; it is only read.
 * @throws ConfigError when it holds none
 */
export const secretsIn = (file: string, ring = linesOf(file)): Secrets => {
  if (ring.length > 0 && ring.every((secret) => secret.length >= 32)) return secretsOf(ring)
  throw new ConfigError(`O arquivo de chaves ${file} está vazio ou cortado: restaure a cópia dele.`)
}

/** @param ring newest first */
export const secretsOf = (ring: readonly string[]): Secrets => {
  const keys = [...new Set(ring)].map(keysOf)
  const [current, oldest] = [keys[0], keys.at(-1)]
  if (!current || !oldest) throw new Error('There is no secret to derive keys from.')
  const earlier = keys.slice(1)
  return {
    tokenKeys: [current.token, ...earlier.map(({ token }) => token)],
    sealingKeyIds: [current.sealing.id, ...earlier.map(({ sealing }) => sealing.id)],
    seal: (plain, place) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.sealing.key, iv)
      if (place !== undefined) cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))
      return ['v1', current.sealing.id, ...parts].join('.') as Sealed
    },
    open: (sealed, place) => {
      const [version, id, iv = '', tag = '', body = ''] = sealed.split('.')
      const key = keys.find(({ sealing }) => sealing.id === id)?.sealing.key
      if (version !== 'v1' || !key) {
        throw new Error(
          'This secret was sealed with another key: check APP_SECRET, APP_SECRET_PREVIOUS or the key file in DATA_DIR.',
        )
      }
      // The length of the tag is part of the promise: a shorter one would be easier to forge.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
      if (place !== undefined) decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8')
    },
    sign: (text) => ({ chave: current.audit.id, marca: signature(current.audit.key, text) }),
    signatureBy: (chave, text) => {
      const key = keys.find(({ audit }) => audit.id === chave)?.audit.key
      return key && signature(key, text)
    },
    markCommand: (text) => signature(current.commandKey, text),
    digest: (value) => signature(oldest.digestKey, value),
    earlierDigest: (value) =>
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
    // As text: the verifier of tokens is kept by it.
    token: { id: token.id, key: token.key.toString('base64url') },
    sealing: named(derive('seal')),
    audit: { ...named(derive('audit')), key: createSecretKey(derive('audit')) },
    commandKey: createSecretKey(derive('command')),
    // A key of its own: the earlier digests were made with the other, in another way.
    digestKey: createSecretKey(derive('digest-hmac')),
    earlierDigestKey: derive('digest'),
  }
}

// A key made ready once: of bytes, each mark would make it anew, which costs six times the mark.
const signature = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')
