/*
 * Days and moments as a spreadsheet shows them with their number format, such as 'mmm/yy'. In a
 * heading, they are the name of a column.
 */

const named = (locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
/** Short names are the first three letters of the long ones, in both languages. */
const SHORT = 3
/** The languages of formats that name English, such as `[$-409]mmm-yy`. */
const ENGLISH = /\[\$-(?:0*(?:4|8|C|10|14)09|en)/i

const two = (value: number): string => String(value).padStart(2, '0')

/**
 * Returns what writes a moment with a section of a number format; undefined with parts of a second, or
 * half days.
 */
export const momentTextOf = (section: string): ((at: Date) => string) | undefined => {
  const locale = ENGLISH.test(section) ? 'en-US' : 'pt-BR'
  const bare = section.replace(/\[[^\]]*\]/g, '')
  if (/AM\/PM|A\/P|s[.,]0|[ebg]/i.test(bare.replace(/"[^"]*"?|\\./gs, ''))) return undefined
  const parts = bare.match(/"[^"]*"?|\\.|[_*].|([ymdhsa])\1*|./gis) ?? []
  const letters = parts.map((part) => (/^[ymdhsa]/i.test(part) ? part.toLowerCase() : ''))
  const months = named(locale, { month: 'long' })
  const weekdays = named(locale, { weekday: 'long' })
  return (at) =>
    parts
      .map((part, index) => {
        const code = letters[index] ?? ''
        if (!code) return literalOf(part)
        if (code.startsWith('m') && isMinutes(letters, index)) return numberOf(at.getUTCMinutes(), code)
        return textOf(at, code, months, weekdays)
      })
      .join('')
      .trim()
}

/** After hours or before seconds, one or two m are minutes. */
const isMinutes = (letters: string[], index: number): boolean => {
  const before = letters.slice(0, index).findLast(Boolean)
  const after = letters.slice(index + 1).find(Boolean)
  return (letters[index]?.length ?? 0) <= 2 && (/^h/.test(before ?? '') || /^s/.test(after ?? ''))
}

const numberOf = (value: number, { length }: string): string => (length === 1 ? String(value) : two(value))

const nameOf = (name: string, { length }: string): string => {
  if (length === SHORT) return name.slice(0, SHORT)
  return length === 5 ? name.slice(0, 1) : name
}

const textOf = (
  at: Date,
  code: string,
  months: Intl.DateTimeFormat,
  weekdays: Intl.DateTimeFormat,
): string => {
  switch (code[0]) {
    case 'd':
      return code.length <= 2 ? numberOf(at.getUTCDate(), code) : nameOf(weekdays.format(at), code)
    case 'm':
      return code.length <= 2 ? numberOf(at.getUTCMonth() + 1, code) : nameOf(months.format(at), code)
    case 'h':
      return numberOf(at.getUTCHours(), code)
    case 's':
      return numberOf(at.getUTCSeconds(), code)
    default:
      return code.length <= 2 ? two(at.getUTCFullYear() % 100) : String(at.getUTCFullYear()).padStart(4, '0')
  }
}

/** A text in quotes, an escaped letter, or room for one. */
const literalOf = (part: string): string => {
  if (part.startsWith('"')) return part.replaceAll('"', '')
  if (part.startsWith('\\')) return part.slice(1)
  return /^[_*]./s.test(part) ? '' : part
}
