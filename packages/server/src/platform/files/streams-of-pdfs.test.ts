import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { streamOf, writtenPdf } from '../../../test/clinical/pdfs.ts'
import { readPdf } from './uploads/read-pdf.ts'

const contentOf = (filter: string, data: Buffer, more = '') => ({
  page: '/Contents 4 0 R',
  objects: [streamOf(`/Filter ${filter} ${more}`, data)],
})
const inHex = Buffer.from(`${deflateSync(Buffer.from('q Q')).toString('hex')}>`)
const in85 = Buffer.from('Garp%Ub;VWJ3sdi~>')

describe('honest streams pass', () => {
  test.each<[string, () => Buffer]>([
    [
      'content as older programs write it',
      () => writtenPdf(contentOf('[/ASCII85Decode /FlateDecode]', in85)),
    ],
    ['content in hexadecimal', () => writtenPdf(contentOf('[/AHx /Fl]', inHex))],
    ['content in LZW', () => writtenPdf(contentOf('/LZWDecode', Buffer.from('800b6050220c0c8501', 'hex')))],
    ['content in a filter that no reader decodes', () => writtenPdf(contentOf('/X', Buffer.from('q Q')))],
    ['content in runs', () => writtenPdf(contentOf('[/RunLengthDecode]', Buffer.from([254, 32, 128])))],
  ])('honest streams pass %s', async (_, make) => {
    await expect(readPdf(make())).resolves.toBeUndefined()
  })
})

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const SCRIPT = /^O PDF traz um script \(JavaScript\)\./
const UNREADABLE = /não pode ser conferida/
const UNFOLDS = /se expande demais/
const OTHER_FILES = /abre programas, outros arquivos/
const HUGE = 300 * 1024 * 1024
const bombs = new Map<number, Buffer>()
/** Returns so many zeros, compressed once. */
const bomb = (length: number): Buffer => {
  const packed = bombs.get(length) ?? deflateSync(Buffer.alloc(length), { level: 1 })
  bombs.set(length, packed)
  return packed
}

/** Its first code clears the table; each next one is still unknown: the last text and a letter. */
const lzwBomb = (): Buffer => {
  const bits = [(256).toString(2), '000000000']
  for (let code = 258; code < 4095; code += 1) {
    bits.push(code.toString(2).padStart(code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12, '0'))
  }
  const whole = bits.join('') + (4094).toString(2).repeat(100_000)
  return Buffer.from((whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const predicted = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'
const objectOfScript = Buffer.from(`9 0 ${script}`)
const columns = objectOfScript.length
/** One row of a PNG predictor, which leaves it as it is. */
const predictedScript = deflateSync(Buffer.concat([Buffer.from([0]), objectOfScript]))

const manyNames = Array.from({ length: 10_050 }, (_, index) => `/a${index} 0`).join(' ')

describe('refuses', () => {
  test.each<[string, () => Buffer, RegExp]>([
    [
      'a bomb of content',
      () =>
        writtenPdf({
          page: '/Contents 4 0 R',
          objects: [streamOf('/Filter /FlateDecode', bomb(300 * 1024 * 1024))],
        }),
      /se expande demais/,
    ],
    [
      'a bomb of objects',
      () =>
        writtenPdf({
          objects: [streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', bomb(80 * 1024 * 1024))],
        }),
      /se expande demais/,
    ],
    [
      'a bomb in a bomb',
      () =>
        writtenPdf({
          objects: [streamOf('/Filter [/FlateDecode /FlateDecode]', deflateSync(bomb(HUGE)))],
        }),
      UNFOLDS,
    ],
    [
      'a bomb in hexadecimal',
      () =>
        writtenPdf(
          contentOf('[/ASCIIHexDecode /FlateDecode]', Buffer.from(`${bomb(HUGE).toString('hex')}>`)),
        ),
      UNFOLDS,
    ],
    [
      'a bomb whose filter stands in another object',
      () => {
        const { page, objects } = contentOf('5 0 R', bomb(HUGE))
        return writtenPdf({ page, objects: [...objects, '/FlateDecode'] })
      },
      UNFOLDS,
    ],
    [
      'a bomb whose filters’ names stand in another object',
      () => {
        const { page, objects } = contentOf('[5 0 R]', bomb(HUGE))
        return writtenPdf({ page, objects: [...objects, '/FlateDecode'] })
      },
      UNFOLDS,
    ],
    [
      'a bomb behind another name',
      () => writtenPdf({ objects: [streamOf('/X /DCTDecode /Filter /FlateDecode', bomb(HUGE))] }),
      UNFOLDS,
    ],
    [
      'a bomb behind ten thousand names',
      () => writtenPdf({ objects: [streamOf(`${manyNames} /Filter /FlateDecode`, bomb(HUGE))] }),
      UNFOLDS,
    ],
    [
      'a bomb that says to be short',
      () =>
        writtenPdf({
          objects: [
            Buffer.concat([
              Buffer.from('<< /Length 5 0 R /Filter /FlateDecode >>\nstream\n'),
              bomb(HUGE),
              Buffer.from('\nendstream'),
            ]),
            '9',
          ],
        }),
      UNFOLDS,
    ],
    [
      'a bomb after spaces',
      () =>
        writtenPdf({
          objects: [
            Buffer.concat([
              Buffer.from('<< /Filter /FlateDecode >>\nstream \n'),
              bomb(HUGE),
              Buffer.from('\nendstream'),
            ]),
          ],
        }),
      UNFOLDS,
    ],
    [
      'many that unfold a little less each',
      () =>
        writtenPdf({
          objects: Array.from({ length: 12 }, () =>
            streamOf('/Filter /FlateDecode', bomb(100 * 1024 * 1024)),
          ),
        }),
      UNFOLDS,
    ],
    ['a bomb of LZW', () => writtenPdf(contentOf('/LZWDecode', lzwBomb())), UNFOLDS],
    [
      'a bomb of runs',
      () => writtenPdf(contentOf('/RL', Buffer.alloc(5 * 1024 * 1024, Buffer.from([129, 32])))),
      UNFOLDS,
    ],
    [
      'LZW with parameters in another object',
      () => {
        const { page, objects } = contentOf('/LZWDecode', lzwBomb(), '/DecodeParms 5 0 R')
        return writtenPdf({ page, objects: [...objects, '<< /EarlyChange 1 >>'] })
      },
      UNFOLDS,
    ],
    [
      'a filter that unfolds after an image',
      () => writtenPdf(contentOf('[/DCTDecode /FlateDecode]', bomb(9))),
      UNREADABLE,
    ],
    ['an unknown filter', () => writtenPdf(contentOf('/Crypt', bomb(9))), UNREADABLE],
    [
      'filters said twice',
      () => writtenPdf(contentOf('/DCTDecode /Filter /FlateDecode', bomb(9))),
      UNREADABLE,
    ],
    [
      'bytes in another file',
      () => writtenPdf({ objects: [streamOf('/F (\\\\\\\\host\\\\x)', Buffer.alloc(0))] }),
      OTHER_FILES,
    ],
    [
      'a drawing from another file',
      () =>
        writtenPdf({ objects: [streamOf('/Subtype /Form /Ref << /F 5 0 R /Page 0 >>', Buffer.alloc(0))] }),
      OTHER_FILES,
    ],
    [
      'objects behind ten thousand names',
      () =>
        writtenPdf({
          objects: [
            streamOf(
              `${manyNames} /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode`,
              deflateSync(Buffer.from(`9 0 ${script}`)),
            ),
          ],
        }),
      SCRIPT,
    ],
    [
      'objects with a predictor in another object',
      () =>
        writtenPdf({
          objects: [
            streamOf(`${predicted} /DecodeParms 5 0 R`, predictedScript),
            `<< /Predictor 12 /Columns ${columns} >>`,
          ],
        }),
      SCRIPT,
    ],
    [
      'objects with a second predictor',
      () =>
        writtenPdf({
          objects: [
            streamOf(
              `${predicted} /X << /Predictor 1 >> /DecodeParms << /Predictor 12 /Columns ${columns} >>`,
              predictedScript,
            ),
          ],
        }),
      SCRIPT,
    ],
    [
      'an object that begins within a comment',
      () =>
        writtenPdf({
          objects: [
            streamOf(
              '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
              deflateSync(Buffer.from(`9 1 %${script}`)),
            ),
          ],
        }),
      SCRIPT,
    ],
    [
      'an image whose width stands in another object',
      () =>
        writtenPdf({
          objects: [
            streamOf('/Subtype /Image /Width 5 0 R /Height 60000 /Filter /JPXDecode', Buffer.alloc(1)),
            '60000',
          ],
        }),
      UNFOLDS,
    ],
    [
      'an image with two widths',
      () =>
        writtenPdf({
          objects: [
            streamOf(
              '/Subtype /Image /Width 1 /Width 60000 /Height 60000 /Filter /DCTDecode',
              Buffer.alloc(1),
            ),
          ],
        }),
      UNREADABLE,
    ],
    [
      'an image of a billion pixels',
      () =>
        writtenPdf({
          objects: [
            streamOf('/Subtype /Image /Width 40000 /Height 40000 /Filter /JPXDecode', Buffer.from('x')),
          ],
        }),
      /se expande demais/,
    ],
  ])('the check refuses %s', async (_, make, sentence) => {
    await expect(readPdf(make())).rejects.toThrow(sentence)
  })
})
