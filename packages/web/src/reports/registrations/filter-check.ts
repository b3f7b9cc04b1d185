import { FilterExpressionError, parseReportFilters } from '@bi-manager/contract'

/**
 * Checks a 'Filtro' with the server's parser; an empty text is valid. Returns the columns of a
 * valid filter ('Sinistralidade/operadora'), or the contract's sentence with the position of the
 * error.
 */
export const checkFilter = (text: string): { fault?: string; targets: string[] } => {
  if (!text.trim()) return { targets: [] }
  try {
    return {
      targets: parseReportFilters(text.trim()).map(({ target }) => `${target.table}/${target.column}`),
    }
  } catch (error) {
    if (error instanceof FilterExpressionError) return { fault: error.message, targets: [] }
    throw error
  }
}
