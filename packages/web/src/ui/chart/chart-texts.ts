/** Returns '1,2 s'. */
export const secondsText = (ms: number): string =>
  `${(ms / 1000).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: ms < 10_000 ? 2 : 1 })} s`

/** Returns '05/03'. */
export const dayLabel = (dia: string): string => dia.slice(5).split('-').reverse().join('/')
