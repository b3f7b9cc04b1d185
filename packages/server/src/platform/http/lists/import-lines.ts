import { Problem } from '../../lib/problem.ts'

/** One line of an imported file: what to create, or its errors by field. */
export interface ValidatedLine<Line extends { linha: number }, Data> {
  line: Line
  erros: Record<string, string>
  /** Undefined when the line has an error. */
  data: Data | undefined
}

/** @param shownOf returns the fields that the preview shows of each line */
export const previewOf = <L extends { linha: number }, D, S extends object>(
  validated: readonly ValidatedLine<L, D>[],
  shownOf: (line: L | D) => S,
) => {
  const linhas = validated.map(({ line, erros, data }) => ({
    linha: line.linha,
    ...shownOf(data ?? line),
    erros,
  }))
  const validas = validated.filter(({ data }) => data).length
  return { linhas, validas, invalidas: validated.length - validas }
}

/** @throws Problem 422 with the errors by line and field: `linhas.4.emailUsuario` */
export const refuseFaults = (validated: readonly ValidatedLine<{ linha: number }, unknown>[]): void => {
  const faults = validated.flatMap(({ line, erros }) =>
    Object.entries(erros).map(([field, message]) => [`linhas.${line.linha}.${field}`, message]),
  )
  if (faults.length > 0) throw new Problem('importacao_com_falhas', { campos: Object.fromEntries(faults) })
}
