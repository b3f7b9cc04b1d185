/** Problems of alerts. */
export const alertProblems = {
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
} as const
