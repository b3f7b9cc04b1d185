/** Returns the name in the text of a definition; undefined while the text is no JSON object. */
export const nameIn = (text: string): string | undefined => {
  const definition = definitionIn(text)
  return definition && (typeof definition.name === 'string' ? definition.name : '')
}

/** Returns the text with another name; unchanged while it is no JSON object. */
export const withName = (text: string, name: string): string => {
  const definition = definitionIn(text)
  return definition ? `${JSON.stringify({ ...definition, name }, null, 2)}\n` : text
}

/** Returns the titles of the visuals on all pages; none while the text is no definition. */
export const titlesIn = (text: string): string[] => {
  const pages = listIn(definitionIn(text), 'pages')
  const visuals = pages.flatMap((page) => listIn(page, 'visuals'))
  return visuals.flatMap(({ title }) => (typeof title === 'string' ? [title] : []))
}

const listIn = (value: Record<string, unknown> | undefined, field: string) => {
  const list = value?.[field]
  const isObject = (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null
  return Array.isArray(list) ? list.filter(isObject) : []
}

const definitionIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Returns the line that a sentence names at its end, and the line's offsets in the text. */
export const placeIn = (
  text: string,
  sentence: string,
): { line: number; start: number; end: number } | undefined => {
  const [, line] = /\(linha (\d+), coluna \d+\)/.exec(sentence) ?? []
  if (!line) return undefined
  const lines = text.split('\n')
  const before = lines.slice(0, Number(line) - 1)
  const start = before.reduce((sum, one) => sum + one.length + 1, 0)
  return { line: Number(line), start, end: start + (lines[Number(line) - 1]?.length ?? 0) }
}
