import { type Comment, type MentionedPerson, mentionsIn, replaceMentions } from '@bi-manager/contract'

/** A comment as it is typed: each person of `pessoas` is in the text as `@` and their name. */
export interface CommentDraft {
  texto: string
  pessoas: MentionedPerson[]
}

export const emptyDraft: CommentDraft = { texto: '', pessoas: [] }

/** Shown in place of the name of a person whose account was deleted. */
const GONE = 'Pessoa excluída'

/** Returns a stored text as it is typed. */
export const draftOfComment = ({ texto, mencoes }: Pick<Comment, 'texto' | 'mencoes'>): CommentDraft => {
  const pessoas: MentionedPerson[] = []
  for (const idUsuario of mentionsIn(texto)) {
    const { nome } = mencoes.find((one) => one.idUsuario === idUsuario) ?? { nome: GONE }
    pessoas.push(distinct({ idUsuario, nome }, pessoas))
  }
  const nameOf = (id: number) => pessoas.find(({ idUsuario }) => idUsuario === id)?.nome ?? GONE
  return { texto: replaceMentions(texto, (id) => `@${nameOf(id)}`), pessoas }
}

/** Returns a typed text as it is stored, with `@{12}` for each person. */
export const storedText = ({ texto, pessoas }: CommentDraft): string =>
  byLength(pessoas).reduce(
    (text, { idUsuario, nome }) => text.replace(mentionOf(nome), `@{${idUsuario}}`),
    texto,
  )

/** A piece of a comment's text: plain, or the name of a mentioned person. */
interface TextPart {
  text: string
  isMention: boolean
}

const SEPARATOR = '\u0000'

/**
 * Splits a stored text at its mentions: 'Veja @{12}.' → 'Veja ', '@Ana Souza' (a mention), '.'.
 * A stored text contains no NUL, which separates the parts here.
 */
export const partsOf = ({ texto, mencoes }: Pick<Comment, 'texto' | 'mencoes'>): TextPart[] => {
  const nameOf = (id: number) => mencoes.find(({ idUsuario }) => idUsuario === id)?.nome ?? GONE
  return replaceMentions(texto, (id) => `${SEPARATOR}@${nameOf(id)}${SEPARATOR}`)
    .split(SEPARATOR)
    .map((text, index) => ({ text, isMention: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

/** Returns the name being typed after an `@` that ends at the caret; undefined when there is none. */
export const typedMention = (
  { texto, pessoas }: CommentDraft,
  caret: number,
): { start: number; busca: string } | undefined => {
  const found = /(?:^|[\s([{“"'])@([^@\s][^@\n]{0,59})?$/u.exec(texto.slice(0, caret))
  if (!found) return undefined
  const [, name = ''] = found
  const isChosen = pessoas.some(({ nome }) => `${name} `.startsWith(`${nome} `))
  return isChosen ? undefined : { start: caret - name.length - 1, busca: name.trim() }
}

/** Puts a chosen person in place of what was typed; returns where the caret then belongs. */
export const withMention = (
  { texto, pessoas }: CommentDraft,
  { start, end, person }: { start: number; end: number; person: MentionedPerson },
): { draft: CommentDraft; caret: number } => {
  const known = pessoas.find(({ idUsuario }) => idUsuario === person.idUsuario)
  const one = known ?? distinct(person, pessoas)
  const head = `${texto.slice(0, start)}@${one.nome} `
  const draft = {
    texto: head + texto.slice(end).replace(/^ /, ''),
    pessoas: known ? pessoas : [...pessoas, one],
  }
  return { draft, caret: head.length }
}

/** Two people with the same name need different texts. */
const distinct = (person: MentionedPerson, others: readonly MentionedPerson[]): MentionedPerson => {
  let { nome } = person
  for (let n = 2; others.some((other) => other.nome === nome); n += 1) nome = `${person.nome} (${n})`
  return { ...person, nome }
}

/** 'Ana Souza' before 'Ana', so that the shorter name does not take its place. */
const byLength = (people: readonly MentionedPerson[]) =>
  [...people].sort((one, other) => other.nome.length - one.nome.length)

const mentionOf = (nome: string): RegExp =>
  new RegExp(`@${nome.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu')
