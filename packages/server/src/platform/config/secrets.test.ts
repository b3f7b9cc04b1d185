import { createHmac, hkdfSync } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Encrypted, loadSecrets, secretsOf } from './secrets.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'bi-manager-secrets-'))
const secret = 'um segredo de teste com mais de 32 letras'
const newer = 'outro segredo de teste, o que veio depois'

test('the ring of keys encrypts and decrypts a text, with a different result each time', () => {
  const { encrypt, decrypt } = loadSecrets(secret, folder())
  const [a, b] = [encrypt('senha do Power BI – ç'), encrypt('senha do Power BI – ç')]
  expect(a).not.toBe(b)
  expect(a).not.toContain('senha')
  expect([decrypt(a), decrypt(b)]).toEqual(['senha do Power BI – ç', 'senha do Power BI – ç'])
})

test('the ring of keys refuses an altered text, a shortened tag and another key', () => {
  const { encrypt, decrypt } = loadSecrets(secret, folder())
  const encrypted = encrypt('x'.repeat(40))
  const parts = encrypted.split('.')
  for (const at of [2, 3, 4]) {
    const altered = parts.with(at, `A${(parts[at] ?? '').slice(1)}`)
    if (altered.join('.') !== encrypted) expect(() => decrypt(altered.join('.') as Encrypted)).toThrow()
  }
  const tag = Buffer.from(parts[3] ?? '', 'base64url')
  const short = parts.with(3, tag.subarray(0, 4).toString('base64url')).join('.')
  expect(() => decrypt(short as Encrypted)).toThrow()
  expect(() => loadSecrets(`${secret}!`, folder()).decrypt(encrypted)).toThrow(/another key/)
  expect(() => decrypt('' as Encrypted)).toThrow()
})

test('the ring of keys stores a generated secret in a file readable by its owner only, and uses it again', () => {
  const dir = folder()
  const encrypted = loadSecrets(undefined, dir).encrypt('x')
  expect(loadSecrets(undefined, dir).decrypt(encrypted)).toBe('x')
  expect(statSync(join(dir, 'app-secret.key')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(dir, 'app-secret.key'), 'utf8').length).toBeGreaterThanOrEqual(64)
})

test('a ring seals and signs with the current key, and still accepts earlier ones', () => {
  const before = secretsOf([secret])
  const after = secretsOf([newer, secret])
  const encrypted = before.encrypt('x')
  expect(after.decrypt(encrypted)).toBe('x')
  expect(() => before.decrypt(after.encrypt('x'))).toThrow(/another key/)
  expect(after.encryptionKeyIds).toEqual([expect.any(String), ...before.encryptionKeyIds])
  expect(after.tokenKeys.map(({ id }) => id)).toEqual([expect.any(String), before.tokenKeys[0].id])

  const { chave, marca } = before.sign('linha')
  expect(after.signatureBy(chave, 'linha')).toBe(marca)
  expect(after.sign('linha').chave).not.toBe(chave)
  expect(before.signatureBy(after.sign('linha').chave, 'linha')).toBeUndefined()
  expect(after.signatureBy(after.sign('linha').chave, 'linha')).toBe(after.sign('linha').marca)
})

test('a digest stays the same through rotations', () => {
  const third = 'a terceira chave, mais nova que as outras'
  const marks = [[secret], [newer, secret], [third, newer, secret]].map((ring) =>
    secretsOf(ring).digest('dispositivo:x'),
  )
  expect(new Set(marks).size).toBe(1)
})

test('a digest is an HMAC under a separate key', () => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'bi-manager', 'digest-hmac', 32))
  const expected = createHmac('sha256', key).update('dispositivo:x').digest('base64url')
  expect(secretsOf([secret]).digest('dispositivo:x')).toBe(expected)
})

test('a file of several lines is a ring, newest first', () => {
  const dir = folder()
  writeFileSync(join(dir, 'app-secret.key'), `${newer}\n${secret}\n`)
  const { decrypt, encryptionKeyIds } = loadSecrets(undefined, dir)
  expect(encryptionKeyIds).toEqual(secretsOf([newer, secret]).encryptionKeyIds)
  expect(decrypt(secretsOf([secret]).encrypt('x'))).toBe('x')
})

test.each(['\n', 'cortado'])('a key file without a key (%j) is refused with one sentence', (text) => {
  const dir = folder()
  writeFileSync(join(dir, 'app-secret.key'), text)
  expect(() => loadSecrets(undefined, dir)).toThrow(/O arquivo de chaves .* está vazio ou cortado/)
})
