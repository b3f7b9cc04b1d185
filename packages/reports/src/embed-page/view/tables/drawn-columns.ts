import { MAX_LETTERS } from '../../../wire/wire-names.ts'

/** Columns of a table or a matrix that are drawn: with more, a page would not answer for seconds. */
export const MAX_COLUMNS = 200
/** Cells that are drawn at once; others follow on scroll. */
const CELLS_AT_ONCE = 10_000

/** Returns how many rows are drawn at once, at most 100: few where they have many columns. */
export const rowsAtOnce = (columns: number): number =>
  Math.min(100, Math.max(20, Math.floor(CELLS_AT_ONCE / Math.max(columns, 1))))

/** How many columns of the data are drawn. */
export interface ColumnCounts {
  drawn: number
  all: number
}

export const columnsSentence = ({ drawn, all }: ColumnCounts): string =>
  `Só ${drawn.toLocaleString('pt-BR')} das ${all.toLocaleString('pt-BR')} colunas são mostradas: exporte os dados para ver todas.`

/** Says how many texts a page or a file does not have to their end. */
export const cutTextsSentence = (count: number): string => {
  const what =
    count === 1
      ? '1 texto longo está só com o começo'
      : `${count.toLocaleString('pt-BR')} textos longos estão só com o começo`
  return `${what}, que termina em “…”. Com menos colunas de texto no visual, cabem até ${MAX_LETTERS.toLocaleString('pt-BR')} letras de cada um.`
}
