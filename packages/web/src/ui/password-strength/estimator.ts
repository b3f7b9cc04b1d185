import { type OptionsType, type Score, type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as portuguese, translations } from '@zxcvbn-ts/language-pt-br'

/* Half a megabyte of dictionaries: fetched only once somebody types a new password (see use-estimate.ts). */

export interface Estimate {
  /** 0 is guessed at once, 4 by nobody. */
  score: Score
  /** What makes it weak, or would make it stronger: a Portuguese sentence, where there is one to say. */
  advice: string | undefined
}

// Where the package's own sentence is hard to read, ours.
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
  // The default of 100 keeps the page still for most of a second.
  l33tMaxSubstitutions: 20,
}

const zxcvbn = new ZxcvbnFactory(options)

/** Longer ones are strong, and would only take long to look at. */
const judgedLength = 32

/** @param own words that are guessed first for this person: names, e-mail */
export const estimate = (password: string, own: string[]): Estimate => {
  const words = own
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
  // The package takes `helena.duarte1` of Helena Duarte for a strong one.
  if (isOwn(password, words)) return { score: 0, advice: texts.warnings.userInputs }
  const { score, feedback } = zxcvbn.check(password.slice(0, judgedLength), words)
  return { score, advice: feedback.warning || feedback.suggestions[0] || undefined }
}

/** Letters that are left over once the person's own words are taken out; fewer are no password. */
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
