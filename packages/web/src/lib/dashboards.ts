/** The pages of 'BI Saúde'. */
export const dashboards = [
  { path: '/analise', title: 'Análise de entregas' },
  { path: '/corporacoes', title: 'Comparativo de exames' },
  { path: '/painel', title: 'Painel de absenteísmo' },
  { path: '/senhas-liberadas', title: 'Senhas liberadas' },
  { path: '/telemedicina', title: 'Telemedicina' },
  { path: '/perfil', title: 'Perfil populacional' },
] as const
