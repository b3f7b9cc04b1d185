import { FiltroError, parseFiltro } from '@bi-manager/contract'

export interface FilterCheck {
  /** The contract's own sentence, which names the place. */
  fault?: string
  /** What a good filter acts on: 'Sinistralidade/operadora'. */
  targets: string[]
}

/** Judges a 'Filtro' as the server will; an empty one is none. */
export const checkFilter = (text: string): FilterCheck => {
  if (!text.trim()) return { targets: [] }
  try {
    return { targets: parseFiltro(text.trim()).map(({ target }) => `${target.table}/${target.column}`) }
  } catch (error) {
    if (error instanceof FiltroError) return { fault: error.message, targets: [] }
    throw error
  }
}
