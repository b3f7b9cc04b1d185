/** Problems of subscriptions, alerts, kiosks and their screens, and guests and their visits. */
export const distributionProblems = {
  assinaturas_demais: {
    status: 409,
    title: 'Assinaturas demais',
    detail: 'Você já tem 50 assinaturas. Exclua uma para criar outra.',
  },
  assinatura_em_envio: {
    status: 409,
    title: 'Envio em andamento',
    detail: 'Um envio desta assinatura a você está em andamento. Aguarde o fim.',
  },
  assinatura_sem_destino: {
    status: 409,
    title: 'E-mail sem entrega',
    detail: 'O seu e-mail ainda não foi confirmado, ou não é de um domínio permitido para assinaturas.',
  },
  muitos_envios: {
    status: 429,
    title: 'Envios demais',
    detail: 'Você pediu envios demais na última hora. Aguarde e tente novamente.',
  },
  alertas_demais: {
    status: 409,
    title: 'Alertas demais',
    detail: 'Você já tem 50 alertas. Exclua um para criar outro.',
  },
  alerta_sem_valor: {
    status: 409,
    title: 'Valor não encontrado',
    detail: 'O relatório mudou: o valor que este alerta vigia não existe mais. Edite o alerta.',
  },
  consulta_recusada: {
    status: 409,
    title: 'Consulta recusada',
    detail: 'O Power BI recusou a consulta DAX. Confira o texto e as tabelas.',
  },
  codigo_tela_vencido: {
    status: 400,
    title: 'Código vencido',
    detail: 'O código desta tela venceu. Peça outro.',
  },
  telao_desconectado: {
    status: 401,
    title: 'Tela desconectada',
    detail:
      'Esta tela não está conectada a um telão. Um administrador a conecta com o código que ela mostra.',
  },
  rede_de_telao: {
    status: 403,
    title: 'Rede não permitida',
    detail:
      'Este telão não pode aparecer na rede desta tela. Um administrador muda as redes no cadastro do telão ou em Segurança.',
  },
  telao_ja_cadastrado: {
    status: 409,
    title: 'Telão já cadastrado',
    detail: 'Já existe um telão com este nome.',
  },
  visita_encerrada: {
    status: 401,
    title: 'Visita encerrada',
    detail: 'Sua visita terminou. Abra o endereço do convite para pedir outro link.',
  },
  rede_de_convidado: {
    status: 403,
    title: 'Rede não permitida',
    detail:
      'Convidados só podem ver o relatório das redes que a empresa permite. Fale com quem convidou você.',
  },
  convidados_desligados: {
    status: 409,
    title: 'Convidados desligados',
    detail: 'Os links de convidado estão desligados nesta instalação. Ligue-os nas regras dos convidados.',
  },
  muitos_convites: {
    status: 429,
    title: 'Convites demais',
    detail:
      'Este e-mail já recebeu 5 convites nos últimos 15 minutos. Espere alguns minutos para enviar outro.',
  },
  convidado_revogado: {
    status: 409,
    title: 'Convite revogado',
    detail: 'Este convite foi revogado e não pode mais ser mudado. Faça outro convite.',
  },
  convidado_ja_cadastrado: {
    status: 409,
    title: 'Convite já feito',
    detail:
      'Este e-mail já tem um convite para este relatório. Mude o convite que existe, ou revogue-o antes.',
  },
} as const
