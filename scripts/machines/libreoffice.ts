import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/* Converts files with LibreOffice, which is another program that reads and writes spreadsheets. */

export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0
/** For the name of a test that is skipped without the program. */
export const NEEDS_LIBREOFFICE = '(skipped without Debian’s package libreoffice-calc)'

/** Tokens 1 to 4 of LibreOffice's filter for CSV: delimiter, double quote, UTF-8, from the first line. */
const csvFilter = (delimiter: string) => `Text - txt - csv (StarCalc):${delimiter.charCodeAt(0)},34,76,1`
/** Delimiters and languages of CSV, in which numbers and dates are read. */
const NOTATIONS = {
  brazilian: { delimiter: ';', language: 1046 },
  english: { delimiter: ',', language: 1033 },
}

/** Its settings on a Brazilian desktop: the currency is the real, and days are written dd/mm/aaaa. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>pt-BR</value></prop></item></oor:items>`

interface Conversion {
  to: 'xlsx' | 'ods' | 'fods'
  /** Numbers of the columns of a CSV, from 1, that a person declares as text in the dialog. */
  asText?: number[]
  /** How a CSV is written; as in Brazil by default. */
  notation?: keyof typeof NOTATIONS
}

/**
 * Converts files of one kind in one run, in their order. Of a CSV, numbers, dates and currencies are
 * detected.
 */
export function convertFiles(
  files: { name: string; bytes: Uint8Array | string }[],
  { to, asText = [], notation = 'brazilian' }: Conversion,
): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'))
  const [source, target, profile] = ['source', 'target', 'profile'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  try {
    mkdirSync(source)
    mkdirSync(join(profile, 'user'), { recursive: true })
    writeFileSync(join(profile, 'user', 'registrymodifications.xcu'), SETTINGS)
    const paths = files.map(({ name, bytes }, index) => {
      const path = join(source, `${index}${extname(name)}`)
      writeFileSync(path, bytes)
      return path
    })
    const isCsv = paths.some((path) => path.endsWith('.csv'))
    const columns = asText.map((column) => `${column}/2`).join('/')
    const { delimiter, language } = NOTATIONS[notation]
    const { status, stderr } = spawnSync(
      'nice',
      [
        '-n',
        '19',
        'soffice',
        '--headless',
        // A profile of its own: otherwise a second run waits for the first one.
        `-env:UserInstallation=${pathToFileURL(profile).href}`,
        ...(isCsv ? [`--infilter=${csvFilter(delimiter)},${columns},${language},false,true`] : []),
        '--convert-to',
        to,
        '--outdir',
        target,
        ...paths,
      ],
      { encoding: 'utf8', timeout: 360_000 },
    )
    if (status !== 0) throw new Error(`LibreOffice ended with ${status}: ${stderr}`)
    return paths.map((path) => readFileSync(join(target, `${basename(path, extname(path))}.${to}`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A cell as LibreOffice keeps it: its type and value, or its text. */
export type OpenedCell = { type: string; value: string } | undefined

/** Returns the cells of each sheet, from a file of the type `fods`. */
export function openedCells(fods: Buffer): Record<string, OpenedCell[][]> {
  const sheets: Record<string, OpenedCell[][]> = {}
  const text = fods.toString()
  for (const [, name = '', body = ''] of text.matchAll(
    /<table:table table:name="([^"]*)"[^>]*>(.*?)<\/table:table>/gs,
  ))
    sheets[plain(name)] = [...body.matchAll(/<table:table-row[^>]*?(?:\/>|>(.*?)<\/table:table-row>)/gs)].map(
      ([, row = '']) => cellsOf(row),
    )
  return sheets
}

function cellsOf(row: string): OpenedCell[] {
  const cells: OpenedCell[] = []
  for (const [, attributes = '', content = ''] of row.matchAll(
    /<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs,
  )) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]
    const type = of('office:value-type')
    const value =
      of('office:value') ?? of('office:date-value') ?? of('office:time-value') ?? of('office:boolean-value')
    const cell = type === undefined ? undefined : { type, value: value ?? textOf(content) }
    const count = Math.min(Number(of('table:number-columns-repeated') ?? 1), 100)
    for (let index = 0; index < count; index++) cells.push(cell)
  }
  return cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1)
}

/** Paragraphs are lines; runs of spaces have an element of their own. */
const textOf = (content: string): string =>
  [...content.matchAll(/<text:p[^>]*?(?:\/>|>(.*?)<\/text:p>)/gs)]
    .map(([, line = '']) =>
      plain(
        line
          .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_all, count) => ' '.repeat(Number(count ?? 1)))
          .replace(/<text:tab\/>/g, '\t')
          .replace(/<[^>]*>/g, ''),
      ),
    )
    .join('\n')

const plain = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#x([0-9a-f]+);/gi, (_all, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll('&amp;', '&')
