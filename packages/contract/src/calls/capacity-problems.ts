/** The problems of capacities in Azure; see problems.ts. */
export const capacityProblems = {
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
