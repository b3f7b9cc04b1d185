import { type OptionsType, type Score, type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as portuguese, translations } from '@zxcvbn-ts/language-pt-br'

/* Half a megabyte of dictionaries: loaded when a new password is typed (use-estimate.ts). */

export interface Estimate {
  /** zxcvbn's score: 0 (guessed at once) to 4 (very hard to guess). */
  score: Score
  /** A Portuguese sentence on what makes the password weak or would improve it, if any. */
  advice: string | undefined
}

// Replaces translations of the package that are hard to read.
const texts: TranslationKeys = {
  ...translations,
  warnings: {
    ...translations.warnings,
    common: 'Esta senha está entre as mais usadas.',
    similarToCommon: 'Esta senha é parecida com uma das mais usadas.',
    wordByItself: 'Uma palavra só é fácil de adivinhar.',
    userInputs: 'A senha não deve ser o seu nome, o seu e-mail ou o nome do portal.',
  },
  suggestions: {
    ...translations.suggestions,
    capitalization: 'Uma maiúscula só no começo ajuda pouco.',
    allUppercase: 'Escrever tudo em maiúsculas ajuda pouco.',
    reverseWords: 'Palavras escritas de trás para a frente ajudam pouco.',
    dates: 'Evite datas e anos ligados a você.',
    associatedYears: 'Evite datas e anos ligados a você.',
    recentYears: 'Evite anos recentes.',
    sequences: 'Evite sequências comuns de caracteres.',
    anotherWord: 'Acrescente mais palavras, das menos comuns.',
  },
}

const options: OptionsType = {
  dictionary: { ...common, ...portuguese },
  graphs: adjacencyGraphs,
  translations: texts,
  // The default of 100 blocks the main thread for most of a second.
  l33tMaxSubstitutions: 20,
}

const zxcvbn = new ZxcvbnFactory(options)

/** Characters that are estimated; longer passwords are strong and slow to estimate. */
const MAX_ESTIMATED = 32

/** @param own words that an attacker guesses first for this person: names, e-mail */
export const estimate = (password: string, own: string[]): Estimate => {
  const words = own
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
  // zxcvbn rates `helena.duarte1` for Helena Duarte as strong.
  if (isOwn(password, words)) return { score: 0, advice: texts.warnings.userInputs }
  const { score, feedback } = zxcvbn.check(password.slice(0, MAX_ESTIMATED), words)
  return { score, advice: feedback.warning || feedback.suggestions[0] || undefined }
}

/** Minimum number of characters besides the person's own words. */
const fewestOther = 4

const isOwn = (password: string, words: string[]): boolean => {
  const letters = fold(password)
  const rest = words
    .map(fold)
    .reduce((left, word) => (word.length > 2 ? left.replaceAll(word, '') : left), letters)
  return rest.length < letters.length && rest.length < fewestOther
}

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
