import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let report: string
let url: string
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  report = `/usuarios/relatorio/${(await createReport(app, { idGrupoRelatorio })).idRelatorio}`
  url = `${report}/logo`
})

/** Red with noise, so that the image has many bytes. */
const picture = (width = 300, height = 150) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#c00',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#00c' } })

const upload = (bytes: Buffer, headers = {}) => admin.put(url, { imagem: bytes.toString('base64') }, headers)

const stored = async () => {
  const response = await app.app.inject({
    url: `/api${url}`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload }
}

describe('PUT /usuarios/relatorio/:id/logo', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'PUT /usuarios/relatorio/:id/logo re-encodes %s as WebP, 128 × 128',
    async (format) => {
      const { status, body, headers } = await upload(await picture()[format]().toBuffer())
      expect([status, body.versao, headers.etag]).toEqual([200, 2, '"2"'])
      expect(body.logo).toMatch(/^[0-9a-f]{16}$/)
      expect((await admin.get(report)).body).toEqual(body)
      expect((await admin.get('/usuarios/relatorio')).body[0].logo).toBe(body.logo)

      const logo = await stored()
      expect(logo.status).toBe(200)
      expect(logo.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'content-length': String(logo.bytes.length),
      })
      const { data, info } = await sharp(logo.bytes).raw().toBuffer({ resolveWithObject: true })
      expect(info).toMatchObject({ width: 128, height: 128, channels: 4 })
      const alphaAt = (x: number, y: number) => data[(y * 128 + x) * 4 + 3]
      // Twice as wide as high: centred, on a transparent background.
      expect([alphaAt(64, 5), alphaAt(64, 64), alphaAt(64, 122)]).toEqual([0, 255, 0])
    },
  )

  test('PUT /usuarios/relatorio/:id/logo answers 404 without a logo or report', async () => {
    expect((await admin.get(url)).status).toBe(404)
    for (const id of ['999', 'x', '0', '99999999999']) {
      const odd = `/usuarios/relatorio/${id}/logo`
      expect((await admin.get(odd)).status).toBe(404)
      // The target is checked before the body.
      expect((await admin.put(odd, {})).status).toBe(404)
      expect((await admin.del(odd)).status).toBe(404)
    }
  })

  test('PUT /usuarios/relatorio/:id/logo replaces the logo, raises the version and audits the change', async () => {
    const red = await upload(await picture().png().toBuffer())
    const blue = await upload(await plain(64, 64).png().toBuffer(), { 'if-match': '"2"' })
    expect([blue.status, blue.body.versao]).toEqual([200, 3])
    expect(blue.body.logo).not.toBe(red.body.logo)
    const entries = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'report.updated')
      .orderBy('idAuditoria')
      .execute()
    expect(entries.map(({ detalhes }) => detalhes)).toEqual([
      { versao: 2, antes: { logo: null }, depois: { logo: red.body.logo } },
      { versao: 3, antes: { logo: red.body.logo }, depois: { logo: blue.body.logo } },
    ])
    const older = await upload(await picture().png().toBuffer(), { 'if-match': '"2"' })
    expect([older.status, older.body.codigo]).toEqual([412, 'versao_antiga'])
    expect(older.body.detail).toMatch(/^Marina Alves alterou Logo em /)
    expect((await admin.get(report)).body.logo).toBe(blue.body.logo)
  })

  test('PUT /usuarios/relatorio/:id/logo keeps the logo through an edit of the record', async () => {
    const { body } = await upload(await plain(64, 64).webp().toBuffer())
    const edited = await admin.put(report, { ...body, nomeRelatorio: 'Outro', logo: null })
    expect([edited.status, edited.body.logo, edited.body.versao]).toEqual([200, body.logo, 3])
  })

  test('DELETE removes the logo with 204, then answers 404', async () => {
    const { body } = await upload(await plain(64, 64).png().toBuffer())
    expect((await admin.del(url)).status).toBe(204)
    expect((await admin.get(url)).status).toBe(404)
    expect((await admin.get(report)).body).toEqual({ ...body, logo: null, versao: 3 })
    expect((await admin.del(url)).status).toBe(404)
    expect((await admin.get(report)).body.versao).toBe(3)
    const entry = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .orderBy('idAuditoria', 'desc')
      .executeTakeFirst()
    expect(entry?.detalhes).toEqual({ versao: 3, antes: { logo: body.logo }, depois: { logo: null } })
  })

  test('PUT /usuarios/relatorio/:id/logo removes EXIF, GPS, comments and profiles, and applies the orientation', async () => {
    const exif = {
      IFD0: { Artist: 'Fulano de Tal', Copyright: 'segredo' },
      IFD3: { GPSLatitude: '25/1 25/1 0/1' },
    }
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await plain(200, 100)
        .withExif(exif)
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>alert(1)</script></x:xmpmeta>')
        .withIccProfile('p3')
        [format]()
        .toBuffer()
      expect((await sharp(bytes).metadata()).exif).toBeDefined()
      expect((await upload(bytes)).status).toBe(200)
      const { bytes: logo } = await stored()
      const { exif: kept, xmp, icc, iptc, orientation } = await sharp(logo).metadata()
      expect([kept, xmp, icc, iptc, orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ])
      expect(logo.includes('Fulano') || logo.includes('script')).toBe(false)
    }
    // Rotated by its EXIF orientation: what was wide is shown high.
    const lying = await plain(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    await upload(lying)
    const { data } = await sharp((await stored()).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([data[(64 * 128 + 5) * 4 + 3], data[(5 * 128 + 64) * 4 + 3]]).toEqual([0, 255])
  })
})

const OTHER = 'Envie uma imagem PNG, JPEG ou WebP.'
const BROKEN = 'A imagem está incompleta ou corrompida. Salve-a de novo e envie.'
const MORE = 'O arquivo traz outros dados depois da imagem. Salve a imagem de novo e envie.'
const LARGE = 'A imagem pode ter no máximo 4096 × 4096 pixels.'
const text = (content: string) => () => Buffer.from(content)
const cut = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part))

const hostile: [what: string, bytes: () => Buffer | Promise<Buffer>, sentence: string][] = [
  ['an empty file', text(''), 'O arquivo está vazio.'],
  [
    'SVG',
    text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'),
    OTHER,
  ],
  ['HTML', text('<!doctype html><script>alert(1)</script>'), OTHER],
  ['PDF', text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), OTHER],
  ['GIF', () => plain(9, 9).gif().toBuffer(), OTHER],
  ['TIFF', () => plain(9, 9).tiff().toBuffer(), OTHER],
  ['AVIF', () => plain(9, 9).avif().toBuffer(), OTHER],
  ['a GIF that is also a script', text('GIF89a/*\x01\x00*/=1;alert(1)'), OTHER],
  ['a PNG signature alone', () => Buffer.from('89504e470d0a1a0a', 'hex'), BROKEN],
  ['SVG after a PNG signature', () => pngSignatureThen('<svg/>'), BROKEN],
  ['a JPEG signature alone', () => Buffer.from('ffd8ff', 'hex'), BROKEN],
  ['a RIFF that only says WEBP', text('RIFF\x04\x00\x00\x00WEBP'), BROKEN],
  ['a truncated PNG', async () => cut(await picture().png().toBuffer(), 0.6), BROKEN],
  ['a truncated JPEG', async () => cut(await picture().jpeg().toBuffer(), 0.6), BROKEN],
  ['a truncated WebP', async () => cut(await picture().webp().toBuffer(), 0.6), BROKEN],
  ['a PNG with a page appended', async () => followed(await plain(9, 9).png().toBuffer(), '<script>'), MORE],
  [
    'a JPEG with an archive appended',
    async () => followed(await plain(9, 9).jpeg().toBuffer(), 'PK\x05\x06'),
    MORE,
  ],
  [
    'a WebP with a page appended',
    async () => followed(await plain(9, 9).webp().toBuffer(), '<script>'),
    MORE,
  ],
  ['more pixels than allowed', () => blankPng(20_000, 20_000), LARGE],
  ['one very long line of pixels', () => blankPng(65_000, 300), LARGE],
]

const followed = (bytes: Buffer, tail: string) => Buffer.concat([bytes, Buffer.from(tail)])
const pngSignatureThen = (tail: string) => followed(Buffer.from('89504e470d0a1a0a', 'hex'), tail)

describe('PUT /usuarios/relatorio/:id/logo refuses', () => {
  test.each(hostile)(
    'PUT /usuarios/relatorio/:id/logo refuses %s at its field, without drawing it for long',
    async (_what, bytes, sentence) => {
      const file = await bytes()
      const start = performance.now()
      const { status, body } = await upload(file)
      expect(performance.now() - start).toBeLessThan(20_000)
      expect([status, body.codigo, body.campos]).toEqual([422, 'campos_invalidos', { imagem: sentence }])
      expect((await admin.get(report)).body).toMatchObject({ logo: null, versao: 1 })
    },
  )

  test.each([
    ['a missing image', {}],
    ['null', { imagem: null }],
    ['text that is not base64', { imagem: 'não é base64' }],
    ['a data URL', { imagem: 'data:image/png;base64,AAAA' }],
  ])('PUT /usuarios/relatorio/:id/logo refuses %s instead of base64', async (_what, body) => {
    const answer = await admin.put(url, body)
    expect([answer.status, answer.body.campos]).toEqual([422, { imagem: 'Envie a imagem em base64.' }])
  })

  test('PUT /usuarios/relatorio/:id/logo refuses more than 180 KB, at its field or as a body that is too large', async () => {
    const large = await admin.put(url, { imagem: 'A'.repeat(240_004) })
    expect([large.status, large.body.campos]).toEqual([
      422,
      { imagem: 'A imagem pode ter no máximo 180 KB.' },
    ])
    expect((await admin.put(url, { imagem: 'A'.repeat(400_000) })).status).toBe(413)
  })

  test('PUT /usuarios/relatorio/:id/logo refuses no image of exactly the allowed size', async () => {
    expect((await upload(blankPng(4096, 4096))).status).toBe(200)
  })

  test('PUT /usuarios/relatorio/:id/logo refuses no JPEG with HTML in a comment, which the re-encoding removes', async () => {
    const jpeg = await plain(9, 9).jpeg().toBuffer()
    const comment = Buffer.from(
      `\xff\xfe\x00\x22<script>alert(${randomUUID().slice(0, 8)})</script>`,
      'latin1',
    )
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
    expect(bytes.includes('<script>')).toBe(true)
    expect((await upload(bytes)).status).toBe(200)
    expect((await stored()).bytes.includes('script')).toBe(false)
  })
})

/** One bit per pixel, all black: 20,000 × 20,000 pixels are 48 KB. */
const blankPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(8 + named.length)
  bytes.writeUInt32BE(data.length, 0)
  named.copy(bytes, 4)
  bytes.writeUInt32BE(crc32(named), 4 + named.length)
  return bytes
}
