import { Problem } from './problem.ts'

interface Known {
  /** The last day until now, which may stay; null: none. */
  before?: string | null | undefined
  today: string
}

/**
 * Checks a last day (yyyy-mm-dd) that was typed.
 * @throws Problem 422 when it is new and has passed already
 */
export const assertDayToCome = (validoAte: string | null | undefined, { before, today }: Known): void => {
  if (!validoAte || validoAte === before || validoAte >= today) return
  throw new Problem('campos_invalidos', { campos: { validoAte: 'Informe uma data a partir de hoje.' } })
}
