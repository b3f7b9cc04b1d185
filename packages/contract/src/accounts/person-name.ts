import { isSeen, MISSING, UNSEEN } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { isCredential } from './name-credentials.ts'

/** Maximum length of a name in characters. */
export const NAME_LENGTH = 120

/** Returns the name in NFKC with single spaces. */
export const tidyName = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

const control = /\p{Cc}/u
const unwritable = /[\p{Cs}\p{Co}\p{Cn}]/u
/** Modifier letters look like punctuation; these marks draw next to the name. */
const misleading =
  /[\p{Lm}\p{Me}\u1d00-\u1dbf]|[\u035c-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/u
const SIGNS = "' ’ - . , ( ) & @ _"
const allowed = /^(?:\p{L}\p{M}{0,4}|[\d '’\-.,()&@_])*$/u

/** European Latin (with Vietnamese, in NFD) and the scripts of UAX #31, combined as in UTS #39. */
const scripts = [
  'A-Za-z\u00c0-\u0137\u0139-\u017f',
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}',
  '\\p{scx=Han}\\p{scx=Bopo}',
  '\\p{scx=Han}\\p{scx=Hang}',
  ...[
    'Arab',
    'Armn',
    'Beng',
    'Cyrl',
    'Deva',
    'Ethi',
    'Geor',
    'Grek',
    'Gujr',
    'Guru',
    'Hebr',
    'Khmr',
    'Knda',
    'Laoo',
    'Mlym',
    'Mymr',
    'Orya',
    'Sinh',
    'Taml',
    'Telu',
    'Thaa',
    'Thai',
    'Tibt',
  ].map((script) => `\\p{sc=${script}}`),
].map((letters) => new RegExp(`^[\\P{L}${letters}]*$`, 'u'))
const isOneScript = (text: string): boolean => {
  const letters = text.normalize('NFD')
  return scripts.some((script) => script.test(letters))
}

/** A person's name, normalised so that names that look the same are equal and can be compared. */
export const personName = z
  .string(MISSING)
  .overwrite(tidyName)
  .min(1, { error: MISSING, abort: true })
  // The checks after this one take more than linear time.
  .max(NAME_LENGTH, { error: `Use no máximo ${NAME_LENGTH} caracteres.`, abort: true })
  .refine((text) => !control.test(text), 'Retire quebras de linha e caracteres de controle.')
  .refine(isSeen, UNSEEN)
  .refine((text) => !unwritable.test(text), 'Retire os caracteres que não podem ser gravados.')
  .refine(
    (text) => allowed.test(text) && !misleading.test(text),
    `Use apenas letras, números, espaços e os sinais ${SIGNS}`,
  )
  .refine((text) => /\p{L}/u.test(text), 'Escreva o nome com letras.')
  .refine(isOneScript, 'Escreva o nome com letras de um só alfabeto, sem letras fonéticas.')
  .refine((text) => !isCredential(text), 'O nome não leva número de usuário nem registro profissional.')

/** The name in an account update: only a changed name must be a `personName`. */
export const updatedPersonName = z
  .string(MISSING)
  .overwrite(tidyName)
  .min(1, MISSING)
  .max(NAME_LENGTH, `Use no máximo ${NAME_LENGTH} caracteres.`)

/** Converts a name of another system to a `personName` without disallowed characters, or ''. */
export const toPersonName = (text: string): string => {
  const seen = text.replace(/\p{Cc}/gu, ' ').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Lm}]/gu, '')
  const letters = tidyName(seen).replace(/[^\p{L}\p{M}\d '’\-.,()&@_]/gu, ' ')
  return (
    personName.safeParse(
      tidyName(letters)
        .slice(0, NAME_LENGTH)
        .replace(/\p{Cs}/gu, ''),
    ).data ?? ''
  )
}
