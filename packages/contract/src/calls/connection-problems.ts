/** Problems of the BI service, and of capacities in Azure. */
export const connectionProblems = {
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
  capacidade_iniciando: {
    status: 503,
    title: 'A capacidade está sendo iniciada',
    detail:
      'O serviço de BI estava pausado e está iniciando. Costuma levar de um a dois minutos; o relatório abre sozinho.',
  },
  capacidade_ja_cadastrada: {
    status: 409,
    title: 'Capacidade já cadastrada',
    detail: 'Esta capacidade do Azure já está cadastrada.',
  },
  conexao_com_capacidade: {
    status: 409,
    title: 'Powerbi com capacidade',
    detail:
      'Este Powerbi já tem uma capacidade. Para workspaces de outra capacidade, cadastre outro Powerbi com o mesmo aplicativo.',
  },
  capacidade_ocupada: {
    status: 409,
    title: 'Capacidade ocupada',
    detail: 'Outra mudança desta capacidade está em andamento. Aguarde que ela termine e tente de novo.',
  },
  capacidade_atualizando: {
    status: 409,
    title: 'Dados em atualização',
    detail: 'Uma atualização de dados está em andamento, e pausar agora a faria falhar.',
  },
  capacidade_atualizacoes_desconhecidas: {
    status: 409,
    title: 'Atualizações desconhecidas',
    detail: 'O portal não conseguiu ver se uma atualização de dados está em andamento, e não pausou.',
  },
  capacidade_recusada: {
    status: 502,
    title: 'Recusado pelo Azure',
    detail: 'O Azure não aceitou a mudança desta capacidade.',
  },
  capacidade_sem_resposta: {
    status: 503,
    title: 'Azure indisponível',
    detail: 'O Azure está com problemas. Tente de novo em instantes.',
  },
  capacidade_sem_azure: {
    status: 409,
    title: 'Azure não configurado',
    detail:
      'O portal não sabe o endereço do Azure Resource Manager. Informe POWERBI_MANAGEMENT_URL e reinicie o portal.',
  },
} as const
