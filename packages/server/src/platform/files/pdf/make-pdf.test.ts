import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPdf } from '../../../../test/clinical/pdf-text.ts'
import { plainLetterhead } from '../../brand/brand.ts'
import { makePdf, type PdfPart } from './make-pdf.ts'

const made = {
  about: 'Fulana de Tal · 77-1',
  by: 'Ana Médica',
  at: new Date('2026-03-10T02:30:00Z'),
  letterhead: plainLetterhead,
}

const textOf = async (parts: PdfPart[]) => {
  const { pages } = await readPdf(await makePdf({ title: 'Relação', parts, ...made }))
  return pages
}

test('each page has its number of how many, who made it and when, and what the law says of it', async () => {
  const text = Array.from({ length: 150 }, (_, n) => `Linha ${n + 1} ≥ 140 µg → ç Ã õ “é” – ½ €`).join('\n')
  const pages = await textOf([{ heading: 'Seção' }, { label: 'Evolução', text }])
  expect(pages.length).toBeGreaterThan(2)
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Página ${index + 1} de ${pages.length}`)
    expect(page).toContain('Gerado em 09/03/2026 às 23:30 por Ana Médica')
    expect(page).toContain('Contém dados pessoais sensíveis (LGPD, art. 5º, II)')
    expect(page).toContain('BI Manager')
    expect(page).toContain('Fulana de Tal · 77-1')
  }
  // Every line once, in order, over all pages.
  const lines = pages.flatMap((page) => page.split('\n').filter((line) => line.startsWith('Linha ')))
  expect(lines.map((line) => line.replace(/BI Manager.*$/, ''))).toEqual(text.split('\n'))
})

test('a document reads the same whatever was drawn before it', async () => {
  // The accented letters are drawn with the plain one's shape.
  await textOf([{ text: 'Ŵ Ẁ' }])
  for (let n = 0; n < 2; n += 1) expect((await textOf([{ text: 'Wagner' }]))[0]).toContain('Wagner')
})

test('an error among the parts is the answer, and the next document is drawn', async () => {
  async function* broken(): AsyncGenerator<PdfPart> {
    yield { text: 'Começo' }
    throw new Error('the database is gone')
  }
  await expect(makePdf({ title: 'Relação', parts: broken(), ...made })).rejects.toThrow(
    'the database is gone',
  )
  expect((await textOf([{ text: 'Depois' }]))[0]).toContain('Depois')
})

test('documents that are drawn at the same time do not hold up the thread that answers', async () => {
  const parts = Array.from({ length: 60 }, () => ({ text: 'Paciente em acompanhamento. '.repeat(100) }))
  const before = performance.eventLoopUtilization()
  await Promise.all(Array.from({ length: 4 }, () => makePdf({ title: 'Relação', parts, ...made })))
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
})

test('the metadata have the title and the portal, and nothing of the content or of who asked', async () => {
  const bytes = await makePdf({
    title: 'Prontuário nº 12',
    parts: [{ rows: [['Nome do beneficiário', 'Maria Secreta']] }],
    ...made,
  })
  const { info } = await readPdf(bytes)
  expect(info).toMatchObject({
    Title: 'Prontuário nº 12',
    Creator: 'BI Manager',
    Producer: 'BI Manager',
    Language: 'pt-BR',
    CreationDate: 'D:20260310023000Z',
  })
  expect(info.Author).toBeUndefined()
  // Of the fonts (1.4 MB) only the letters that are used.
  expect(bytes.length).toBeLessThan(50_000)
})

test('labels stand beside their values, however long; an empty value is a dash', async () => {
  const long = 'Palavra '.repeat(1_500).trim()
  const pages = await textOf([
    {
      rows: [
        ['Curto', 'sim'],
        ['Vazio', ''],
        ['Longo', long],
        ['Depois', 'fim'],
      ],
    },
  ])
  expect(pages.length).toBeGreaterThan(1)
  expect(pages[0]?.slice(0, 60)).toContain('Curto sim\nVazio –')
  expect(pages.at(-1)).toContain('Depois fim')
  expect(pages.join('').match(/Palavra/g)).toHaveLength(1_500)
})

test('a heading is not left alone at the foot of a page', async () => {
  for (let lines = 40; lines < 60; lines += 1) {
    const text = Array.from({ length: lines }, () => 'Linha').join('\n')
    const pages = await textOf([{ text }, { heading: 'Próxima seção' }, { text: 'Depois dela' }])
    const page = pages.find((one) => one.includes('Próxima seção'))
    expect(page, String(lines)).toContain('Depois dela')
  }
})

test('characters that no font has a sign for are left out', async () => {
  const [page] = await textOf([{ text: 'a\tb\u0000\u0085c\r\nd' }])
  expect(page).toContain('a bc\nd')
})

test('words longer than a line are broken, all of them kept, and cost no more than others', async () => {
  const pages = await textOf([{ text: 'x'.repeat(10_000) }])
  expect(pages.join('').match(/x/g)).toHaveLength(10_000)
  const fastest = async (text: string) => {
    const times = []
    for (let run = 0; run < 3; run += 1) {
      const started = performance.now()
      await makePdf({ title: 'Relação', parts: [{ text }], ...made })
      times.push(performance.now() - started)
    }
    return Math.min(...times)
  }
  // Left to themselves they take some thirty times as long.
  expect((await fastest('x'.repeat(10_000))) / (await fastest('xxxxxxx '.repeat(1_250)))).toBeLessThan(5)
})

test('each page has the name and the logo of the company, and the document its colour', async () => {
  const logo = await sharp({ create: { width: 400, height: 100, channels: 4, background: '#7a1f5c80' } })
    .png()
    .toBuffer()
  const letterhead = { name: 'Rede Horizonte', color: '#7a1f5c', logo }
  const long = 'Linha\n'.repeat(150)
  const bytes = await makePdf({ title: 'Relação', parts: [{ text: long }], ...made, letterhead })
  const { pages, info, images } = await readPdf(bytes)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) {
    expect(page).toContain('Rede Horizonte')
    expect(page).toContain('Fulana de Tal · 77-1')
    expect(page).not.toContain('BI Manager')
  }
  expect(info.Creator).toBe('BI Manager')
  // On each page, but in the file once.
  expect(images).toEqual(pages.map(() => 1))
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2)
  const plain = await makePdf({ title: 'Relação', parts: [{ text: long }], ...made })
  expect((await readPdf(plain)).images).toEqual(pages.map(() => 0))
})
