import { FiltroError, parseFiltro } from '@bi-manager/contract'

export interface FilterCheck {
  /** The contract's Portuguese sentence, with the position of the error. */
  fault?: string
  /** The columns of a valid filter: 'Sinistralidade/operadora'. */
  targets: string[]
}

/** Checks a 'Filtro' with the server's parser; an empty text is valid. */
export const checkFilter = (text: string): FilterCheck => {
  if (!text.trim()) return { targets: [] }
  try {
    return { targets: parseFiltro(text.trim()).map(({ target }) => `${target.table}/${target.column}`) }
  } catch (error) {
    if (error instanceof FiltroError) return { fault: error.message, targets: [] }
    throw error
  }
}
