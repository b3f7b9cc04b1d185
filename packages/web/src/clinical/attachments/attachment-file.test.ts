import { MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { sizeText } from '../../lib/text/size-text.ts'
import { downloadName, fileFault, fileText, keptFileText, typeOfFile } from './attachment-file.ts'

const starts: Record<string, string> = {
  png: '\x89PNG\r\n\x1a\n',
  jpg: '\xff\xd8\xff\xe0',
  jpeg: '\xff\xd8\xff\xe1',
  webp: 'RIFF\x24\0\n\0WEBPVP8 ',
  pdf: '%PDF-1.7\n',
}

/** A file that starts with the signature of its extension, or with `start`. */
const file = (
  name: string,
  type: string,
  size = 2_000,
  start = starts[name.split('.')[1]?.toLowerCase() ?? ''],
) => {
  const bytes = new Uint8Array(size)
  bytes.set(Buffer.from(start ?? '', 'latin1').subarray(0, size))
  return new File([bytes], name, { type })
}

test.each([
  ['exame.png', 'image/png', 'IMG'],
  ['exame.jpg', 'image/jpeg', 'IMG'],
  ['exame.webp', 'image/webp', 'IMG'],
  ['laudo.pdf', 'application/pdf', 'PDF'],
  // Some systems provide no MIME type.
  ['LAUDO.PDF', '', 'PDF'],
  ['foto.JPEG', '', 'IMG'],
])('the form accepts %s (%s) as %s', async (name, type, expected) => {
  expect(typeOfFile(file(name, type))).toBe(expected)
  expect(await fileFault(file(name, type))).toBeUndefined()
})

test.each([
  ['desenho.svg', 'image/svg+xml'],
  ['pagina.html', 'text/html'],
  ['foto.heic', 'image/heic'],
  ['sem-nome', ''],
])('the form refuses %s', async (name, type) => {
  expect(typeOfFile(file(name, type))).toBeUndefined()
  expect(await fileFault(file(name, type))).toBe('Envie uma imagem PNG, JPEG ou WebP, ou um PDF.')
})

test('the form refuses an empty file and one over 10 MB', async () => {
  expect(await fileFault(file('a.png', 'image/png', MAX_UPLOAD_BYTES))).toBeUndefined()
  expect(await fileFault(file('a.png', 'image/png', 11 * 1024 * 1024))).toBe(
    'O arquivo tem 11 MB; o limite é 10 MB.',
  )
  expect(await fileFault(file('a.png', 'image/png', 0))).toBe('O arquivo está vazio.')
})

test('the size of a file just over the limit is not rounded down to the limit', async () => {
  expect(await fileFault(file('a.png', 'image/png', MAX_UPLOAD_BYTES + 1))).toBe(
    'O arquivo tem mais de 10 MB, que é o limite.',
  )
})

test.each([
  ['laudo.pdf', 'application/pdf', starts.png, /^O conteúdo é PNG, mas o arquivo se apresenta como PDF\./],
  ['exame.png', 'image/png', starts.pdf, /^O conteúdo é PDF, mas o arquivo se apresenta como PNG\./],
  ['exame.png', 'image/png', '<!doctype html>', /^O conteúdo não é PNG, embora o nome diga que é\./],
  // AVI is a RIFF file like WebP; HEIC is the format of phone photos.
  ['exame.webp', 'image/webp', 'RIFF\x24\0\0\0AVI LIST', /^O conteúdo não é WebP/],
  ['foto.jpg', 'image/jpeg', '\0\0\0\x24ftypheic', /^O conteúdo não é JPEG/],
  ['laudo.pdf', 'application/pdf', '\n%PDF-1.7', /^O conteúdo não é PDF/],
])('the form refuses %s (%s) whose first bytes are of another format', async (name, type, start, said) => {
  expect(await fileFault(file(name, type, 2_000, start))).toMatch(said)
})

test('the form accepts an image whose extension names another image format', async () => {
  expect(await fileFault(file('exame.jpg', 'image/jpeg', 2_000, starts.png))).toBeUndefined()
})

test('the form reports a file that can no longer be read', async () => {
  const gone = Object.assign(file('exame.png', 'image/png'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
  })
  expect(await fileFault(gone)).toBe('O navegador não conseguiu ler o arquivo. Escolha-o de novo.')
})

test('the form writes format and size for display', () => {
  expect([1, 820, 3_482, 2_411_725, MAX_UPLOAD_BYTES].map(sizeText)).toEqual([
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

test('the form names a download without personal data', () => {
  expect(downloadName({ id: 12, formato: 'application/pdf' })).toBe('anexo-12.pdf')
  expect(downloadName({ id: 13, formato: 'image/jpeg' })).toBe('anexo-13.jpg')
})
