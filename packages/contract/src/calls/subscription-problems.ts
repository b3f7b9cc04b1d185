/** Problems of subscriptions. */
export const subscriptionProblems = {
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
} as const
