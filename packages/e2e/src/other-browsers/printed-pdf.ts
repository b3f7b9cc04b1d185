import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/* Reads printed PDF files with Debian's package poppler-utils. */

export const hasPoppler = ['pdftotext', 'pdftoppm', 'pdfimages'].every((tool) =>
  existsSync(`/usr/bin/${tool}`),
)

/** Levels of 255 below which a pixel counts as black, and the share of a sheet that may be. */
const BLACK = 40
const BLACK_OF_SHEET = 0.05
/** A drawn chart has at least the colours of its lines, its labels and its values. */
const LEAST_COLORS = 8

/** Returns what is wrong with a file of one sheet that must show this number of charts. */
export const faultsOfPdf = async (pdf: string, charts: number): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'printed-'))
  try {
    const run = (tool: string, ...args: string[]) => promisify(execFile)(`/usr/bin/${tool}`, args)
    const { stdout: text } = await run('pdftotext', '-layout', pdf, '-')
    await run('pdftoppm', '-r', '48', pdf, join(folder, 'sheet'))
    await run('pdfimages', pdf, join(folder, 'image'))
    const { stdout: list } = await run('pdfimages', '-list', pdf)
    const names = (await readdir(folder)).sort()
    // Each canvas is an image; its transparency is another one, of the type smask.
    const drawn = await Promise.all(
      [...list.matchAll(/^\s*\d+\s+(\d+)\s+image\s/gm)].map(([, number = '']) =>
        readPixels(folder, `image-${number.padStart(3, '0')}.ppm`),
      ),
    )
    const faults = (text.match(/Dados:.*/g) ?? []).map((caption) => `visible caption: ${caption}`)
    if (drawn.length !== charts) faults.push(`${drawn.length} charts instead of ${charts}`)
    for (const chart of drawn)
      if (colorsOf(chart) < LEAST_COLORS) faults.push(`a chart of ${colorsOf(chart)} colours`)
    const sheets = await Promise.all(
      names.filter((name) => name.startsWith('sheet')).map((name) => readPixels(folder, name)),
    )
    if (sheets.length !== 1) faults.push(`${sheets.length} sheets instead of one`)
    for (const sheet of sheets)
      if (blackOf(sheet) > BLACK_OF_SHEET)
        faults.push(`${Math.round(100 * blackOf(sheet))} % of a sheet is black`)
    return faults
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads a PPM file: a header of four words, then three bytes for each pixel. */
async function readPixels(folder: string, name: string): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, name))
  const header = /^P6\s+\d+\s+\d+\s+\d+\s/.exec(bytes.subarray(0, 60).toString('latin1'))
  if (!header) throw new Error(`${name} is no colour picture`)
  return bytes.subarray(header[0].length)
}

function colorsOf(pixels: Uint8Array): number {
  const colors = new Set<number>()
  for (let at = 0; at < pixels.length; at += 3)
    colors.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0))
  return colors.size
}

function blackOf(pixels: Uint8Array): number {
  let black = 0
  for (let at = 0; at < pixels.length; at += 3)
    if (Math.max(...pixels.subarray(at, at + 3)) < BLACK) black += 1
  return (3 * black) / pixels.length
}
