/** Columns of a table. */
export const MAX_COLUMNS = 500

/** Says how a file with too many columns becomes one that is read. */
export const tooManyColumns = (count: number, isMore = false): string =>
  `tem ${isMore ? 'mais de ' : ''}${count.toLocaleString('pt-BR')} colunas; o limite é ${MAX_COLUMNS}. Deixe no arquivo só as que o relatório usa; se há uma por mês ou por ano, ponha o período em uma coluna e uma linha para cada um`
