/** Returns '1 relatório' or '1.200 relatórios'. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`
