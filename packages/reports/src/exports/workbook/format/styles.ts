/*
 * The styles of the file. A cell names its style by its place in `STYLES`.
 */

/** Number formats by Excel's codes; programs show them with their own separators. */
const numberFormats = {
  general: 'General',
  whole: '#,##0',
  decimal: '#,##0.0#',
  oneDecimal: '#,##0.0',
  twoDecimals: '#,##0.00',
  percent: '0.0%',
  money: '[$R$-416] #,##0.00;-[$R$-416] #,##0.00',
  wholeMoney: '[$R$-416] #,##0;-[$R$-416] #,##0',
  day: 'dd/mm/yyyy',
  month: 'mmm/yy',
  instant: 'dd/mm/yyyy hh:mm',
  instantWithSeconds: 'dd/mm/yyyy hh:mm:ss',
  clock: 'hh:mm:ss',
  /** LibreOffice shows 1 and 0 without it; Excel ignores it. Each writes the words of its language. */
  truth: '"TRUE";"TRUE";"FALSE"',
} as const
export type NumberStyle = keyof typeof numberFormats

const numberStyles = Object.keys(numberFormats) as NumberStyle[]

/** The decimals that a format shows, of the number as it is stored. */
const decimalsOf: Partial<Record<NumberStyle, number>> = {
  whole: 0,
  wholeMoney: 0,
  oneDecimal: 1,
  decimal: 2,
  twoDecimals: 2,
  money: 2,
  percent: 3,
}

/** The same formats without the sign, for negative numbers that are shown as zero. */
const unsignedStyles = Object.keys(decimalsOf) as NumberStyle[]
const unsignedFormat = (style: NumberStyle) => {
  const [positive = ''] = numberFormats[style].split(';')
  return `${positive};${positive}`
}

/** Texts have the format of text: a program does not read them as formulas when they are edited. */
const textStyles = ['text', 'fact', 'heading', 'label', 'title', 'note'] as const
export type Style = NumberStyle | (typeof textStyles)[number]

const STYLES: readonly Style[] = [...numberStyles, ...textStyles]
export const styleNumber = (style: Style): number => STYLES.indexOf(style)

/** Returns the style of a number: one that rounds to zero has no sign, as in 'R$ 0,00'. */
export const numberStyleNumber = (number: number, style: NumberStyle): number => {
  const decimals = decimalsOf[style]
  const isZero = number < 0 && decimals !== undefined && -number < 0.5 / 10 ** decimals
  return isZero ? STYLES.length + unsignedStyles.indexOf(style) : styleNumber(style)
}

/** Excel's own number of the format of text. */
const TEXT_FORMAT = 49
/** The first number for formats that a file defines. */
const OWN_FORMATS = 164

const fonts = {
  plain: '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  bold: '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  title: '<font><b/><sz val="16"/><name val="Calibri"/><family val="2"/></font>',
  note: '<font><i/><sz val="11"/><color rgb="FF55636F"/><name val="Calibri"/><family val="2"/></font>',
}
const fontNumber = (name: keyof typeof fonts) => Object.keys(fonts).indexOf(name)

const textForms: Record<(typeof textStyles)[number], string> = {
  text: 'fontId="0" fillId="0" borderId="0" applyAlignment="1"><alignment vertical="top"/>',
  fact: 'fontId="0" fillId="0" borderId="0" applyAlignment="1"><alignment vertical="top" wrapText="1" horizontal="left"/>',
  heading: `fontId="${fontNumber('bold')}" fillId="2" borderId="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="center" wrapText="1"/>`,
  label: `fontId="${fontNumber('bold')}" fillId="0" borderId="0" applyFont="1" applyAlignment="1"><alignment vertical="top"/>`,
  title: `fontId="${fontNumber('title')}" fillId="0" borderId="0" applyFont="1">`,
  note: `fontId="${fontNumber('note')}" fillId="0" borderId="0" applyFont="1">`,
}

const formatCodes = [
  ...numberStyles.map((name) => numberFormats[name]),
  ...unsignedStyles.map(unsignedFormat),
]
const numberForm = (format: number) =>
  `<xf numFmtId="${OWN_FORMATS + format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf>`

export const stylesXml = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${formatCodes.length}">`,
  ...formatCodes.map(
    (code, index) =>
      `<numFmt numFmtId="${OWN_FORMATS + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  ),
  '</numFmts>',
  `<fonts count="${Object.keys(fonts).length}">${Object.values(fonts).join('')}</fonts>`,
  '<fills count="3"><fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE4F1EF"/><bgColor indexed="64"/></patternFill></fill></fills>',
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
  '<border><left/><right/><top/><bottom style="thin"><color rgb="FF0F766E"/></bottom><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${STYLES.length + unsignedStyles.length}">`,
  ...numberStyles.map((_, index) => numberForm(index)),
  ...textStyles.map(
    (name) => `<xf numFmtId="${TEXT_FORMAT}" xfId="0" applyNumberFormat="1" ${textForms[name]}</xf>`,
  ),
  ...unsignedStyles.map((_, index) => numberForm(numberStyles.length + index)),
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('')
