import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSecrets } from './secrets.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'bi-manager-secrets-'))
const secret = 'um segredo de teste com mais de 32 letras'

test('seals and opens, never the same text twice', () => {
  const { seal, open } = loadSecrets(secret, folder())
  const [a, b] = [seal('senha do Power BI – ç'), seal('senha do Power BI – ç')]
  expect(a).not.toBe(b)
  expect(a).not.toContain('senha')
  expect([open(a), open(b)]).toEqual(['senha do Power BI – ç', 'senha do Power BI – ç'])
})

test('refuses an altered text and another key', () => {
  const { seal, open } = loadSecrets(secret, folder())
  const sealed = seal('x'.repeat(40))
  const parts = sealed.split('.')
  for (const at of [2, 3, 4]) {
    const altered = parts.with(at, `A${(parts[at] ?? '').slice(1)}`)
    if (altered.join('.') !== sealed) expect(() => open(altered.join('.'))).toThrow()
  }
  expect(() => loadSecrets(`${secret}!`, folder()).open(sealed)).toThrow(/another key/)
  expect(() => open('')).toThrow()
})

test('keeps a secret of its own in a file only the owner reads, and finds it again', () => {
  const dir = folder()
  const sealed = loadSecrets(undefined, dir).seal('x')
  expect(loadSecrets(undefined, dir).open(sealed)).toBe('x')
  expect(statSync(join(dir, 'app-secret.key')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(dir, 'app-secret.key'), 'utf8').length).toBeGreaterThanOrEqual(64)
})
