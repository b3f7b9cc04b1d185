import { ATTACHMENT_BYTES } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { downloadName, fileFault, fileText, keptFileText, sizeText, typeOfFile } from './attachment-file.ts'

const file = (name: string, type: string, size = 2_000) => ({ name, type, size })

test.each([
  ['exame.png', 'image/png', 'IMG'],
  ['exame.jpg', 'image/jpeg', 'IMG'],
  ['exame.webp', 'image/webp', 'IMG'],
  ['laudo.pdf', 'application/pdf', 'PDF'],
  // Some systems know no type.
  ['LAUDO.PDF', '', 'PDF'],
  ['foto.JPEG', '', 'IMG'],
])('%s (%s) is sent as %s', (name, type, expected) => {
  expect(typeOfFile(file(name, type))).toBe(expected)
  expect(fileFault(file(name, type))).toBeUndefined()
})

test.each([
  ['desenho.svg', 'image/svg+xml'],
  ['pagina.html', 'text/html'],
  ['foto.heic', 'image/heic'],
  ['sem-nome', ''],
])('%s is not sent', (name, type) => {
  expect(typeOfFile(file(name, type))).toBeUndefined()
  expect(fileFault(file(name, type))).toBe('Envie uma imagem PNG, JPEG ou WebP, ou um PDF.')
})

test('the size is told before sending: at most 10 MB, and not empty', () => {
  expect(fileFault(file('a.png', 'image/png', ATTACHMENT_BYTES))).toBeUndefined()
  expect(fileFault(file('a.png', 'image/png', 11 * 1024 * 1024))).toBe(
    'O arquivo tem 11 MB; o limite é 10 MB.',
  )
  expect(fileFault(file('a.png', 'image/png', 0))).toBe('O arquivo está vazio.')
})

test('one byte over the limit does not read as if it were the limit', () => {
  expect(fileFault(file('a.png', 'image/png', ATTACHMENT_BYTES + 1))).toBe(
    'O arquivo tem mais de 10 MB, que é o limite.',
  )
})

test('sizes in the units that people know', () => {
  expect([1, 820, 3_482, 2_411_725, ATTACHMENT_BYTES].map(sizeText)).toEqual([
    '1 byte',
    '820 bytes',
    '3,4 KB',
    '2,3 MB',
    '10 MB',
  ])
  expect(fileText(file('x.pdf', 'application/pdf', 3_482))).toBe('PDF · 3,4 KB')
  expect(keptFileText({ formato: 'image/webp', tamanho_bytes: 820 })).toBe('WebP · 820 bytes')
  expect(keptFileText({ formato: null, tamanho_bytes: null })).toBeUndefined()
})

test('what is downloaded has a name that tells of nobody', () => {
  expect(downloadName({ id: 12, formato: 'application/pdf' })).toBe('anexo-12.pdf')
  expect(downloadName({ id: 13, formato: 'image/jpeg' })).toBe('anexo-13.jpg')
})
