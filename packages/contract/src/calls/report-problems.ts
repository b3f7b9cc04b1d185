/** Problems of people who read reports: access, views, comments, refreshes and exports. */
export const reportProblems = {
  relatorio_sem_permissao: {
    status: 403,
    title: 'Relatório sem permissão',
    detail: 'Este relatório não está liberado para você. Peça acesso a um administrador.',
  },
  acesso_ja_liberado: {
    status: 409,
    title: 'Acesso já liberado',
    detail: 'Este relatório já está liberado para você.',
  },
  muitos_pedidos_acesso: {
    status: 429,
    title: 'Muitos pedidos de acesso',
    detail:
      'Você já enviou 10 pedidos nas últimas 24 horas. Espere até amanhã, ou fale com um administrador.',
  },
  pedido_ja_respondido: {
    status: 409,
    title: 'Pedido já respondido',
    detail: 'Outra pessoa já respondeu a este pedido.',
  },
  relatorio_do_pedido_ausente: {
    status: 409,
    title: 'Relatório inexistente',
    detail: 'O endereço deste pedido não leva a nenhum relatório. Você só pode recusá-lo.',
  },
  identidade_nao_confirmada: {
    status: 403,
    title: 'E-mail não confirmado',
    detail:
      'Este relatório mostra linhas conforme o seu e-mail, que ainda não foi confirmado. Confirme-o com “Recuperar senha”, na tela de entrada, ou peça um convite a um administrador.',
  },
  visao_ja_cadastrada: {
    status: 409,
    title: 'Visão já salva',
    detail: 'Você já tem uma visão deste relatório com este nome.',
  },
  visoes_demais: {
    status: 409,
    title: 'Visões demais',
    detail: 'Você já tem 50 visões deste relatório. Exclua uma para salvar outra.',
  },
  comentarios_desligados: {
    status: 403,
    title: 'Comentários desligados',
    detail: 'Os comentários deste relatório foram desligados pelo administrador.',
  },
  comentario_excluido: {
    status: 409,
    title: 'Comentário excluído',
    detail: 'Este comentário foi excluído e não pode mais ser mudado.',
  },
  respostas_demais: {
    status: 409,
    title: 'Conversa longa demais',
    detail: 'Esta conversa já tem 200 respostas. Comece outra.',
  },
  comentarios_demais: {
    status: 429,
    title: 'Comentários demais',
    detail: 'Você escreveu muitos comentários em pouco tempo. Aguarde alguns minutos.',
  },
  favoritos_demais: {
    status: 409,
    title: 'Favoritos demais',
    detail: 'Você já tem 100 favoritos. Tire um para incluir outro.',
  },
  visualizacao_sem_abertura: {
    status: 409,
    title: 'Visualização sem abertura',
    detail: 'Não há abertura recente deste relatório a que estes tempos possam pertencer.',
  },
  ver_como_indisponivel: {
    status: 409,
    title: 'Não é possível ver como esta pessoa',
    detail: 'Esta pessoa não consegue abrir este relatório.',
  },
  atualizacao_em_andamento: {
    status: 409,
    title: 'Atualização em andamento',
    detail: 'Estes dados já estão sendo atualizados. Aguarde o fim.',
  },
  atualizacoes_esgotadas: {
    status: 429,
    title: 'Limite diário de atualizações',
    detail:
      'O serviço de BI não aceita mais atualizações destes dados por enquanto: em capacidade compartilhada, o Power BI aceita 8 em 24 horas. Tente mais tarde.',
  },
  muitas_atualizacoes: {
    status: 429,
    title: 'Pedidos demais',
    detail: 'Você pediu atualizações demais na última hora. Aguarde e tente novamente.',
  },
  ponto_sem_beneficiarios: {
    status: 409,
    title: 'Sem beneficiários para listar',
    detail: 'Este ponto não dá mais uma lista de beneficiários. Recarregue o relatório e tente de novo.',
  },
  exportacao_inexistente: {
    status: 404,
    title: 'Exportação inexistente',
    detail: 'Esta exportação não existe mais. Peça-a de novo.',
  },
  exportacao_sem_formato: {
    status: 409,
    title: 'Formato indisponível',
    detail: 'Este relatório não pode ser exportado neste formato. Atualize a página e escolha outro.',
  },
  paginado_com_filtro: {
    status: 409,
    title: 'Relatório com filtro',
    detail:
      'Este relatório é paginado, e o filtro cadastrado não vale para ele. Peça a um administrador que o retire.',
  },
  exportacao_vazia: {
    status: 409,
    title: 'Nada para exportar',
    detail: 'Com os filtros escolhidos, este relatório não tem linhas. Mude a escolha e exporte de novo.',
  },
  exportacao_nao_pronta: {
    status: 409,
    title: 'Exportação não pronta',
    detail: 'O arquivo ainda não está pronto.',
  },
  exportacao_recusada: {
    status: 422,
    title: 'Exportação recusada',
    detail:
      'O serviço de BI não aceitou este pedido: a página ou as seleções podem ter mudado. Atualize o relatório e exporte de novo.',
  },
  muitas_exportacoes: {
    status: 429,
    title: 'Exportações demais',
    detail: 'Você pediu exportações demais em pouco tempo. Aguarde e tente novamente.',
  },
  exportacao_nao_suportada: {
    status: 502,
    title: 'Exportação não suportada',
    detail:
      'O serviço de BI não oferece a exportação deste relatório. Use Imprimir, que também salva em PDF.',
  },
} as const
