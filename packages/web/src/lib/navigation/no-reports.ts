/** The sentence of an empty menu; an ADMIN sees every report, so there is none. */
export const noReports = (tipo: 'ADMIN' | 'USER' | undefined): string =>
  tipo === 'ADMIN'
    ? 'Nenhum relatório cadastrado ainda.'
    : 'Nenhum relatório liberado para você ainda. Peça acesso a um administrador.'
