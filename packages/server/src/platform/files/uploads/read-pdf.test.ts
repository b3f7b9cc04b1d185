import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawnPdf, writtenPdf } from '../../../../test/clinical/pdfs.ts'
import { readPdf } from './read-pdf.ts'

const chromiumPrint = readFileSync(new URL('../../../../test/files/chromium-print.pdf', import.meta.url))
const photo = () =>
  sharp({ create: { width: 1240, height: 1754, channels: 3, background: '#eee' } })
    .jpeg()
    .toBuffer()

describe('honest PDFs pass', () => {
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['text by pdfkit', () => drawnPdf((document) => document.text('Laudo: sem alterações.'))],
    ['links', () => drawnPdf((document) => document.text('Clínica', { link: 'https://exemplo.com.br/JS/' }))],
    [
      'a form without scripts',
      () =>
        drawnPdf((document) => {
          document.font('Helvetica')
          document.initForm()
          document.formText('nome', 10, 10, 200, 20, { value: 'Fulana' })
          document.formCheckbox('jejum', 10, 40, 20, 20)
        }),
    ],
    [
      'a scanned image',
      async () => {
        const image = await photo()
        return drawnPdf((document) => {
          for (let page = 0; page < 3; page += 1) {
            if (page > 0) document.addPage()
            document.image(image, 0, 0, { width: 500 })
          }
        })
      },
    ],
    [
      'PDF/A with bookmarks',
      () =>
        drawnPdf(
          (document) => {
            document.text('Um')
            document.outline.addItem('Um')
          },
          { pdfVersion: '1.7' },
        ),
    ],
    ['printed by Chromium', () => chromiumPrint],
    ['written by hand', () => writtenPdf()],
    ['objects in a stream', () => writtenPdf({ isPacked: true, objects: ['<< /Title (Laudo /JS) >>'] })],
    ['a place to open at', () => writtenPdf({ catalog: '/OpenAction [3 0 R /Fit]' })],
    ['a text that begins with Data:', () => writtenPdf({ catalog: '/Lang (Data: 21/11/2026)' })],
    [
      'links of other kinds',
      () => writtenPdf({ page: linkTo('(mailto:a@exemplo.com.br)') + linkTo('(www.exemplo.com.br/a)') }),
    ],
    [
      'a place to open at, as an action',
      () => writtenPdf({ catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
    ],
    [
      'links beside a place to open at, by way of other objects',
      () =>
        writtenPdf({
          catalog: '/OpenAction 4 0 R',
          page: '/Annots [6 0 R] /AA 8 0 R',
          objects: [
            '<< /S /GoTo /D 5 0 R /Next 9 0 R >>',
            '[3 0 R /Fit]',
            '<< /Subtype /Link /Rect [0 0 9 9] /A 7 0 R /P 3 0 R >>',
            '<< /S /URI /URI (https://exemplo.com.br) >>',
            '<< /O 4 0 R >>',
            '<< /S /Named /N /FirstPage /Next [4 0 R] >>',
          ],
        }),
    ],
    [
      'a table of objects that begins elsewhere',
      () =>
        Buffer.from(
          writtenPdf()
            .toString('latin1')
            .replace(/startxref\n\d+/, 'startxref\n1'),
          'latin1',
        ),
    ],
    [
      'a table whose places are wrong',
      () => Buffer.from(writtenPdf().toString('latin1').replace('0000000015', '0000000019'), 'latin1'),
    ],
    ['a key twice', () => writtenPdf({ page: '/Rotate 0 /Rotate 90' })],
    ['white space at the end', () => Buffer.concat([writtenPdf(), Buffer.from('\r\n\0\0')])],
  ])('honest PDFs pass %s', async (_, make) => {
    await expect(readPdf(await make())).resolves.toBeUndefined()
  })
})

const linkTo = (address: string) =>
  `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI ${address} >> >>]`
const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const SCRIPT = /^O PDF traz um script \(JavaScript\)\./
const LINK = /link que executa ações ou abre arquivos/
const OTHER_FILES = /abre programas, outros arquivos/

describe('refuses', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['a script on opening', () => writtenPdf({ catalog: `/OpenAction ${script}` }), SCRIPT],
    [
      'a script of the document',
      () => writtenPdf({ catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >>` }),
      SCRIPT,
    ],
    ['a script of the page', () => writtenPdf({ page: `/AA << /O ${script} >>` }), SCRIPT],
    [
      'a script of an annotation',
      () => writtenPdf({ page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${script} >>]` }),
      SCRIPT,
    ],
    [
      'a script of a field',
      () =>
        writtenPdf({
          catalog: '/AcroForm << /Fields [4 0 R] >>',
          objects: [
            `<< /FT /Tx /T (a) /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /AA << /K ${script} >> >>`,
          ],
        }),
      SCRIPT,
    ],
    [
      'a script in an object stream',
      () => writtenPdf({ catalog: '/OpenAction 5 0 R', isPacked: true, objects: [script] }),
      SCRIPT,
    ],
    [
      'a script under a disguised name',
      () => writtenPdf({ catalog: '/OpenAction << /S /J#61vaScript /J#53 (x) >>' }),
      SCRIPT,
    ],
    [
      'a script behind odd spacing',
      () => Buffer.concat([writtenPdf(), Buffer.from('9%\n0%\nobj<</S/JavaScript/JS(x)>>endobj\n%%EOF')]),
      SCRIPT,
    ],
    ['a script that nothing refers to', () => writtenPdf({ objects: [script] }), SCRIPT],
    [
      'a script whose key stands twice',
      () => writtenPdf({ catalog: `/OpenAction ${script} /OpenAction [3 0 R /Fit]` }),
      SCRIPT,
    ],
    [
      'a script in an earlier object of the same number',
      () =>
        writtenPdf({
          catalog: '/OpenAction 5 0 R',
          objects: [`null\nendobj\n5 0 obj\n${script}`, '[3 0 R /Fit]'],
        }),
      SCRIPT,
    ],
    [
      'a script after a misplaced endobj',
      () => writtenPdf({ catalog: '/A endobj /OpenAction << /S /JavaScript >>' }),
      SCRIPT,
    ],
    [
      'a launch action',
      () => writtenPdf({ catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' }),
      /abre programas, outros arquivos ou envia dados/,
    ],
    [
      'a form that sends',
      () => writtenPdf({ catalog: '/OpenAction << /S /SubmitForm /F (http://x) >>' }),
      /envia dados/,
    ],
    [
      'another file to open',
      () => writtenPdf({ catalog: '/OpenAction << /S /GoToR /F (\\\\\\\\host\\\\x) >>' }),
      /abre programas/,
    ],
    [
      'a link that runs script',
      () =>
        writtenPdf({
          page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (java\\nscript:alert\\(1\\)) >> >>]',
        }),
      /link que executa/,
    ],
    [
      'an embedded file',
      () => drawnPdf((document) => document.file(Buffer.from('x'), { name: 'x.exe' })),
      /outros arquivos anexados/,
    ],
    ['an XFA form', () => writtenPdf({ catalog: '/AcroForm << /XFA (x) >>' }), /formulário XFA/],
    [
      'a film',
      () => writtenPdf({ page: '/Annots [<< /Subtype /RichMedia /Rect [0 0 9 9] >>]' }),
      /som, vídeo/,
    ],
    [
      'encryption',
      () => drawnPdf((document) => document.text('x'), { userPassword: 'segredo' }),
      /protegido por senha/,
    ],
    [
      'bytes before it',
      () => Buffer.concat([Buffer.from('<html><script>alert(1)</script>\n'), writtenPdf()]),
      /outros dados antes do PDF/,
    ],
    [
      'bytes after it',
      () => Buffer.concat([writtenPdf(), Buffer.from('<html><script>alert(1)</script>')]),
      /outros dados depois do PDF/,
    ],
    [
      'half of one',
      async () => (await drawnPdf((document) => document.text('x'))).subarray(0, 500),
      /incompleto ou corrompido/,
    ],
    [
      'no page at all',
      () => Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'),
      /incompleto ou corrompido/,
    ],
    [
      'a thread in another file',
      () => writtenPdf({ catalog: '/OpenAction << /S /Thread /F (\\\\\\\\host\\\\x) /D 0 >>' }),
      OTHER_FILES,
    ],
    [
      'a script after a misplaced endobj in an array',
      () => writtenPdf({ page: '/Annots 4 0 R', objects: [`[ endobj << /A ${script} >> ]`] }),
      SCRIPT,
    ],
    [
      'a script after closing what is not open',
      () => writtenPdf({ catalog: `/A ]] [ endobj /OpenAction ${script}` }),
      SCRIPT,
    ],
    [
      'a name without its value',
      () => writtenPdf({ catalog: '/A >> endobj /OpenAction' }),
      /incompleto ou corrompido/,
    ],
    [
      'a script behind comments',
      () => writtenPdf({ catalog: '/OpenAction %x\n<< /S%>>\r/JavaScript%(\n/JS%\n(x) >>' }),
      SCRIPT,
    ],
    ['a script among names in an array', () => writtenPdf({ objects: ['[/A /J#61#76aScript]'] }), SCRIPT],
    [
      'a script of the page before',
      () => writtenPdf({ page: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /PA ${script} >>]` }),
      SCRIPT,
    ],
    [
      'a link of the page before that runs script',
      () =>
        writtenPdf({
          page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /PA << /S /URI /URI <6A617661736372697074 3A31> >> >>]',
        }),
      LINK,
    ],
    [
      'a link in another object that runs script',
      () => writtenPdf({ page: linkTo('4 0 R'), objects: [`(javascript:${'a'.repeat(300)})`] }),
      LINK,
    ],
    [
      'a link in an object stream that runs script',
      () => writtenPdf({ page: linkTo('5 0 R'), isPacked: true, objects: ['(javascript:1)'] }),
      LINK,
    ],
    [
      'a link behind three hundred spaces',
      () => writtenPdf({ page: linkTo(`(${' '.repeat(300)}javascript:1)`) }),
      LINK,
    ],
    [
      'a link in UTF-16',
      () =>
        writtenPdf({
          page: linkTo(`<FEFF${Buffer.from('javascript:1', 'utf16le').swap16().toString('hex')}>`),
        }),
      LINK,
    ],
    [
      'a base of links that runs script',
      () => writtenPdf({ catalog: '/URI << /Base (javascript:1//) >>' }),
      LINK,
    ],
    ['a link to a program', () => writtenPdf({ page: linkTo('(ms-msdt:/id x)') }), LINK],
    ['a link to another machine’s file', () => writtenPdf({ page: linkTo('(\\\\\\\\host\\\\x.exe)') }), LINK],
    [
      'an address that opens by itself',
      () => writtenPdf({ catalog: '/OpenAction << /S /URI /URI (https://exemplo.com.br) >>' }),
      LINK,
    ],
    [
      'an address that the page opens by itself',
      () => writtenPdf({ page: '/AA << /O << /S /URI /URI (https://exemplo.com.br) >> >>' }),
      LINK,
    ],
    ...[false, true].flatMap((isPacked): [string, () => Buffer, RegExp][] => {
      const link = '<< /S /URI /URI (https://exemplo.com.br) >>'
      const how = isPacked ? ', in a stream' : ''
      // The stream of objects is the fourth.
      const made = (fields: { catalog?: string; page?: string; objects: string[] }) => () =>
        writtenPdf({ ...fields, isPacked, objects: [...(isPacked ? [] : ['null']), ...fields.objects] })
      return [
        [
          `a link opened by itself by way of an object${how}`,
          made({ catalog: '/OpenAction 5 0 R', objects: [link] }),
          LINK,
        ],
        [
          `by way of an object that refers to another${how}`,
          made({ catalog: '/OpenAction 6 0 R', objects: [link, '5 0 R'] }),
          LINK,
        ],
        [`of a page${how}`, made({ page: '/AA << /O 5 0 R >>', objects: [link] }), LINK],
        [
          `of a page’s table${how}`,
          made({ page: '/AA 6 0 R', objects: [link, '<< /Type /Page /O 5 0 R >>'] }),
          LINK,
        ],
        [
          `of a page’s table, by way of an object${how}`,
          made({ page: '/AA 7 0 R', objects: [link, '<< /O 5 0 R >>', '6 0 R'] }),
          LINK,
        ],
        [
          `after another action${how}`,
          made({
            catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next 6 0 R >>',
            objects: [
              link,
              '<< /S /Named /N /NextPage /Next [7 0 R 5 0 R] >>',
              '<< /S /Named /N /LastPage >>',
            ],
          }),
          LINK,
        ],
        [
          `its address by way of another object${how}`,
          made({
            catalog: '/OpenAction 5 0 R',
            objects: ['<< /Type /Page /URI 6 0 R /S 7 0 R >>', '(https://a.b)', '/URI'],
          }),
          LINK,
        ],
      ]
    }),
    [
      'a link opened by itself whose number is written oddly',
      () => {
        const made = writtenPdf({
          catalog: '/OpenAction 4 0 R',
          objects: ['<< /S /URI /URI (https://exemplo.com.br) >>'],
        })
        return Buffer.from(made.toString('latin1').replace('4 0 obj', '4 %x\n0 obj'), 'latin1')
      },
      LINK,
    ],
    [
      'too many pages',
      () =>
        writtenPdf({
          pages: 2_001,
          objects: Array.from({ length: 2_000 }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'),
        }),
      /no máximo 2\.000 páginas/,
    ],
  ])('the check refuses %s', async (_, make, sentence) => {
    await expect(readPdf(await make())).rejects.toThrow(sentence)
  })
})
