import { once } from '../calls/once.ts'
import { councils, states } from './professional-registration.ts'

/** Letters that resemble others even without marks (UTS #39); a subset of the server's table. */
const lookAlikes = new Map(
  [
    'æae øo þp đd ħh ıi łl ŋn œoe ŧt',
    'аa б6 вb гr еe з3 кk мm нh оo рp сc тt уy хx шw ъb ыbl ьb юlo ѕs іi јj ћh џu ѡw ѣb ѳo ѵv ѽw ґr ғr ҙ3 қk ҟk ңh ҫc ҭt ҍb',
    'үy ұy ҳx һh ҽe ҿe ӈh ӊh ӎm ӏl ӕae ӡ3 өo ԁd ԍg ԛq ԝw ᲀb ᲂo ᲃc ᲄt ᲅt ᲇb ꙅ2 ꙇi ꙑbl ꚕh ꚙoo',
    'αa βb γy εe ζz ηn θo ιi κk μm νv οo ρp σo τt υu χx ϝf ϳj ϸp ϻm',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)

/** Returns the letters of a text in lower case, without marks, in their plain forms. */
export const plainLetters = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Folds a name like the skeleton does, but keeps digits and separators. */
export const foldedName = (text: string): string =>
  plainLetters(text)
    .replace(/./gsu, (character) => lookAlikes.get(character) ?? character)
    .replace(/i/g, 'l')
    .replace(/m/g, 'rn')

const between = '[^\\p{L}\\p{N}]*'
const patternOf = (word: string): string =>
  [...foldedName(word)].map((letter) => ({ l: '[l1]', o: '[o0]' })[letter] ?? letter).join(between)
const anyOf = (words: readonly string[]): string => `(?:${words.map(patternOf).join('|')})`

/** 'CRM', 'C.R.M.', 'CRM-SP', 'usuária': words that accompany an author's name on screens. */
const word = `(?:^|\\P{L})${anyOf([...councils, 'usuario', 'usuaria'])}(?:${between}${anyOf(states)})?`
const besideDigits = once(() => new RegExp(`${word}[lo]*(?!\\p{L})`, 'u'))
/** A number in letters: 'CRM lOOl', 'usuário I'. Attached it needs four: Croll is a name. */
const beforeLetters = once(() => new RegExp(`${word}(?:[lo]{4,}|(?:\\P{L}.*?)?\\P{L}[lo]+)(?!\\p{L})`, 'u'))

/** Returns whether a name contains a user number or registration, which imitates an author's. */
export const isCredential = (name: string): boolean => {
  const folded = foldedName(name)
  return (/\d/.test(folded) && besideDigits().test(folded)) || beforeLetters().test(folded)
}
