import { Problem } from '../../lib/problem.ts'

/** One line of an imported file: what to create, or its errors by field. */
export interface JudgedLine<Line extends { linha: number }, Data> {
  line: Line
  erros: Record<string, string>
  /** Undefined when the line has an error. */
  data: Data | undefined
}

/** @param shownOf returns the fields that the preview shows of each line */
export const previewOf = <L extends { linha: number }, D, S extends object>(
  judged: readonly JudgedLine<L, D>[],
  shownOf: (line: L | D) => S,
) => {
  const linhas = judged.map(({ line, erros, data }) => ({
    linha: line.linha,
    ...shownOf(data ?? line),
    erros,
  }))
  const validas = judged.filter(({ data }) => data).length
  return { linhas, validas, invalidas: judged.length - validas }
}

/** @throws Problem 422 with the errors by line and field: `linhas.4.emailUsuario` */
export const refuseFaults = (judged: readonly JudgedLine<{ linha: number }, unknown>[]): void => {
  const faults = judged.flatMap(({ line, erros }) =>
    Object.entries(erros).map(([field, message]) => [`linhas.${line.linha}.${field}`, message]),
  )
  if (faults.length > 0) throw new Problem('importacao_com_falhas', { campos: Object.fromEntries(faults) })
}
