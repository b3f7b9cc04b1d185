import { expect, test } from 'vitest'
import { streamOf, writtenPdf } from '../../test/clinical/pdfs.ts'
import { readPdf } from './read-pdf.ts'

const SCRIPT = /^O PDF traz um script/
const FILES = /^O PDF traz outros arquivos anexados/
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

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
])('takes %s', async (_, make) => {
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
    /^O PDF traz um formulário XFA/,
  ],
  [
    'a type of action beside a name of fonts',
    () => writtenPdf({ objects: ['<< /S /JavaScript /Name /JS >>'] }),
    SCRIPT,
  ],
])('refuses %s', async (_, make, sentence) => {
  await expect(readPdf(make())).rejects.toThrow(sentence)
})
