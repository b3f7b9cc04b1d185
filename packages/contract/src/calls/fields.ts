import { emailOf } from './email.ts'
import { z } from './zod.ts'

/* Field schemas of the back office. The messages are shown to the person who typed. */

export const MISSING = 'É necessário preencher este campo.'

/** The message of the medical records' forms. */
export const REQUIRED = 'Campo obrigatório'

// biome-ignore lint/suspicious/noControlCharactersInRegex: refuses them; PostgreSQL rejects NUL
const withoutControls = /^[^\u0000-\u001f\u007f]*$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: only line breaks and tabs pass
const withoutStrayControls = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/

/**
 * Characters that draw nothing, or change the order in which others are read. The Braille blank is
 * a symbol in Unicode, but looks like a space.
 */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether each character of a name can be seen. */
export const isSeen = (text: string): boolean => !unseen.test(text)

/** The message for a name that is not `isSeen`. */
export const UNSEEN = 'Retire os caracteres invisíveis.'

/** A required line of text: trimmed, NFC, without control characters. */
export const requiredLine = (max: number, missing: string = MISSING) => lineOf(1, max, missing)

/** A line of text that may be empty: trimmed, NFC, without control characters. */
export const optionalLine = (max: number) => lineOf(0, max, MISSING)

const lineOf = (min: number, max: number, missing: string) =>
  z
    .string(missing)
    .trim()
    .normalize('NFC')
    .min(min, missing)
    .max(max, `Use no máximo ${max} caracteres.`)
    .regex(withoutControls, 'Retire quebras de linha e caracteres de controle.')
    // A lone surrogate is valid in JSON, but not in UTF-8 and PostgreSQL.
    .refine((text) => text.isWellFormed(), 'Retire os caracteres que não podem ser gravados.')

// biome-ignore lint/suspicious/noControlCharactersInRegex: replaces control characters.
const controls = /[\u0000-\u001f\u007f]+/g

/** Returns a text from elsewhere as `requiredLine(max)` accepts it, cut with '…' if necessary. */
export const fittingLine = (text: string, max: number): string => {
  const line = text.toWellFormed().replace(controls, ' ').normalize('NFC').trim()
  if (line.length <= max) return line
  // A cut through a surrogate pair would leave a character that cannot be stored.
  return `${line
    .slice(0, max - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

/** A required multi-line text: trimmed, NFC; no control characters but line breaks and tabs. */
export const requiredParagraph = (max: number, missing: string = MISSING) =>
  z
    .string(missing)
    .transform((text) => text.replace(/\r\n?/g, '\n').trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(1, missing)
        .max(max, { error: () => `Use no máximo ${max.toLocaleString('pt-BR')} caracteres.` })
        .regex(withoutStrayControls, 'Retire os caracteres de controle.')
        .refine((text) => text.isWellFormed(), 'Retire os caracteres que não podem ser gravados.'),
    )

/** A day of the calendar, as yyyy-mm-dd. PostgreSQL has no year 0. */
export const calendarDay = (message: string) =>
  z.iso.date(message).refine((day) => !day.startsWith('0000'), message)

/**
 * An instant that a person typed, in UTC. Earlier years are mistakes, which a database may refuse or read
 * as other years.
 */
export const typedInstant = (message: string) =>
  z.iso.datetime(message).refine((text) => text >= '1900', message)

/** An existing day, as dd/mm/aaaa. */
export const brazilianDay = z
  .string('Informe uma data válida.')
  .trim()
  .refine((text) => isoDayOf(text) !== undefined, 'Informe uma data válida (dd/mm/aaaa).')

/** Returns '2026-03-10' for '10/03/2026'; undefined for an invalid day or one before 1800. */
export const isoDayOf = (text: string): string | undefined => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  if (!year || year < '1800') return undefined
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}

/** Returns '10/03/2026' for '2026-03-10'. */
export const brazilianDayOf = (iso: string): string => iso.slice(0, 10).split('-').reverse().join('/')

/** An id of ours in a body: a number, or its digits as a string, as older clients send it. */
export const idField = (message = 'Escolha uma opção.') =>
  z
    .union([z.number(), z.string().regex(/^\d{1,10}$/, message)], message)
    .transform(Number)
    .refine((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647, message)

export const guidField = (message: string) => z.guid(message)

/** Accepts an empty string as null. */
export const emptyAsNull = <S extends z.ZodType>(schema: S) =>
  z.union([z.literal('').transform(() => null), z.null(), schema], {
    // Reports the schema's own message instead of the union's.
    error: ({ code, errors }) => (code === 'invalid_union' ? errors.at(-1)?.[0]?.message : undefined),
  })

/** Accepts one line of text, or null; an empty string is null. */
export const nullableLine = (max: number) => emptyAsNull(requiredLine(max))

/** The last day (yyyy-mm-dd, America/Sao_Paulo) of an account or an access; null: no end. */
export const lastDay = emptyAsNull(calendarDay('Informe uma data válida.'))

/** The user of an effective identity, within Microsoft's limits. */
export const identityUser = z
  .string()
  .trim()
  .max(256, 'Use no máximo 256 caracteres.')
  .regex(/^[\x21-\x7e]+$/, 'Use só letras sem acento, algarismos e sinais, sem espaços.')

/** A list of at most `max` ids of ours, deduplicated. */
export const idList = (max: number) =>
  z
    .array(idField())
    .max(max, `No máximo ${max} de uma vez.`)
    .transform((ids) => [...new Set(ids)])

export const PasswordDraft = z
  .string(MISSING)
  .min(1, { error: MISSING, abort: true })
  .min(8, 'A senha precisa de ao menos 8 caracteres.')
  .max(200, 'A senha pode ter no máximo 200 caracteres.')

/** An e-mail in the form of `emailOf`. */
export const Email = z
  .string(MISSING)
  .trim()
  .normalize('NFC')
  .min(1, MISSING)
  .max(254, 'Use no máximo 254 caracteres.')
  .transform((text, context) => {
    const email = emailOf(text)
    if (email === undefined) context.addIssue({ code: 'custom', message: 'Informe um e-mail válido.' })
    else if (email.length > 254)
      context.addIssue({ code: 'custom', message: 'Use no máximo 254 caracteres.' })
    return email ?? z.NEVER
  })

/** An address or a network of IPv4 or IPv6, such as 203.0.113.0/24. */
const Network = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
      error: ({ input }) =>
        `“${String(input).slice(0, 50)}” não é um endereço nem uma rede, como 203.0.113.0/24.`,
    }),
  )

/** At most this many addresses and networks, each once. */
export const networks = (max: number) =>
  z
    .array(Network)
    .max(max, `Informe no máximo ${max} redes.`)
    .transform((list) => [...new Set(list)])
