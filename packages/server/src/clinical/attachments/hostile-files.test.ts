import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attachmentDraft } from '../../../test/clinical/attachments.ts'
import { countStoredAttachments, NOTHING, storedFiles } from '../../../test/clinical/kept-files.ts'
import { drawnPdf, streamOf, writtenPdf } from '../../../test/clinical/pdfs.ts'
import { formOf } from '../../../test/multipart.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let clinician: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  clinician = await app.as(await createUser(app, { acessoProntuario: true }))
})
beforeEach(() => app.db.deleteFrom('anexo').execute())

const send = (bytes: Uint8Array, { name = 'exame.png', tipo = 'IMG', type = 'image/png' } = {}) =>
  clinician.upload('/anexos', formOf({ ...attachmentDraft, tipo_anexo: tipo }, { bytes, name, type }))

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#036' } })
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const html = Buffer.from('<!doctype html><script>alert(document.domain)</script>')

const chunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG that says, after its header, that two frames follow. */
const movingPng = async () => {
  const still = await picture().png().toBuffer()
  const frames = Buffer.from('0000000200000000', 'hex')
  return Buffer.concat([still.subarray(0, 33), chunk('acTL', frames), still.subarray(33)])
}

const movingWebp = async () => {
  const frames = [await picture().png().toBuffer(), await picture().negate().png().toBuffer()]
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
}

/** A picture of 16 bits a colour. */
const deepPicture = () =>
  sharp(Buffer.alloc(60 * 40 * 2, 7), {
    raw: { width: 60, height: 40, channels: 1, depth: 'ushort' } as never,
  }).toColourspace('grey16')

/** A PNG of a few bytes whose header claims this width and height. */
const pngThatClaims = (side: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8) * 1_000))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const pdf = { name: 'laudo.pdf', tipo: 'PDF', type: 'application/pdf' }
/** 300 MB of zeros, compressed. */
const unfolding = () => deflateSync(Buffer.alloc(300_000_000))
const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

describe('POST /anexos refuses, and stores nothing of,', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, Parameters<typeof send>[1], RegExp]>([
    ['SVG', () => svg, { name: 'x.svg', type: 'image/svg+xml' }, /^Imagens SVG não são aceitas\./],
    ['SVG that says it is a PNG', () => svg, {}, /^Imagens SVG não são aceitas\./],
    ['HTML', () => html, { name: 'x.html', type: 'text/html' }, /^Páginas HTML não são aceitas\./],
    ['HTML that says it is a PDF', () => html, pdf, /^Páginas HTML não são aceitas\./],
    ['a GIF', () => picture().gif().toBuffer(), {}, /^Este tipo de arquivo não é aceito\./],
    ['a TIFF of 16 bits', () => deepPicture().tiff().toBuffer(), {}, /^Este tipo de arquivo não é aceito\./],
    ['a PNG of 16 bits', () => deepPicture().png().toBuffer(), {}, /^A imagem tem 16 bits por cor/],
    ['an animated PNG', movingPng, {}, /^A imagem é animada/],
    ['an animated WebP', movingWebp, {}, /^A imagem é animada/],
    ['a program', () => Buffer.from(`MZ${'\0'.repeat(200)}`), {}, /^Este tipo de arquivo não é aceito\./],
    ['0 bytes', () => Buffer.alloc(0), {}, /^O arquivo está vazio\./],
    [
      'a truncated PNG',
      async () => (await picture().png().toBuffer()).subarray(0, 80),
      {},
      /incompleta ou corrompida/,
    ],
    [
      'a truncated JPEG',
      async () => (await picture(400, 400).jpeg().toBuffer()).subarray(0, 700),
      {},
      /incompleta ou corrompida/,
    ],
    ['an image of four billion pixels', () => pngThatClaims(65_000), {}, /no máximo 50 milhões de pixels/],
    [
      'a PDF as IMG',
      () => drawnPdf((document) => document.text('x')),
      {},
      /O tipo escolhido é IMG, mas o arquivo é um PDF/,
    ],
    [
      'an image as PDF',
      () => picture().png().toBuffer(),
      pdf,
      /O tipo escolhido é PDF, mas o arquivo é uma imagem/,
    ],
    ['HTML, then PDF', () => Buffer.concat([html, writtenPdf()]), pdf, /outros dados antes do PDF/],
    ['PDF, then HTML', () => Buffer.concat([writtenPdf(), html]), pdf, /outros dados depois do PDF/],
    [
      'an image, then PDF',
      async () => Buffer.concat([await picture(9, 9).png().toBuffer(), writtenPdf()]),
      pdf,
      /outros dados antes do PDF/,
    ],
    ['a PDF with a script', () => writtenPdf({ catalog: `/OpenAction ${script}` }), pdf, /traz um script/],
    [
      'a compressed PDF with a script',
      () => writtenPdf({ catalog: '/OpenAction 5 0 R', isPacked: true, objects: [script] }),
      pdf,
      /traz um script/,
    ],
    [
      'a PDF with a decompression bomb',
      () =>
        writtenPdf({
          objects: [streamOf('/Filter /FlateDecode', unfolding())],
        }),
      pdf,
      /se expande demais/,
    ],
    [
      'a PDF with a hex-encoded decompression bomb',
      () =>
        writtenPdf({
          objects: [
            streamOf(
              '/Filter [/ASCIIHexDecode /FlateDecode]',
              Buffer.from(`${unfolding().toString('hex')}>`),
            ),
          ],
        }),
      pdf,
      /se expande demais/,
    ],
    [
      'a PDF with a decompression bomb whose filter is a reference',
      () => writtenPdf({ objects: [streamOf('/Filter 5 0 R', unfolding()), '/FlateDecode'] }),
      pdf,
      /se expande demais/,
    ],
    [
      'a PDF whose bytes are in another file',
      () => writtenPdf({ objects: [streamOf('/F (x)', Buffer.alloc(0))] }),
      pdf,
      /outros arquivos/,
    ],
    [
      'a password-protected PDF',
      () => drawnPdf((document) => document.text('x'), { userPassword: 'segredo' }),
      pdf,
      /protegido por senha/,
    ],
  ])('POST /anexos refuses, and stores nothing of, %s', async (_, make, options, sentence) => {
    const answer = await send(await make(), options)
    expect(answer).toMatchObject({ status: 415, body: { codigo: 'arquivo_recusado' } })
    expect(answer.body.detail).toMatch(sentence)
    expect(await countStoredAttachments(app)).toEqual(NOTHING)
  })

  test('POST /anexos refuses, and stores nothing of, a file of 11 MB', async () => {
    const answer = await send(randomBytes(11 * 1024 * 1024))
    expect(answer).toMatchObject({ status: 413, body: { detail: 'O arquivo pode ter no máximo 10 MB.' } })
    expect(await countStoredAttachments(app)).toEqual(NOTHING)
  })
})

describe('POST /anexos sanitises files:', () => {
  const filesKept = () => storedFiles(app.dataDir)

  test.each([
    ['../../features/', '../../../../etc/cron.d/x.png'],
    ['..\\', '..\\..\\windows\\x.png'],
    ['NUL', 'a\0.png'],
    ['300 characters', `${'n'.repeat(296)}.png`],
    ['right-to-left marks', 'exame\u202egnp.exe'],
    ['line breaks and quotes', 'a"\r\nx-mais: sim\r\n.png'],
    ['another extension', 'laudo.exe'],
    ['a script in it', '<img src=x onerror=alert(1)>.png'],
  ])('POST /anexos does not use a file name with %s', async (_, name) => {
    const before = await filesKept()
    const sent = await send(await picture().png().toBuffer(), { name })
    expect(sent.status).toBe(201)
    // Compared as values, because JSON escapes such names.
    for (const value of Object.values(sent.body)) expect(String(value)).not.toContain(name)
    const [kept, ...more] = (await filesKept()).filter((file) => !before.includes(file))
    expect(kept).toMatch(/^[\da-f-]{36}$/)
    expect(more).toEqual([])
    const file = await clinician.download(`/anexos/${sent.body.id}/arquivo?baixar=1`)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="anexo-${sent.body.id}.png"`)
    expect(file.headers['x-mais']).toBeUndefined()
  })

  test.each(['png', 'jpeg', 'webp'] as const)(
    'POST /anexos re-encodes %s upright, without position and other metadata',
    async (format) => {
      const upload = await picture()
        .toFormat(format)
        .withExif({
          IFD0: { ImageDescription: 'Paciente Fulana', Orientation: '6' },
          IFD3: {
            GPSLatitudeRef: 'S',
            GPSLatitude: '23/1 33/1 1/1',
            GPSLongitudeRef: 'W',
            GPSLongitude: '46/1 38/1 1/1',
          },
        })
        .withMetadata({ orientation: 6 })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Fulana</x:xmpmeta>')
        .toBuffer()
      expect(await sharp(upload).metadata()).toMatchObject({ orientation: 6, exif: expect.anything() })
      const sent = await send(upload)
      expect(sent).toMatchObject({ status: 201, body: { formato: `image/${format}` } })
      const { bytes } = await clinician.download(`/anexos/${sent.body.id}/arquivo`)
      const metadata = await sharp(bytes).metadata()
      expect(metadata).toMatchObject({ format, width: 40, height: 60 })
      for (const kind of ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments'] as const) {
        expect(metadata[kind], kind).toBeUndefined()
      }
      expect(bytes.includes('Fulana')).toBe(false)
      expect(bytes.length).toBe(sent.body.tamanho_bytes)
    },
  )

  test('POST /anexos sanitises files: stores a PDF with only an owner password without encryption', async () => {
    const bytes = await drawnPdf((document) => document.text('x'), { ownerPassword: 'segredo' })
    expect(bytes.includes('/Encrypt')).toBe(true)
    const sent = await send(bytes, pdf)
    expect(sent.status).toBe(201)
    const { bytes: kept } = await clinician.download(`/anexos/${sent.body.id}/arquivo`)
    expect(kept.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(kept.includes('/Encrypt')).toBe(false)
  })

  test('POST /anexos sanitises files: keeps a PDF whose font has the name of a script', async () => {
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
    const bytes = writtenPdf({ page: '/Resources << /Font << /JS 4 0 R /EF 4 0 R >> >>', objects: [font] })
    const sent = await send(bytes, pdf)
    expect(sent.status).toBe(201)
    expect((await clinician.download(`/anexos/${sent.body.id}/arquivo`)).bytes).toEqual(bytes)
  })

  test('POST /anexos sanitises files: removes bytes after the end of an image', async () => {
    const sent = await send(Buffer.concat([await picture().jpeg().toBuffer(), html]), {
      name: 'a.html',
      type: 'text/html',
    })
    expect(sent.status).toBe(201)
    const { bytes, headers } = await clinician.download(`/anexos/${sent.body.id}/arquivo`)
    expect(bytes.includes('<script>')).toBe(false)
    expect(headers['content-type']).toBe('image/jpeg')
  })

  test("POST /anexos sanitises files: serves downloads with headers that stop them from running in the portal's origin", async () => {
    const document = await drawnPdf((drawn) => drawn.text('Laudo'))
    const sent = await send(document, pdf)
    expect(sent.status).toBe(201)
    const file = await clinician.download(`/anexos/${sent.body.id}/arquivo`)
    expect(file.bytes.equals(document)).toBe(true)
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="anexo-${sent.body.id}.pdf"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })
})
