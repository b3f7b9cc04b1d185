import { accessExpiresMail } from '../src/access/grants/expiry.mail.ts'
import { requestAnsweredMail } from '../src/access/requests/access-requests.mail.ts'
import {
  accountApprovedMail,
  accountExistsMail,
  accountRefusedMail,
  apiKeyCreatedMail,
  confirmationMail,
  emailChangedMail,
  identityRemovedMail,
  invitationMail,
  passwordChangedMail,
  passwordRemovedMail,
  providerUnlinkedMail,
  recoveryMail,
  secondFactorMail,
} from '../src/accounts/accounts.mail.ts'
import { type AlertMessage, alertMail } from '../src/distribution/alerts/alert.mail.ts'
import { guestInvitationMail, visitLinkMail } from '../src/distribution/guests/guests.mail.ts'
import {
  type SubscriptionMessage,
  subscriptionMail,
} from '../src/distribution/subscriptions/mails/subscription.mail.ts'
import { secretExpiresMail, testMail } from '../src/operations/system-status/system-status.mail.ts'
import type { AnyMailKind, MailContent, MailKind } from '../src/platform/mail/mail-kind.ts'
import { mentionMail } from '../src/reports/comments/mention.mail.ts'

/** A message as its kind composes it. */
export interface MailSample {
  kind: AnyMailKind
  mail: MailContent
}

/** Pairs a kind with content of its type. */
export const sample = <Content extends MailContent, Queued extends object>(
  kind: MailKind<Content, Queued>,
  mail: NoInfer<Content>,
): MailSample => ({ kind, mail })

const quando = '2026-01-31T23:30:00.000Z'
export const sampleLink = 'https://bi.exemplo.com.br/convite?token=a&b=c'

/** A message of each kind whose content the queue holds, by the name of its kind. */
export const queuedSamples = {
  recuperacao: sample(recoveryMail, { nome: 'Ana', link: sampleLink, minutos: 10 }),
  convite: sample(invitationMail, { nome: 'Ana', convidadoPor: 'Bia', link: sampleLink, dias: 1 }),
  confirmacao: sample(confirmationMail, { nome: 'Ana', link: sampleLink, dias: 7, aguardaAprovacao: true }),
  conta_aprovada: sample(accountApprovedMail, { nome: 'Ana', link: sampleLink }),
  conta_recusada: sample(accountRefusedMail, { nome: 'Ana' }),
  conta_existente: sample(accountExistsMail, { nome: 'Ana', link: sampleLink }),
  chave_criada: sample(apiKeyCreatedMail, {
    nome: 'Ana',
    chave: 'Planilha',
    permissoes: ['Ver meus relatórios'],
    quando,
    vence: quando,
    link: sampleLink,
  }),
  senha_alterada: sample(passwordChangedMail, { nome: 'Ana', quando }),
  segundo_fator: sample(secondFactorMail, { mudanca: 'ativado', nome: 'Ana', quando }),
  identidade_retirada: sample(identityRemovedMail, { nome: 'Ana', quando }),
  senha_retirada: sample(passwordRemovedMail, { nome: 'Ana', quando }),
  email_alterado: sample(emailChangedMail, { nome: 'Ana', por: 'Bia', quando }),
  mencao: sample(mentionMail, { nome: 'Ana', por: 'Bia', relatorio: 'Custos', link: sampleLink }),
  acesso_vence: sample(accessExpiresMail, {
    nome: 'Ana',
    titulo: 'Sua conta vence',
    texto: 'Em 31/12.',
    link: sampleLink,
  }),
  pedido_respondido: sample(requestAnsweredMail, {
    nome: 'Ana',
    titulo: 'Acesso liberado',
    texto: 'Sim.',
    link: sampleLink,
  }),
  convidado_convite: sample(guestInvitationMail, {
    nome: 'Ana',
    por: 'Bia',
    relatorio: 'Custos & receitas',
    ultimoDia: '2026-01-31',
    link: sampleLink,
  }),
  convidado_link: sample(visitLinkMail, {
    nome: 'Ana',
    relatorio: 'Custos & receitas',
    link: sampleLink,
    minutos: 15,
  }),
  teste: sample(testMail, { nome: 'Ana', quando }),
  segredo_vence: sample(secretExpiresMail, {
    nome: 'Ana',
    segredo: 'Matriz',
    texto: 'Vence.',
    link: sampleLink,
  }),
  provedor_desligado: sample(providerUnlinkedMail, { nome: 'Ana', por: 'Bia', quando }),
}

export const subscriptionSample: SubscriptionMessage = {
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

const alertSample: AlertMessage = {
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

const subscription = (fields: Partial<SubscriptionMessage> = {}) =>
  sample(subscriptionMail, { ...subscriptionSample, ...fields })
const conteudo = Buffer.from('x')

/** Each message of the product, by a name for its test. */
export const mailSamples: Record<string, MailSample> = {
  ...queuedSamples,
  'alerta com valores': sample(alertMail, alertSample),
  'alerta sem valores': sample(alertMail, { ...alertSample, valores: null, linha: null, filtros: null }),
  'assinatura com link': subscription(),
  'assinatura com PDF': subscription({ arquivo: { formato: 'PDF', conteudo } }),
  'assinatura com imagem': subscription({ arquivo: { formato: 'PNG', conteudo } }),
}
