import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { convertSheet } from './convert-sheet.ts'
import { kindOfFile, refuseOtherSpreadsheets } from './file-kind.ts'

/** Returns why a file is not read, as the pages and the command line say it. */
const faultOf = async (name: string, bytes: Uint8Array): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'outro-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'enviado')
  await writeFile(file, bytes)
  try {
    await refuseOtherSpreadsheets(file, name)
  } catch (error) {
    return (error as Error).message
  }
  if ((await kindOfFile(file)) !== 'xlsx') return undefined
  // The contained process calls it.
  const answer = convertSheet(bytes, {}, () => {})
  return 'fault' in answer ? answer.fault : undefined
}

const zip = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8('<x/>')])))
/** The container of Office before 2007. */
const ole = (content: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(content, 'utf16le')])
const related =
  '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>'
const binary = zipSync({ '_rels/.rels': strToU8(related), 'xl/workbook.bin': strToU8('x') })

const files: [what: string, bytes: Uint8Array, own: string, sentence: string][] = [
  [
    'an old workbook',
    ole('Workbook'),
    'a.xls',
    'está no formato XLS, que é antigo: no Excel, salve a planilha como XLSX',
  ],
  ['a workbook with a password', ole('EncryptedPackage'), 'a.xlsx', 'tem senha: no Excel, tire a senha'],
  ['a binary workbook', binary, 'a.xlsb', 'está no formato XLSB'],
  [
    'an OpenDocument sheet',
    zip('mimetype', 'content.xml'),
    'a.ods',
    'está no formato ODS: no LibreOffice, salve',
  ],
  [
    'a sheet of Numbers',
    zip('Index/Document.iwa', 'preview.jpg'),
    'a.numbers',
    'é do Numbers: nele, exporte',
  ],
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'a.pdf', 'é um PDF, que não tem colunas: exporte os dados como XLSX'],
  ['a Word document', zip('[Content_Types].xml', 'word/document.xml'), 'a.docx', 'é um documento do Word'],
  ['a zip of something else', zip('dados.csv'), 'a.zip', 'é um zip sem planilha: descompacte-o'],
]

// Their content decides: names are often wrong.
test.each(files)('%s gets its own sentence with the way out', async (_what, bytes, own, sentence) => {
  for (const name of [own, 'a.xlsx', 'a.csv']) {
    const fault = await faultOf(name, bytes)
    expect(fault, name).toContain(sentence)
    expect(fault, name).toMatch(/salve|tire|exporte|escolha|descompacte/)
  }
})
