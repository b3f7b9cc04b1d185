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
export type JsonText = {
  value: unknown
  /** Returns the position of a path's value; for a missing field, that of its ancestor. */
  placeOf: (path: Path) => Place
}

const DEEPEST = 60
/** Names of inherited properties of JavaScript objects. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

const BLANK = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Parses standard JSON and records the position of each value.
 * @throws JsonFault
 */
export function readJson(text: string): JsonText {
  const starts = new Map<string, number>()
  let at = text.startsWith('\uFEFF') ? 1 : 0

  const placeAt = (offset: number): Place => {
    const before = text.slice(0, offset)
    return {
      line: before.split('\n').length,
      column:
        offset - before.lastIndexOf('\n') - (before.startsWith('\uFEFF') && !before.includes('\n') ? 1 : 0),
    }
  }
  const fail = (message: string, offset = at): never => {
    throw new JsonFault(message, placeAt(offset))
  }
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) at += found.length
    return found
  }
  const skip = () => void take(BLANK)
  const next = () => text[at]
  const isNext = (mark: string) => {
    skip()
    if (next() !== mark) return false
    at++
    return true
  }
  const found = () => (at >= text.length ? 'o texto termina' : `há ${JSON.stringify(next())}`)

  function value(path: Path): unknown {
    skip()
    starts.set(JSON.stringify(path), at)
    if (path.length > DEEPEST) fail(`mais de ${DEEPEST} níveis, um dentro do outro`)
    if (isNext('{')) return object(path)
    if (isNext('[')) return list(path)
    if (next() === '"') return string()
    const plain = take(PLAIN)
    return plain === undefined ? fail(`esperava um valor, e ${found()}`) : JSON.parse(plain)
  }

  function string(): string {
    const start = at
    const quoted = take(STRING)
    if (quoted === undefined) return fail('texto sem aspas no fim, ou com um caractere que não pode', start)
    return JSON.parse(quoted)
  }

  function object(path: Path): object {
    const entries: [string, unknown][] = []
    const names = new Set<string>()
    if (isNext('}')) return {}
    do {
      skip()
      const start = at
      if (next() !== '"') fail(`esperava o nome de um campo entre aspas, e ${found()}`)
      const name = string()
      if (FORBIDDEN.includes(name)) fail(`o nome ${name} não é aceito`, start)
      if (names.has(name)) fail(`o campo ${name} se repete`, start)
      names.add(name)
      if (!isNext(':')) fail(`esperava : depois de "${name}", e ${found()}`)
      entries.push([name, value([...path, name])])
    } while (isNext(','))
    if (!isNext('}')) fail(`esperava , ou }, e ${found()}`)
    return Object.fromEntries(entries)
  }

  function list(path: Path): unknown[] {
    const items: unknown[] = []
    if (isNext(']')) return items
    do items.push(value([...path, items.length]))
    while (isNext(','))
    if (!isNext(']')) fail(`esperava , ou ], e ${found()}`)
    return items
  }

  const whole = value([])
  skip()
  if (at < text.length) fail(`o JSON já terminou, e ${found()}`)
  return {
    value: whole,
    placeOf: (path) => {
      for (let length = path.length; length >= 0; length--) {
        const start = starts.get(JSON.stringify(path.slice(0, length)))
        if (start !== undefined) return placeAt(start)
      }
      return placeAt(0)
    },
  }
}

/** Parses `pages[0].visuals[2].query` to a path. */
export function pathOf(place: string): PropertyKey[] {
  return [...place.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
}
