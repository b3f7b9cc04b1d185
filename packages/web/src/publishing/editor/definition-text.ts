/** Returns the name in the text of a definition; undefined while the text is not a JSON object. */
export const nameIn = (text: string): string | undefined => {
  const definition = definitionIn(text)
  return definition && (typeof definition.name === 'string' ? definition.name : '')
}

/** Returns the text with another name; unchanged while it is not a JSON object. */
export const withName = (text: string, name: string): string => {
  const definition = definitionIn(text)
  return definition ? `${JSON.stringify({ ...definition, name }, null, 2)}\n` : text
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
