/** Problems of guests and their visits. */
export const guestProblems = {
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
