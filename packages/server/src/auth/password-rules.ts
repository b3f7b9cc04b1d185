import { createRequire } from 'node:module'
import { Problem } from '../problem.ts'
import { portugueseCommonPasswords } from './common-passwords-pt.ts'
import { isPredictable } from './predictable-text.ts'

/** Whom the password is for: it must not be what anybody would try first about them. */
export interface PasswordOwner {
  nomeUsuario: string
  emailUsuario: string
}

const productName = 'BI Manager'

/**
 * What keeps a password from being taken, as a Portuguese sentence; undefined when it may be used. Length is judged by the
 * contract; here: the commonest passwords, Portuguese ones included, and what is guessed from the person's or company's name.
 */
export const weaknessOf = (
  password: string,
  owner: PasswordOwner,
  companyName: string | undefined,
): string | undefined => {
  const folded = fold(password)
  if (isPredictable(folded)) return texts.predictable
  const unit = repeatedUnit(folded)
  const cores = [...new Set([folded, unit].flatMap(coresOf))]
  if (cores.some((core) => isOfNames(core, [owner.nomeUsuario, companyName ?? '', productName])))
    return texts.name
  if (cores.some((core) => isOfEmail(core, owner.emailUsuario))) return texts.name
  if ([folded, unit, ...cores].some((text) => commonPasswords().has(text))) return texts.common
  return undefined
}

const texts = {
  common:
    'Esta senha está entre as mais usadas, e por isso é das primeiras que alguém tentaria. Escolha outra.',
  name: 'A senha não pode ser o nome, o e-mail, a empresa ou o portal com números em volta. Escolha outra.',
  predictable: 'Repetições, datas e sequências como 12345678 são fáceis de adivinhar. Escolha outra senha.',
}

/** @throws Problem 422 at `field` when the password is too weak for this person */
export const assertPassword = (
  password: string,
  { owner, companyName, field }: { owner: PasswordOwner; companyName: string | undefined; field: string },
): void => {
  const weakness = weaknessOf(password, owner, companyName)
  if (weakness) throw new Problem('campos_invalidos', { campos: { [field]: weakness } })
}

/** As somebody who guesses would write it: small letters, no accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** `senhasenha` is `senha`; any other text is itself. */
const repeatedUnit = (text: string): string => {
  const period = (text + text).indexOf(text, 1)
  return text.slice(0, period)
}

/** Shorter words are found in too many good passwords. */
const shortestCore = 4
/** More around a word is no decoration any more. */
const longestDecoration = 10

/**
 * The words that a password is made of once what people add is taken away: digits and symbols before and after, then letters
 * written as digits or symbols (`s3nh@`).
 */
const coresOf = (text: string): string[] => {
  const before = /^[^a-z]*/.exec(text)?.[0].length ?? 0
  const after = text.length - (/[^a-z]*$/.exec(text)?.[0].length ?? 0)
  // No letter, nothing to take away from; what such a password is, its digits say.
  if (before === text.length) return [text.replace(/\D/g, '')]
  const cores: string[] = []
  for (let start = 0; start <= before; start += 1) {
    for (let end = after; end <= text.length; end += 1) {
      if (text.length - (end - start) > longestDecoration) continue
      const middle = text.slice(start, end)
      cores.push(
        middle,
        lettersOf(middle),
        lettersOf(withLetters(middle, 'i')),
        lettersOf(withLetters(middle, 'l')),
      )
    }
  }
  return cores.filter((core) => core.length >= shortestCore)
}

const lettersOf = (text: string): string => text.replace(/[^a-z]/g, '')

const letterFor: Record<string, string> = {
  0: 'o',
  3: 'e',
  4: 'a',
  '@': 'a',
  5: 's',
  $: 's',
  7: 't',
  '+': 't',
  8: 'b',
  9: 'g',
  6: 'g',
  2: 'z',
  '(': 'c',
}

/** Undoes the usual substitutions; 1, ! and | stand for i or l. */
const withLetters = (text: string, one: 'i' | 'l'): string =>
  text.replace(/[1!|]/g, one).replace(/[0-9@$+(]/g, (sign) => letterFor[sign] ?? sign)

/** Whether the letters are nothing but words of one of these names, in whatever order. */
const isOfNames = (core: string, names: string[]): boolean => {
  const letters = lettersOf(core)
  return letters.length >= shortestCore && names.some((name) => isMadeOf(letters, wordsOf(name)))
}

/** The whole address, the part before the @, a word of either, the domain. */
const isOfEmail = (core: string, email: string): boolean => {
  const letters = lettersOf(core)
  if (letters.length < shortestCore) return false
  const folded = fold(email)
  const [local = '', domain = ''] = folded.split('@')
  // The last label (`br`, `com`) says nothing about the person.
  const labels = domain.split('.').slice(0, -1)
  return [
    folded,
    local,
    domain,
    ...wordsOf(local),
    ...labels.flatMap((label) => [label, ...wordsOf(label)]),
  ].some((part) => lettersOf(part) === letters)
}

const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^a-z]+/)
    .filter((word) => word.length >= 2)

/** By positions reached, not by a pattern: a name of many short words would make one take forever. */
const isMadeOf = (letters: string, words: string[]): boolean => {
  const reached = new Set([0])
  for (let at = 0; at < letters.length; at += 1) {
    if (!reached.has(at)) continue
    for (const word of words) if (letters.startsWith(word, at)) reached.add(at + word.length)
  }
  return reached.has(letters.length)
}

let loaded: Set<string> | undefined

/** Read at the first password that is set, some 50,000 short texts; nothing is read where nobody sets one. */
const commonPasswords = (): Set<string> => {
  if (loaded) return loaded
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common')
  loaded = new Set([...dictionary['passwords-common'], ...portugueseCommonPasswords()])
  return loaded
}

/** What is told of a new password that is the one in force. */
export const sameAsBefore = (field: string): Problem =>
  new Problem('campos_invalidos', { campos: { [field]: 'Escolha uma senha diferente da atual.' } })
