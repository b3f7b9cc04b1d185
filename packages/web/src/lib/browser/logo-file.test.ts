import { expect, test } from 'vitest'
import { base64Of, fitted, LogoFileError, scaleLogo } from './logo-file.ts'

test.each([
  [
    { width: 4000, height: 1000 },
    { width: 256, height: 64 },
  ],
  [
    { width: 100, height: 900 },
    { width: 28, height: 256 },
  ],
  [
    { width: 10_000, height: 1 },
    { width: 256, height: 1 },
  ],
  [
    { width: 40, height: 20 },
    { width: 40, height: 20 },
  ],
])('fitted scales %o to %o', (size, expected) => {
  expect(fitted(size, 256)).toEqual(expected)
})

test('scaleLogo refuses other file types with a sentence, before reading the file', async () => {
  const refused = scaleLogo(new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }))
  await expect(refused).rejects.toThrow(LogoFileError)
  await expect(refused).rejects.toThrow('Envie uma imagem PNG, JPEG ou WebP.')
})

test('base64Of returns base64 without the data: prefix', async () => {
  expect(await base64Of(new Blob([new Uint8Array([0, 255, 16])], { type: 'image/png' }))).toBe('AP8Q')
})
