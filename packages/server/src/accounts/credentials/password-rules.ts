import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { plainLetters } from '@bi-manager/contract'
import { Problem } from '../../platform/lib/problem.ts'
import { isPredictable } from './predictable-text.ts'

/** The user of the password, whose names it must not consist of. */
interface PasswordOwner {
  nomeUsuario: string
  emailUsuario: string
}

const productName = 'BI Manager'

/**
 * Returns why a password is refused, as a Portuguese sentence; undefined when it is accepted.
 * Checks common passwords, Portuguese ones included, and guesses from the names of user and
 * company; the contract checks the length.
 */
export const weaknessOf = (
  password: string,
  owner: PasswordOwner,
  companyName: string | undefined,
): string | undefined => {
  const folded = plainLetters(password)
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

/** Returns the repeated part: `senha` for `senhasenha`; other texts are returned as they are. */
const repeatedUnit = (text: string): string => {
  const period = (text + text).indexOf(text, 1)
  return text.slice(0, period)
}

/** Shorter words occur in too many good passwords. */
const shortestCore = 4
/** A word with more characters around it is not the whole secret. */
const longestDecoration = 10

/**
 * Returns the words of a password without the usual decoration: digits and symbols before and
 * after, and letters written as digits or symbols (`s3nh@`).
 */
const coresOf = (text: string): string[] => {
  const before = /^[^a-z]*/.exec(text)?.[0].length ?? 0
  const after = text.length - (/[^a-z]*$/.exec(text)?.[0].length ?? 0)
  // Without letters, only the digits matter.
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

/** Reverts the usual substitutions; 1, ! and | stand for i or l. */
const withLetters = (text: string, one: 'i' | 'l'): string =>
  text.replace(/[1!|]/g, one).replace(/[0-9@$+(]/g, (sign) => letterFor[sign] ?? sign)

/** Returns whether the letters consist only of words of one of these names, in any order. */
const isOfNames = (core: string, names: string[]): boolean => {
  const letters = lettersOf(core)
  return letters.length >= shortestCore && names.some((name) => isMadeOf(letters, wordsOf(name)))
}

/** Checks the whole address, the part before the @, the domain, and single words of both. */
const isOfEmail = (core: string, email: string): boolean => {
  const letters = lettersOf(core)
  if (letters.length < shortestCore) return false
  const folded = plainLetters(email)
  const [local = '', domain = ''] = folded.split('@')
  // The last label (`br`, `com`) is not specific to the user.
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
  plainLetters(text)
    .split(/[^a-z]+/)
    .filter((word) => word.length >= 2)

/**
 * Tracks reachable positions instead of a regular expression, which could take exponential time.
 */
const isMadeOf = (letters: string, words: string[]): boolean => {
  const reached = new Set([0])
  for (let at = 0; at < letters.length; at += 1) {
    if (!reached.has(at)) continue
    for (const word of words) if (letters.startsWith(word, at)) reached.add(at + word.length)
  }
  return reached.has(letters.length)
}

let loaded: Set<string> | undefined

/** Loaded at the first use: about 50,000 texts, not needed by processes that set no password. */
const commonPasswords = (): Set<string> => {
  if (loaded) return loaded
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common')
  loaded = new Set([...dictionary['passwords-common'], ...portugueseWords()])
  return loaded
}

/** Digits around a word are removed before the look-up, so the file need not list `senha123`. */
const portugueseWords = (): string[] =>
  readFileSync(new URL('common-passwords-pt.txt', import.meta.url), 'utf8')
    .replace(/^#.*/gm, '')
    .trim()
    .split(/\s+/)

/** Returns the problem for a new password that equals the current one. */
export const samePasswordProblem = (field: string): Problem =>
  new Problem('campos_invalidos', { campos: { [field]: 'Escolha uma senha diferente da atual.' } })
