import { describe, expect, test } from 'vitest'
import { streamOf, type WrittenPdf, writtenPdf } from '../../../test/clinical/pdfs.ts'
import { refuseActiveContent } from './uploads/active-content.ts'
import { readPdf } from './uploads/read-pdf.ts'

const SCRIPT = /^O PDF traz um script/
const FILES = /^O PDF traz outros arquivos anexados/
const XFA = /^O PDF traz um formulário XFA/
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const form = '/AcroForm << /Fields [] /XFA 5 0 R >>'
const xdp = streamOf('', Buffer.from('<xdp><script>app.alert(1)</script></xdp>'))
const decoy = `null\nendobj\n5 0 obj\n${font}`

/** Writes the head of the last object in another way; the table still leads to it. */
const headedAs = (written: WrittenPdf, head: string): Buffer => {
  const text = writtenPdf(written).toString('latin1')
  const changed = text.replace(/\d+ 0 obj(?!.*\d 0 obj)/s, head)
  const end = `startxref\n${changed.indexOf('xref\n0 ')}`
  return Buffer.from(changed.replace(/startxref\n\d+/, end), 'latin1')
}

/** Packs objects from number 5 on, and changes what the table says of the object of number 5. */
const packedAs = (objects: string[], indexOfFive: number): Buffer => {
  const bytes = writtenPdf({ objects, isPacked: true })
  const row = Buffer.from([2, 0, 0, 0, 4, 0])
  const at = bytes.lastIndexOf(row)
  bytes[at + 5] = indexOfFive
  return bytes
}

test.each<[string, () => Buffer]>([
  [
    'fonts, glyphs and drawings with the names of actions',
    () =>
      writtenPdf({
        page: '/Resources << /Font << /JS 4 0 R /EF 5 0 R /Launch 4 0 R >> /XObject 7 0 R >>',
        objects: [
          font.replace('/Helvetica', '/JavaScript /Name /JS'),
          '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 0 /LastChar 1 /Widths [1 1] /Encoding << /Differences [0 /EF /JS] >> /CharProcs << /EF 6 0 R /JS 6 0 R >> >>',
          streamOf('', Buffer.from('1 0 d0')),
          '<< /EF 8 0 R >>',
          streamOf('/Type /XObject /Subtype /Form /BBox [0 0 1 1]', Buffer.from('q Q')),
        ],
      }),
  ],
  [
    'a button whose states have the names of actions',
    () =>
      writtenPdf({
        page: '/Annots [<< /Subtype /Widget /Rect [0 0 9 9] /AS /EF /AP << /N << /EF 4 0 R >> >> >>]',
        objects: [streamOf('/Type /XObject /Subtype /Form /BBox [0 0 1 1]', Buffer.from('q Q'))],
      }),
  ],
  [
    'fonts with the names of actions in an object stream',
    () =>
      writtenPdf({
        page: '/Resources << /Font << /JS 5 0 R /EF 6 0 R >> >>',
        objects: [font, font, '<< /Title (Laudo) >>'],
        isPacked: true,
      }),
  ],
])('the check takes %s', async (_, make) => {
  await expect(readPdf(make())).resolves.toBeUndefined()
})

test.each<[string, () => Buffer, RegExp]>([
  [
    'a script whose text and type stand in other objects',
    () => writtenPdf({ objects: ['<< /Type /Action /S 5 0 R /JS 6 0 R >>', '/JavaScript', '(x)'] }),
    SCRIPT,
  ],
  [
    'a script in a stream among fonts',
    () =>
      writtenPdf({
        page: '/Resources << /Font << /JS 4 0 R /S /JavaScript >> >>',
        objects: [streamOf('', Buffer.from('app.alert(1)'))],
      }),
    SCRIPT,
  ],
  [
    'a script in a stream whose type another object says',
    () =>
      writtenPdf({
        catalog: '/OpenAction << /S 4 0 R /JS 5 0 R >>',
        objects: ['/JavaScript', streamOf('', Buffer.from('app.alert(1)'))],
      }),
    SCRIPT,
  ],
  [
    'embedded files below a font of the same number',
    () =>
      writtenPdf({
        objects: [
          '<< /Type /Filespec /UF 9 0 R /EF 5 0 R >>',
          `<< /F 6 0 R >>\nendobj\n5 0 obj\n${font}`,
          streamOf('', Buffer.from('MZ')),
        ],
      }),
    FILES,
  ],
  [
    'embedded files that say to be a font',
    () =>
      writtenPdf({
        objects: ['<< /EF 5 0 R >>', '<< /Type /Font /F 6 0 R >>', streamOf('', Buffer.from('MZ'))],
      }),
    FILES,
  ],
  [
    'embedded files that a later key replaces',
    () => writtenPdf({ objects: ['<< /EF << /UF 5 0 R >> /EF 5 0 R >>', font] }),
    FILES,
  ],
  [
    'an XFA form in a stream',
    () =>
      writtenPdf({
        catalog: '/AcroForm << /Fields [] /XFA 4 0 R >>',
        objects: [streamOf('', Buffer.from('<xdp/>'))],
      }),
    XFA,
  ],
  ['an XFA form that says to be a font', () => writtenPdf({ catalog: form, objects: ['null', font] }), XFA],
  [
    'an encryption that says to be a font',
    () => writtenPdf({ objects: ['<< /Encrypt << /Type /Font /Filter /Standard >> >>'] }),
    /protegido por senha/,
  ],
  [
    'a type of action beside a name of fonts',
    () => writtenPdf({ objects: ['<< /S /JavaScript /Name /JS >>'] }),
    SCRIPT,
  ],
])('the check refuses %s', async (_, make, sentence) => {
  await expect(readPdf(make())).rejects.toThrow(sentence)
})

describe('refuses, although a font has the number of', () => {
  test.each<[string, () => Buffer]>([
    [
      'a form with a comment in its head',
      () => headedAs({ catalog: form, objects: [decoy, xdp] }, '5 %7 \n0 obj'),
    ],
    ['a form in a second object', () => writtenPdf({ catalog: form, objects: [decoy, xdp] })],
  ])('the check refuses, although a font has the number of %s', async (_, make) => {
    const bytes = make()
    expect(() => refuseActiveContent(bytes)).toThrow(XFA)
    await expect(readPdf(bytes)).rejects.toThrow(XFA)
  })

  const files = '<< /F 9 0 R >>'
  const attached = { page: '/Resources << /A << /EF 5 0 R >> >>', objects: [decoy, files] }
  test.each<[string, () => Buffer]>([
    ['files with a comment in their head', () => headedAs(attached, '5 %7 \n0 obj')],
    ['files with a comment after their number', () => headedAs(attached, '5%\n%7 0\n0 obj')],
    ['files with a long comment in their head', () => headedAs(attached, `5 %${'7'.repeat(60)} \n0 obj`)],
    ['files with a word before their number', () => headedAs(attached, '5 0 %\n7 0%\nobj')],
    ['files with a comment that ends in a form feed', () => headedAs(attached, '5 %\f7 \n0 obj')],
    ['files of another generation', () => headedAs(attached, '5 1 obj')],
    ['files whose number is larger than readers count', () => headedAs(attached, '4294967301 0 obj')],
    ['files behind zeros', () => headedAs(attached, '0000000005 00000 obj')],
    [
      'files in an object stream of which the table says the number',
      () => packedAs([font, files, '<< /EF 5 0 R >>'], 1),
    ],
    [
      'files in an object stream with their number twice',
      () =>
        Buffer.concat([
          packedAs([font, '<< /EF 5 0 R >>'], 0),
          Buffer.from(`5 0 obj\n${files}\nendobj\n%%EOF`),
        ]),
    ],
    [
      'files in an object stream without a number',
      () =>
        headedAs(
          {
            objects: [
              `<< /EF 6 0 R >>\nendobj\n6 0 obj\n${font}`,
              streamOf('/N 1 /First 4', Buffer.from(`6 0 ${files}`)),
            ],
          },
          '5 %\n0 obj',
        ),
    ],
  ])('the check refuses, although a font has the number of %s', async (_, make) => {
    const bytes = make()
    expect(() => refuseActiveContent(bytes)).toThrow(FILES)
    await expect(readPdf(bytes)).rejects.toThrow(FILES)
  })
})

test.each<[string, string]>([
  ['a stream of names', '/Names [(a) 9 0 R]'],
  ['a stream that names a file', '/UF 9 0 R'],
])('the check takes no %s for a drawing', async (_, entries) => {
  const bytes = writtenPdf({ objects: ['<< /EF 5 0 R >>', streamOf(entries, Buffer.from('q Q'))] })
  await expect(readPdf(bytes)).rejects.toThrow(FILES)
})
