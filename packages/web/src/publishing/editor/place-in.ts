/** Returns the place in the definition that a sentence names at its end. */
export const placeIn = (sentence: string): { line: number; column: number } | undefined => {
  const [, line, column] = /\(linha (\d+), coluna (\d+)\)$/.exec(sentence) ?? []
  return line && column ? { line: Number(line), column: Number(column) } : undefined
}
