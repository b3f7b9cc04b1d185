/** The problems of the BI provider; see problems.ts. */
export const biProblems = {
  bi_credencial_recusada: {
    status: 502,
    title: 'Credencial recusada',
    detail: 'O serviço de BI recusou a credencial da conexão. Avise um administrador.',
  },
  bi_sem_acesso: {
    status: 502,
    title: 'Conexão sem acesso',
    detail: 'A conexão não tem acesso a este relatório no serviço de BI. Avise um administrador.',
  },
  bi_relatorio_inexistente: {
    status: 502,
    title: 'Relatório inexistente no serviço de BI',
    detail: 'O serviço de BI não encontrou este relatório. Avise um administrador.',
  },
  bi_identidade_necessaria: {
    status: 502,
    title: 'Identidade necessária',
    detail:
      'Este relatório restringe linhas por pessoa e ainda não foi configurado para isso. Avise um administrador.',
  },
  bi_resposta_invalida: {
    status: 502,
    title: 'Resposta inesperada do serviço de BI',
    detail: 'O serviço de BI respondeu de forma inesperada. Tente novamente em instantes.',
  },
  bi_indisponivel: {
    status: 503,
    title: 'Serviço de BI indisponível',
    detail: 'O serviço de BI está indisponível. Tente novamente em alguns minutos.',
  },
  bi_pausado: {
    status: 503,
    title: 'Serviço de BI pausado',
    detail: 'A capacidade do serviço de BI está pausada. Peça a um administrador que a retome.',
  },
  bi_cota_esgotada: {
    status: 502,
    title: 'Limite do serviço de BI atingido',
    detail: 'O plano contratado do serviço de BI não permite mais aberturas. Avise um administrador.',
  },
  bi_sobrecarregado: {
    status: 503,
    title: 'Serviço de BI sobrecarregado',
    detail: 'O serviço de BI pediu para aguardar. Tente novamente em instantes.',
  },
  bi_sem_resposta: {
    status: 504,
    title: 'Serviço de BI sem resposta',
    detail: 'O serviço de BI não respondeu a tempo. Tente novamente.',
  },
} as const
