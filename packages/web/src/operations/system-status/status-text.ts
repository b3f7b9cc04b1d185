import {
  type AttentionItem,
  type MailOutcome,
  type QueueStatus,
  type StatusItem,
  type SystemState,
  type SystemStatus,
  shownNumber,
} from '@bi-manager/contract'

/** Text for each state, so that colour is not the only cue. */
export const stateNames: Record<SystemState, string> = {
  ok: 'Tudo certo',
  atencao: 'Atenção',
  falha: 'Falha',
  desconhecido: 'Sem informação',
}

const sections = {
  banco: 'Banco de dados',
  relogio: 'Relógio dos nós',
  disco: 'Espaço em disco',
  email: 'E-mail',
  servicoRelatorios: 'Serviço de relatórios',
  conexoes: 'Conexões de BI',
  copiaSeguranca: 'Cópia de segurança',
  certificados: 'Certificados',
  segredos: 'Segredos que vencem',
  filas: 'Trabalhos em espera',
} as const satisfies Record<StatusItem, string>

/** The titles of the cards. */
export const cardTitles = { ...sections, no: 'Portal' }

/** The subjects on the home page. */
export const attentionTitles: Record<AttentionItem['assunto'], string> = {
  pedidos: 'Pedidos de acesso',
  contas: 'Contas',
  dados: 'Dados',
  trocas: 'Trocas de dados',
  capacidades: 'Capacidades',
  ...sections,
}

/** Returns the items that need action by an ADMIN, failures first. */
export const toDo = (status: SystemStatus): { key: StatusItem; title: string; estado: SystemState }[] => {
  const all = (Object.keys(sections) as StatusItem[]).flatMap((key) => {
    const item = status[key]
    return item ? [{ key, title: sections[key], estado: item.estado }] : []
  })
  return (['falha', 'atencao'] as const).flatMap((wanted) => all.filter(({ estado }) => estado === wanted))
}

export const queueNames: Record<QueueStatus['fila'], string> = {
  emails: 'E-mails',
  exportacoes: 'Exportações',
  auditoria: 'Auditoria a selar',
  arquivos: 'Arquivos pendentes',
}

export const outcomeNames: Record<MailOutcome, string> = {
  aguardando: 'Nova tentativa marcada',
  desistiu: 'Desistiu',
  entregue: 'Entregue depois',
}

const mailNames: Record<string, string> = {
  recuperacao: 'Recuperação de senha',
  convite: 'Convite',
  confirmacao: 'Confirmação de e-mail',
  conta_aprovada: 'Conta aprovada',
  segredo_vence: 'Segredo que vence',
  acesso_vence: 'Acesso que vence',
  pedido_respondido: 'Pedido de acesso respondido',
  assinatura: 'Relatório de uma assinatura',
  conta_recusada: 'Conta recusada',
  conta_existente: 'Conta já existente',
  chave_criada: 'Chave de API criada',
  senha_alterada: 'Senha alterada',
  segundo_fator: 'Segundo fator',
  senha_retirada: 'Senha retirada',
  identidade_retirada: 'Identidade retirada',
  provedor_desligado: 'Provedor desligado',
  email_alterado: 'E-mail alterado',
}

export const mailName = (modelo: string): string => mailNames[modelo] ?? modelo

const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** Returns '12,3 MB'; a dash when unknown. */
export const bytesText = (bytes: number | null): string => {
  if (bytes === null) return '—'
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  const digits = amount < 100 && power > 0 ? 1 : 0
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: digits })} ${units[power]}`
}

/** Returns '+0,2 s'; undefined when unknown. */
export const differenceText = (milliseconds: number | null): string | undefined => {
  if (milliseconds === null) return undefined
  return `${shownNumber(difference, milliseconds / 1000)} s`
}

const difference = new Intl.NumberFormat('pt-BR', { signDisplay: 'exceptZero', maximumFractionDigits: 1 })

/** Returns '2 d 3 h', '3 h 20 min', '5 min'. */
export const uptimeText = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}
