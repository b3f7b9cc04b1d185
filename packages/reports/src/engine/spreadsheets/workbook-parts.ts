import { formatOf, type NumberFormat } from './number-formats.ts'
import { BROKEN, UnreadableSheet } from './unreadable-sheet.ts'
import { attributeOf, prefixedAttributeOf, readXml } from './xml-events.ts'
import type { ZipParts } from './zip-parts.ts'

export interface SheetPart {
  name: string
  isVisible: boolean
  /** The name of its part in the zip. */
  part: string
}

export interface WorkbookParts {
  /** Worksheets in their order; charts and dialogs have no cells. */
  sheets: SheetPart[]
  /** Days are counted from 1904-01-01. */
  is1904: boolean
  /** By the index that cells name (`s`). */
  formats: NumberFormat[]
  /** By the index that cells name. */
  texts: string[]
}

type Relation = { id: string; type: string; target: string; isExternal: boolean }

/** @throws UnreadableSheet when the zip is not a workbook, or parts are missing or broken */
export const readWorkbookParts = (zip: ZipParts): WorkbookParts => {
  const workbook = workbookPart(zip)
  const relations = relationsOf(zip, workbook)
  const byId = new Map(relations.map((relation) => [relation.id, relation]))
  let is1904 = false
  const sheets: SheetPart[] = []
  readXml(zip.read(workbook), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributeOf(attributes, 'date1904'))
      if (name !== 'sheet') return
      const relation = byId.get(prefixedAttributeOf(attributes, 'id') ?? '')
      if (!relation) throw new UnreadableSheet(BROKEN)
      if (!relation.type.endsWith('/worksheet') || relation.isExternal) return
      const state = attributeOf(attributes, 'state')
      sheets.push({
        name: attributeOf(attributes, 'name') ?? '',
        isVisible: state !== 'hidden' && state !== 'veryHidden',
        part: relation.target,
      })
    },
  })
  if (sheets.length === 0) throw new UnreadableSheet('não tem nenhuma aba com células')
  const partOf = (type: string) => relations.find((one) => one.type.endsWith(`/${type}`))?.target
  const [styles, strings] = [partOf('styles'), partOf('sharedStrings')]
  return {
    sheets,
    is1904,
    formats: styles && zip.has(styles) ? readFormats(zip.read(styles)) : [],
    texts: strings && zip.has(strings) ? readTexts(zip.read(strings)) : [],
  }
}

const workbookPart = (zip: ZipParts): string => {
  const root = relationsOf(zip, '').find(({ type }) => type.endsWith('/officeDocument'))
  const part = root?.target ?? 'xl/workbook.xml'
  if (part.endsWith('.bin'))
    throw new UnreadableSheet(
      'está no formato XLSB (binário): no Excel, salve-a como XLSX e envie-a outra vez',
    )
  if (zip.names.includes('content.xml') && zip.names.includes('mimetype'))
    throw new UnreadableSheet('está no formato ODS: no LibreOffice, salve-a como XLSX e envie-a outra vez')
  if (zip.has('Index/Document.iwa') || zip.has('Index.zip'))
    throw new UnreadableSheet('é do Numbers: nele, exporte a planilha como Excel (XLSX) e envie-a outra vez')
  if (zip.has('word/document.xml') || zip.has('ppt/presentation.xml'))
    throw new UnreadableSheet('é um documento do Word ou do PowerPoint: escolha uma planilha do Excel')
  if (!zip.has('[Content_Types].xml') && !zip.has(part))
    throw new UnreadableSheet('é um zip sem planilha: descompacte-o e envie o arquivo que está dentro')
  return part
}

const relationsOf = (zip: ZipParts, part: string): Relation[] => {
  const folder = part.split('/').slice(0, -1)
  const file = [...folder, '_rels', `${part.split('/').at(-1) ?? ''}.rels`].join('/')
  const relations: Relation[] = []
  if (!zip.has(file)) return relations
  readXml(zip.read(file), {
    open(name, attributes) {
      if (name !== 'Relationship') return
      relations.push({
        id: attributeOf(attributes, 'Id') ?? '',
        type: attributeOf(attributes, 'Type') ?? '',
        target: targetOf(folder, attributeOf(attributes, 'Target') ?? ''),
        isExternal: attributeOf(attributes, 'TargetMode') === 'External',
      })
    },
  })
  return relations
}

/** Returns the part's name: a target is relative to the folder of its source, or to the zip. */
const targetOf = (folder: string[], target: string): string => {
  const steps = target.startsWith('/') ? [] : [...folder]
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true' || text === 'on'

/** Returns the number format of each cell style. */
const readFormats = (bytes: Uint8Array): NumberFormat[] => {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let isInCellStyles = false
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'numFmt' && !isInCellStyles)
        codes.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '')
      if (name === 'cellXfs') isInCellStyles = true
      if (name === 'xf' && isInCellStyles) {
        const id = Number(attributeOf(attributes, 'numFmtId') ?? 0)
        formats.push(formatOf(id, codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return formats
}

/** Returns the shared texts, each with its parts joined and without phonetic hints. */
const readTexts = (bytes: Uint8Array): string[] => {
  const texts: string[] = []
  const item = createTextReader()
  readXml(bytes, {
    open(name) {
      if (name === 'si') item.start()
      else item.open(name)
    },
    text: item.text,
    close(name) {
      if (name === 'si') texts.push(item.end())
      else item.close(name)
    },
  })
  return texts
}

/** Joins the texts (`t`) of a rich text, without the phonetic hints (`rPh`) of East Asian ones. */
export const createTextReader = () => {
  let text = ''
  let isText = false
  let isHint = false
  return {
    start() {
      text = ''
      isText = false
      isHint = false
    },
    open(name: string) {
      if (name === 't') isText = true
      if (name === 'rPh') isHint = true
    },
    text(part: string) {
      if (isText && !isHint) text += part
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isHint = false
    },
    end: () => plainText(text),
  }
}

/**
 * Returns a text without the escapes of the format (`_x000D_`), with plain line ends and without
 * control characters, which a CSV and a heading do not accept.
 */
export const plainText = (text: string): string => {
  if (!/_x|[\p{Cc}\s]/u.test(text)) return text
  const whole = text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  return whole
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}](?<![\n\t])/gu, '')
    .trim()
}
