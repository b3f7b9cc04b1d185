import type { AlertMessage, CompleteMail, Mail, SubscriptionMessage } from '../src/mail/mails.ts'

const quando = '2026-01-31T23:30:00.000Z'
export const sampleLink = 'https://bi.exemplo.com.br/convite?token=a&b=c'

/** Each message of the product that is queued with its data. */
export const queuedSamples: Record<Mail['modelo'], Mail> = {
  recuperacao: { modelo: 'recuperacao', nome: 'Ana', link: sampleLink, minutos: 10 },
  convite: { modelo: 'convite', nome: 'Ana', convidadoPor: 'Bia', link: sampleLink, dias: 1 },
  confirmacao: { modelo: 'confirmacao', nome: 'Ana', link: sampleLink, dias: 7, aguardaAprovacao: true },
  conta_aprovada: { modelo: 'conta_aprovada', nome: 'Ana', link: sampleLink },
  conta_recusada: { modelo: 'conta_recusada', nome: 'Ana' },
  conta_existente: { modelo: 'conta_existente', nome: 'Ana', link: sampleLink },
  chave_criada: {
    modelo: 'chave_criada' as const,
    nome: 'Ana',
    chave: 'Planilha',
    permissoes: ['Ver meus relatórios'],
    quando,
    vence: quando,
    link: sampleLink,
  },
  senha_alterada: { modelo: 'senha_alterada', nome: 'Ana', quando },
  segundo_fator: { modelo: 'segundo_fator', mudanca: 'ativado', nome: 'Ana', quando },
  identidade_retirada: { modelo: 'identidade_retirada', nome: 'Ana', quando },
  senha_retirada: { modelo: 'senha_retirada', nome: 'Ana', quando },
  email_alterado: { modelo: 'email_alterado', nome: 'Ana', por: 'Bia', quando },
  mencao: { modelo: 'mencao', nome: 'Ana', por: 'Bia', relatorio: 'Custos', link: sampleLink },
  acesso_vence: {
    modelo: 'acesso_vence',
    nome: 'Ana',
    titulo: 'Sua conta vence',
    texto: 'Em 31/12.',
    link: sampleLink,
  },
  pedido_respondido: {
    modelo: 'pedido_respondido',
    nome: 'Ana',
    titulo: 'Acesso liberado',
    texto: 'Sim.',
    link: sampleLink,
  },
  convidado_convite: {
    modelo: 'convidado_convite',
    nome: 'Ana',
    por: 'Bia',
    relatorio: 'Custos & receitas',
    ultimoDia: '2026-01-31',
    link: sampleLink,
  },
  convidado_link: {
    modelo: 'convidado_link',
    nome: 'Ana',
    relatorio: 'Custos & receitas',
    link: sampleLink,
    minutos: 15,
  },
  teste: { modelo: 'teste', nome: 'Ana', quando },
  segredo_vence: {
    modelo: 'segredo_vence',
    nome: 'Ana',
    segredo: 'Matriz',
    texto: 'Vence.',
    link: sampleLink,
  },
  provedor_desligado: { modelo: 'provedor_desligado', nome: 'Ana', por: 'Bia', quando },
}

export const subscriptionSample: SubscriptionMessage = {
  modelo: 'assinatura',
  nome: 'Ana',
  assunto: 'Custos <semana>',
  nota: 'Ver o total\ne a margem.',
  relatorio: 'Custos & receitas',
  pagina: 'Resumo',
  visuais: null,
  filtros: 'Operadora: CNU',
  dadosDe: '31/01/2026 20:30:00',
  feitaPor: 'Bia',
  ehTeste: false,
  semAnexo: null,
  comSenha: false,
  arquivo: null,
  link: sampleLink,
  saida: {
    oneClick: 'https://bi.exemplo.com.br/api/x?token=1',
    page: 'https://bi.exemplo.com.br/y?token=1',
  },
}

export const alertSample: AlertMessage = {
  modelo: 'alerta',
  nome: 'Ana',
  nomeAlerta: 'Custo <alto>',
  relatorio: 'Custos & receitas',
  onde: 'Resumo: Custo',
  linha: 'Operadora: CNU',
  filtros: 'Sexo: Feminino',
  condicao: 'acima de R$ 1.000,00',
  avaliadoEm: '31/01/2026 20:30:00',
  link: sampleLink,
  valores: {
    valor: 'R$ 1.234,56',
    anterior: 'R$ 900,00',
    serie: [0, 0.25, 0.5, 1, 0.73, 1].map((parte, day) => ({
      quando: `0${day + 1}/01/2026 20:30`,
      valor: `R$ ${1_234 * parte}`,
      parte,
    })),
  },
}

/** Each message of the product, by a name for its test. */
export const mailSamples: Record<string, CompleteMail> = {
  ...queuedSamples,
  'alerta com valores': alertSample,
  'alerta sem valores': { ...alertSample, valores: null, linha: null, filtros: null },
  'assinatura com link': subscriptionSample,
  'assinatura com PDF': { ...subscriptionSample, arquivo: { formato: 'PDF', conteudo: Buffer.from('x') } },
  'assinatura com imagem': { ...subscriptionSample, arquivo: { formato: 'PNG', conteudo: Buffer.from('x') } },
}
