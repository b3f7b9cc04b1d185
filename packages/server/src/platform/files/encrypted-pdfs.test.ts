import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { drawnPdf, writtenPdf } from '../../../test/clinical/pdfs.ts'
import { readPdf } from './uploads/read-pdf.ts'
import { validateFile } from './uploads/validate-file.ts'

const ownerPassword = 'segredo'

/** Checks a PDF and its copy without encryption, as two processes do. */
const readWithCopy = async (bytes: Uint8Array): Promise<void> => {
  const copy = await readPdf(bytes)
  if (copy) expect(await readPdf(copy)).toBeUndefined()
}

/** Returns the text and the links of each page. */
const pagesOf = async (bytes: Uint8Array): Promise<string[][]> => {
  const loading = getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false })
  const document = await loading.promise
  const pages: string[][] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const links = (await page.getAnnotations()).map(({ url }) => String(url))
    pages.push([items.map((item) => ('str' in item ? item.str : '')).join(''), ...links])
  }
  await loading.destroy()
  return pages
}

describe('a PDF with only an owner password', () => {
  test.each(['1.3', '1.7', '1.7ext3'] as const)(
    'a PDF with only an owner password of version %s is stored without encryption, with its pages and links',
    async (pdfVersion) => {
      const encrypted = await drawnPdf(
        (document) => {
          document.text('Laudo: sem alterações.', { link: 'https://exemplo.com.br/laudo' })
          document.addPage().text('Página dois.')
        },
        { ownerPassword, pdfVersion, permissions: { printing: 'highResolution' } },
      )
      expect(encrypted.includes('/Encrypt')).toBe(true)
      const { bytes, formato } = await validateFile(encrypted)
      expect(formato).toBe('application/pdf')
      expect(bytes.includes('/Encrypt')).toBe(false)
      expect(await pagesOf(bytes)).toEqual([
        ['Laudo: sem alterações.', 'https://exemplo.com.br/laudo'],
        ['Página dois.'],
      ])
      // It is stored as it was checked, and another check takes it as it is.
      await expect(readPdf(bytes)).resolves.toBeUndefined()
    },
  )

  test('a PDF with only an owner password keeps the values of its fields and its notes', async () => {
    const encrypted = await drawnPdf(
      (document) => {
        document.font('Helvetica')
        document.initForm()
        document.formText('nome', 10, 10, 200, 20, { value: 'Fulana' })
        document.formCheckbox('jejum', 10, 40, 20, 20, { value: 'Yes' })
        document.note(100, 100, 50, 50, 'Ver exame anterior')
      },
      { ownerPassword },
    )
    const { bytes } = await validateFile(encrypted)
    const loading = getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false })
    const page = await (await loading.promise).getPage(1)
    const kept = (await page.getAnnotations()).map(
      ({ fieldValue, contentsObj }) => fieldValue ?? contentsObj.str,
    )
    await loading.destroy()
    expect(kept.sort()).toEqual(['Fulana', 'Ver exame anterior', 'Yes'])
  })

  /** Adds entries to the catalogue, which pdfkit does not write itself. */
  const catalogOf = (document: PDFKit.PDFDocument) =>
    (document as unknown as { _root: { data: Record<string, unknown> } })._root.data
  const written = (document: PDFKit.PDFDocument, entries: Record<string, unknown>) => {
    const made = document.ref(entries)
    made.end(undefined)
    return made
  }
  test.each<[string, (document: PDFKit.PDFDocument) => void, RegExp]>([
    [
      'hidden layers',
      (document) => {
        const layer = written(document, { Type: 'OCG', Name: new String('Rascunho') })
        catalogOf(document).OCProperties = { OCGs: [layer], D: { OFF: [layer] } }
      },
      /camadas, que apareceriam todas na cópia sem a proteção\. Envie o documento sem a proteção/,
    ],
    [
      'a signature',
      (document) => {
        const signature = written(document, { Type: 'Sig', Filter: 'Adobe.PPKLite' })
        const field = written(document, { FT: 'Sig', T: new String('medica'), V: signature })
        document.font('Helvetica')
        document.initForm()
        const form = catalogOf(document).AcroForm as { data: Record<string, unknown> }
        form.data.Fields = [field]
        form.data.SigFlags = 3
      },
      /assinatura digital, que deixaria de valer na cópia sem a proteção\. Peça a quem assinou/,
    ],
    [
      'numbers of its pages',
      (document) => {
        document.addPage()
        catalogOf(document).PageLabels = { Nums: [0, { S: 'r' }] }
      },
      /a cópia sem a proteção não teria tudo o que ele mostra\. Envie o documento sem a proteção/,
    ],
  ])(
    'a PDF with only an owner password is refused with %s, which its copy would lose',
    async (_, draw, sentence) => {
      await expect(readPdf(await drawnPdf(draw, { ownerPassword }))).rejects.toThrow(sentence)
      await expect(readPdf(await drawnPdf(draw))).resolves.toBeUndefined()
    },
  )

  test.each<[string, (document: PDFKit.PDFDocument) => void, RegExp]>([
    ['a script', (document) => document.addNamedJavaScript('a', 'app.alert(1)'), /^O PDF traz um script/],
    [
      'an embedded file',
      (document) => document.file(Buffer.from('x'), { name: 'x.exe' }),
      /^O PDF traz outros arquivos anexados/,
    ],
    [
      'a link that runs script',
      (document) => document.text('x', { link: 'javascript:app.alert(1)' }),
      /link que executa ações/,
    ],
    [
      'an image that unfolds',
      (document) => {
        const stream = document.ref({ Type: 'XObject', Subtype: 'Image', Width: 40_000, Height: 40_000 })
        stream.end(Buffer.alloc(9))
        document.page.xobjects.Im1 = stream
      },
      /se expande demais/,
    ],
  ])('a PDF with only an owner password is refused with %s', async (_, draw, sentence) => {
    const encrypted = await drawnPdf(draw, { ownerPassword })
    await expect(readWithCopy(encrypted)).rejects.toThrow(sentence)
  })
})

test('the check refuses an encryption that pdf.js does not see', async () => {
  const hidden = writtenPdf({ objects: ['<< /Encrypt << /Filter /Standard /V 1 >> >>'] })
  await expect(readPdf(hidden)).rejects.toThrow(/protegido por senha/)
})
