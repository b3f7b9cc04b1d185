import { z } from 'zod'
import { MISSING } from './fields.ts'
import { councils } from './professional-registration.ts'

/** Characters of a name, at most. */
export const NAME_LENGTH = 120

/** The name in Unicode's compatible composed form, with single spaces. */
export const tidyName = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

const control = /\p{Cc}/u
// The Braille blank is a symbol to Unicode, and a space to the eye.
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Phonetic letters, modifier letters and dots: they look like letters and separators of ours, and are in no name. */
const misleading = /[\u0250-\u02ff\u1d00-\u1dbf\u00b7\u2022\u2027\u2219\u22c5]/u
/** What stands beside an author's name is never part of it. */
const credential = new RegExp(`(usu[aá]rio|${councils.join('|')})[^\\p{L}]*\\d`, 'iu')
const unwritable = /[\p{Cs}\p{Co}\p{Cn}]/u

/** A person's name: names that look the same to a reader are written the same, so that they can be compared. */
export const personName = z
  .string(MISSING)
  .overwrite(tidyName)
  .min(1, MISSING)
  .max(NAME_LENGTH, `Use no máximo ${NAME_LENGTH} caracteres.`)
  .refine((text) => !control.test(text), 'Retire quebras de linha e caracteres de controle.')
  .refine((text) => !unseen.test(text), 'Retire os caracteres invisíveis.')
  .refine(
    (text) => !misleading.test(text),
    'Retire os símbolos e letras fonéticas: eles se confundem com outros.',
  )
  .refine((text) => !credential.test(text), 'O nome não leva número de usuário nem registro profissional.')
  .refine((text) => !unwritable.test(text), 'Retire os caracteres que não podem ser gravados.')

/** A name of another system, without what a name of ours may not contain; empty where nothing is left. */
export const sanitizedName = (text: string): string => {
  const seen = text
    .replace(new RegExp(control, 'gu'), ' ')
    .replace(new RegExp(`${unseen.source}|${misleading.source}|${unwritable.source}`, 'gu'), '')
  // Half a surrogate pair, which the cut may leave, cannot be written.
  return tidyName(
    tidyName(seen)
      .slice(0, NAME_LENGTH)
      .replace(/\p{Cs}/gu, '')
      .replace(credential, (text) => text.replace(/\d/g, '')),
  )
}
