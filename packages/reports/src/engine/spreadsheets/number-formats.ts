import { momentTextOf } from './moment-text.ts'

/**
 * What a number format says a number is. `foreign` is an amount in another currency than the real,
 * `elapsed` a duration (`[h]:mm`), `mask` a code whose zeros and marks count (`00000-000`).
 */
export type FormatKind =
  | 'number'
  | 'money'
  | 'foreign'
  | 'percent'
  | 'date'
  | 'datetime'
  | 'time'
  | 'elapsed'
  | 'mask'
  | 'boolean'
  | 'text'

export interface NumberFormat {
  kind: FormatKind
  /** The format shows parts of a second. */
  hasFraction: boolean
  /** Returns a code as the sheet shows it; undefined when the format shows this number otherwise. */
  maskOf?: (value: number) => string | undefined
  /** Returns a day or a moment as the sheet shows it; missing where the format has other parts. */
  momentText?: (at: Date) => string
}

const PLAIN: NumberFormat = { kind: 'number', hasFraction: false }

/**
 * The built-in formats that a file only names by their number (ECMA-376, part 1, 18.8.30). Excel
 * shows numbers 5 to 8, 42 and 44 in the currency of its region, which here is the real.
 */
const BUILT_IN: Record<number, string> = {
  9: '0%',
  10: '0.00%',
  14: 'dd/mm/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'dd/mm/yyyy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  49: '@',
}
for (const id of [5, 6, 7, 8, 42, 44]) BUILT_IN[id] = '"R$" #,##0.00'
// Dates of East Asian regions.
for (const id of [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) BUILT_IN[id] = 'dd/mm/yyyy'
for (const id of [32, 33, 34, 35, 55, 56]) BUILT_IN[id] = 'h:mm'

const known = new Map<string, NumberFormat>()

/** Returns what a format means: its own code, or the built-in one of its number. */
export const formatOf = (id: number, code: string | undefined): NumberFormat => {
  const text = code ?? BUILT_IN[id]
  if (text === undefined || text === '' || /^general$/i.test(text)) return PLAIN
  const found = known.get(text)
  if (found) return found
  const format = parsed(text)
  known.set(text, format)
  return format
}

/** `sign`: what makes a number of the digits, such as a decimal point. */
type Token = { kind: 'literal' | 'placeholder' | 'sign'; text: string }

const parsed = (code: string): NumberFormat => {
  if (TRUTH.test(code)) return { kind: 'boolean', hasFraction: false }
  const sections = sectionsOf(code)
  const [first = ''] = sections
  const bare = withoutLiterals(first)
  if (/\[(h+|m+|s+)\]/i.test(bare)) return { kind: 'elapsed', hasFraction: /[.,]0/.test(bare) }
  // A region, a color or a condition.
  const letters = bare.replace(/\[[^\]]*\]/g, '')
  if (isReal(first)) return { kind: 'money', hasFraction: false }
  if (isForeign(first)) return { kind: 'foreign', hasFraction: false }
  if (letters.includes('%')) return { kind: 'percent', hasFraction: false }
  const moment = momentOf(letters)
  if (moment) return withMomentText(moment, first)
  if (/^\s*@\s*$/.test(letters)) return { kind: 'text', hasFraction: false }
  if (sections.some((section) => isMask(tokensOf(section))))
    return { kind: 'mask', hasFraction: false, maskOf: maskWith(sections) }
  return PLAIN
}

/** LibreOffice saves a truth value as the number 1 or 0 with this format. */
const TRUTH = /^"(TRUE|VERDADEIRO)";"\1";"(FALSE|FALSO)"$/i

/** R$ as a literal ("R$", R\$) or as a region's currency ([$R$-416], [$BRL]), and not US$ or AR$. */
const isReal = (section: string): boolean => /(^|[^A-Z])R\\?\$|\[\$BRL\b/i.test(section.replace(/"/g, ''))

/** The sign of another currency; `[$-416]` names a region only. */
const isForeign = (section: string): boolean => /[$€£¥]/.test(section.replace(/\[\$-[^\]]*\]/g, ''))

/** Splits at semicolons outside quotes, brackets and escapes. */
const sectionsOf = (code: string): string[] => {
  const sections = ['']
  for (const part of code.match(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]|./gs) ?? []) {
    if (part === ';') sections.push('')
    else sections[sections.length - 1] += part
  }
  return sections
}

const withoutLiterals = (section: string): string => section.replace(/"[^"]*"?|\\.|[_*]./gs, '')

/** Letters of dates and times; Portuguese programs write years as `aaaa`. */
const momentOf = (bare: string): NumberFormat | undefined => {
  const hasHalfDay = /AM\/PM|A\/P/i.test(bare)
  const letters = bare.replace(/AM\/PM|A\/P/gi, '').replace(/general/gi, '')
  if (/[0#?]/.test(letters.replace(/[sS][.,]0+/g, ''))) return undefined
  if (!/[ymdhs]|a{2,4}/i.test(letters)) return undefined
  // A word is no format of dates: 'Padrão' is what some programs call General.
  if (/(?![ymdhsaegb])\p{L}/iu.test(letters)) return undefined
  const hasFraction = /s[.,]0/i.test(letters)
  const hasTime = hasHalfDay || /[hs]/i.test(letters)
  // With hours or seconds, one group of m are minutes.
  const others = hasTime ? letters.replace(/h+[^a-z]*m{1,2}(?!m)|(?<!m)m{1,2}[^a-z]*s+/gi, '') : letters
  const hasDay = /[yd]|a{2,4}/i.test(letters) || /m/i.test(others)
  if (hasDay) return { kind: hasTime ? 'datetime' : 'date', hasFraction }
  return { kind: 'time', hasFraction }
}

const withMomentText = (format: NumberFormat, section: string): NumberFormat => {
  const momentText = momentTextOf(section)
  return momentText ? { ...format, momentText } : format
}

const tokensOf = (section: string): Token[] => {
  const parts = section.replace(/\[[^\]]*\]/g, '').match(/"[^"]*"?|\\.|[_*].|./gs) ?? []
  return parts.map((part): Token => {
    if (/^[0#?]$/.test(part)) return { kind: 'placeholder', text: part }
    if (part.startsWith('"')) return { kind: 'literal', text: part.replaceAll('"', '') }
    if (part.startsWith('\\')) return { kind: 'literal', text: part.slice(1) }
    // Room for a letter, or one that fills the cell.
    if (/^[_*]./s.test(part)) return { kind: 'literal', text: '' }
    if (/^[.,%eE/]$/.test(part)) return { kind: 'sign', text: part }
    return { kind: 'literal', text: part }
  })
}

/**
 * Whether a section writes a code and not an amount: its digits have marks between them, or leading
 * zeros, and neither thousands nor decimals.
 */
const isMask = (tokens: Token[]): boolean => {
  const digits = tokens.flatMap(({ kind }, index) => (kind === 'placeholder' ? [index] : []))
  const [first, last] = [digits[0], digits.at(-1)]
  if (first === undefined || last === undefined || digits.length < 2) return false
  const inner = tokens.slice(first, last + 1)
  const isZeros = digits.every((index) => tokens[index]?.text === '0')
  // Among zeros, a slash is a mark (a CNPJ); with # or ?, it makes a fraction.
  if (tokens.some(({ kind, text }) => kind === 'sign' && !(text === '/' && isZeros))) return false
  // With # or ?, a space separates thousands.
  return isZeros || inner.some(({ kind, text }) => kind !== 'placeholder' && text.trim() !== '')
}

const maskWith = (sections: string[]): ((value: number) => string | undefined) => {
  const choices = sections.map((section) => {
    const tokens = tokensOf(section)
    return { tokens, isMask: isMask(tokens), test: conditionOf(section) }
  })
  const hasConditions = choices.some(({ test }) => test)
  return (value) => {
    if (!Number.isSafeInteger(value) || value < 0) return undefined
    const chosen = hasConditions
      ? choices.find(({ test }) => !test || test(value))
      : (value === 0 && choices[2]) || choices[0]
    return chosen?.isMask ? written(chosen.tokens, String(value)) : undefined
  }
}

const conditionOf = (section: string): ((value: number) => boolean) | undefined => {
  const [, sign, limit] = /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/.exec(section) ?? []
  const most = Number(limit)
  if (sign === '<') return (value) => value < most
  if (sign === '<=') return (value) => value <= most
  if (sign === '>') return (value) => value > most
  if (sign === '>=') return (value) => value >= most
  if (sign === '=') return (value) => value === most
  return sign === '<>' ? (value) => value !== most : undefined
}

/** Puts digits into placeholders from the right; the leftmost one takes all that remain. */
const written = (tokens: Token[], digits: string): string => {
  const first = tokens.findIndex(({ kind }) => kind === 'placeholder')
  let left = digits
  let text = ''
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index] as Token
    if (token.kind !== 'placeholder') {
      text = token.text + text
      continue
    }
    const taken = index === first ? left : left.slice(-1)
    left = index === first ? '' : left.slice(0, -1)
    text = (taken || (token.text === '0' ? '0' : '')) + text
  }
  return text.trim()
}
