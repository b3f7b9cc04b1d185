/** Returns '1 mensagem', '2 mensagens'. */
export const countText = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('pt-BR')} ${n === 1 ? one : many}`
