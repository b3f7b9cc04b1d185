import { printParseErrorCode, visit } from 'jsonc-parser'

/** A position in a text; both are counted from 1. */
export type Place = { line: number; column: number }

/** A fault in the text of a JSON file, as a Portuguese sentence without its position. */
export class JsonFault extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

type Path = readonly PropertyKey[]
export type JsonText = ReturnType<typeof readJson>

const DEEPEST = 60
/** Names of inherited properties of JavaScript objects. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const IN_STRINGS = /^(UnexpectedEndOfString|Invalid(Character|Unicode|EscapeCharacter))$/

/**
 * Parses standard JSON and records the position of each value.
 * @throws JsonFault
 */
export const readJson = (file: string) => {
  const text = file.replace(/^\uFEFF/, '')
  const starts = new Map<string, Place>()
  /** For each open object the names of its fields; undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let expected = 'esperava um valor'

  const fail = (message: string, line: number, character: number): never => {
    throw new JsonFault(message, { line: line + 1, column: character + 1 })
  }
  const startValue = (line: number, character: number, path: Path) => {
    if (path.length > DEEPEST) fail(`mais de ${DEEPEST} níveis, um dentro do outro`, line, character)
    starts.set(JSON.stringify(path), { line: line + 1, column: character + 1 })
  }
  const endValue = () => {
    if (open.length === 0) expected = 'o JSON já terminou'
    else expected = open.at(-1) ? 'esperava , ou }' : 'esperava , ou ]'
  }
  const expectNext = () => {
    expected = open.at(-1) ? 'esperava o nome de um campo entre aspas' : 'esperava um valor'
  }
  const end = (offset: number) => {
    // Also called where the text ends too early.
    if (offset === text.length) return
    open.pop()
    endValue()
  }

  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, character, path) => {
        startValue(line, character, path())
        open.push(new Set())
        expectNext()
      },
      onArrayBegin: (_offset, _length, line, character, path) => {
        startValue(line, character, path())
        open.push(undefined)
        expectNext()
      },
      onLiteralValue: (_value, _offset, _length, line, character, path) => {
        startValue(line, character, path())
        endValue()
      },
      onObjectProperty: (name, _offset, _length, line, character) => {
        if (FORBIDDEN.includes(name)) fail(`o nome ${name} não é aceito`, line, character)
        if (open.at(-1)?.has(name)) fail(`o campo ${name} se repete`, line, character)
        open.at(-1)?.add(name)
        expected = `esperava : depois de "${name}"`
      },
      onSeparator: (mark) => {
        if (mark === ',') expectNext()
        else expected = 'esperava um valor'
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onError: (code, offset, _length, line, character) => {
        if (IN_STRINGS.test(printParseErrorCode(code))) {
          fail('texto sem aspas no fim, ou com um caractere que não pode', line, character)
        }
        const found = offset < text.length ? `há ${JSON.stringify(text[offset])}` : 'o texto termina'
        fail(`${expected}, e ${found}`, line, character)
      },
    },
    { disallowComments: true },
  )
  return {
    value: JSON.parse(text) as unknown,
    /** Returns the position of a path's value; for a missing field, that of its ancestor. */
    placeOf: (path: Path): Place => {
      for (let length = path.length; length > 0; length--) {
        const start = starts.get(JSON.stringify(path.slice(0, length)))
        if (start) return start
      }
      return starts.get('[]') ?? { line: 1, column: 1 }
    },
  }
}

/** Parses `pages[0].visuals[2].query` to a path. */
export const pathOf = (place: string): PropertyKey[] => {
  return [...place.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
}
