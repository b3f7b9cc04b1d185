import { HAND_OVER_MS } from '../platform/mail/link-life.ts'
import type { MailContent, MailKind } from '../platform/mail/mail-kind.ts'
import { count, harmlessName, inBrasilia, oneLine } from '../platform/mail/mail-words.ts'

interface WithLink extends MailContent {
  link: string
}

interface WithTime extends MailContent {
  /** ISO instant. */
  quando: string
}

interface ByAdministrator extends WithTime {
  /** The administrator's name. */
  por: string
}

/** To a user who asked for a new password; the link is valid for `minutos`. */
export const recoveryMail: MailKind<WithLink & { minutos: number }> = {
  modelo: 'recuperacao',
  worthSendingForMs: HAND_OVER_MS,
  text: (mail) => ({
    assunto: 'Redefinir sua senha do BI Manager',
    titulo: 'Redefinir sua senha',
    paragrafos: [
      'Recebemos um pedido para redefinir a senha da sua conta no BI Manager. Escolha uma nova senha pelo botão abaixo.',
      `O link vale por ${count(mail.minutos, 'minuto')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Escolher nova senha', link: mail.link },
    aviso:
      'Se você não fez este pedido, ignore este e-mail: sua senha continua a mesma. Não repasse o link a ninguém.',
  }),
}

export interface Invitation extends WithLink {
  convidadoPor: string
  /** Days for which the link is valid. */
  dias: number
}

/** To a user whom an administrator invited. */
export const invitationMail: MailKind<Invitation> = {
  modelo: 'convite',
  text: (mail, company) => ({
    assunto: 'Seu convite para o BI Manager',
    titulo: 'Você foi convidado',
    paragrafos: [
      `${oneLine(mail.convidadoPor)} convidou você para o BI Manager, o portal de relatórios${company ? ` de ${oneLine(company)}` : ' da empresa'}. Para entrar, defina sua senha pelo botão abaixo.`,
      `O link vale por ${count(mail.dias, 'dia')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Definir minha senha', link: mail.link },
    aviso:
      'Se você não esperava este convite, ignore este e-mail: a conta só passa a valer quando uma senha é definida. Não repasse o link a ninguém.',
  }),
}

interface Confirmation extends WithLink {
  /** Days for which the link is valid. */
  dias: number
  aguardaAprovacao: boolean
}

/** To the address given in a request for an account. */
export const confirmationMail: MailKind<Confirmation> = {
  modelo: 'confirmacao',
  text: (mail) => ({
    assunto: 'Confirme seu e-mail no BI Manager',
    titulo: 'Confirme seu e-mail',
    paragrafos: [
      `Recebemos um pedido de conta no BI Manager com este e-mail${nameGiven(mail.nome)}. Se o pedido é seu, confirme o e-mail pela página do botão abaixo.`,
      `${mail.aguardaAprovacao ? 'Depois disso, um administrador ainda precisa aprovar a conta. ' : ''}O link vale por ${count(mail.dias, 'dia')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Ver o pedido', link: mail.link },
    aviso:
      'Se não foi você, não confirme: quem o fez entraria no portal como você. Na página do botão, escolha “Não fui eu”, ou ignore este e-mail.',
  }),
}

const nameGiven = (name: string): string => {
  const shown = harmlessName(name)
  return shown === '' ? '' : ` e o nome “${shown}”`
}

export const accountApprovedMail: MailKind<WithLink> = {
  modelo: 'conta_aprovada',
  text: (mail) => ({
    assunto: 'Sua conta no BI Manager foi aprovada',
    titulo: 'Sua conta foi aprovada',
    paragrafos: ['Um administrador aprovou sua conta no BI Manager. Você já pode entrar.'],
    botao: { texto: 'Entrar no BI Manager', link: mail.link },
    aviso: 'Se você não pediu esta conta, avise quem administra o portal na empresa.',
  }),
}

export const accountRefusedMail: MailKind<MailContent> = {
  modelo: 'conta_recusada',
  text: () => ({
    assunto: 'Seu pedido de conta no BI Manager',
    titulo: 'Seu pedido não foi aprovado',
    paragrafos: [
      'Um administrador analisou seu pedido de conta no BI Manager e não o aprovou. Se você acha que houve um engano, fale com quem administra o portal na empresa.',
    ],
    aviso: 'Se você não pediu esta conta, não precisa fazer nada.',
  }),
}

/** To a user whose e-mail was typed into the sign-up form, by them or another person. */
export const accountExistsMail: MailKind<WithLink> = {
  modelo: 'conta_existente',
  text: (mail) => ({
    assunto: 'Você já tem uma conta no BI Manager',
    titulo: 'Você já tem uma conta',
    paragrafos: [
      'Alguém informou seu e-mail para criar uma conta no BI Manager, mas você já tem uma. Entre com ela; se não se lembra da senha, use “Recuperar senha” na tela de entrada.',
    ],
    botao: { texto: 'Abrir o BI Manager', link: mail.link },
    aviso: 'Se não foi você, ignore este e-mail: nada mudou na sua conta.',
  }),
}

export const passwordChangedMail: MailKind<WithTime> = {
  modelo: 'senha_alterada',
  text: (mail) => ({
    assunto: 'A senha da sua conta no BI Manager foi alterada',
    titulo: 'Sua senha foi alterada',
    paragrafos: [
      `A senha da sua conta no BI Manager foi alterada em ${inBrasilia(mail.quando)}. As outras sessões abertas foram encerradas.`,
    ],
    aviso:
      'Se não foi você, use já “Recuperar senha” na tela de entrada e avise quem administra o portal na empresa.',
  }),
}

/** A change of a user's second factor. */
export type FactorChange =
  | { mudanca: 'ativado' | 'trocado' | 'desativado' | 'codigos' }
  /** Reset by the administrator of the name `por`. */
  | { mudanca: 'redefinido'; por: string }

/** Titles of a change, in e-mails and in the bell. */
export const factorTitles: Record<FactorChange['mudanca'], string> = {
  ativado: 'Segundo fator ativado',
  trocado: 'Aparelho do segundo fator trocado',
  desativado: 'Segundo fator desativado',
  codigos: 'Códigos de recuperação trocados',
  redefinido: 'Segundo fator redefinido',
}

/** The link, valid for 24 hours, removes a second factor that the user did not set up. */
type SecondFactorChange = WithTime & { link?: string | undefined } & FactorChange

export const secondFactorMail: MailKind<SecondFactorChange> = {
  modelo: 'segundo_fator',
  text: (mail) => {
    const titulo = factorTitles[mail.mudanca]
    return {
      assunto: `${titulo} na sua conta no BI Manager`,
      titulo,
      paragrafos: [
        factorTextOf(mail, inBrasilia(mail.quando)),
        ...(mail.link
          ? [
              'Se não foi você, retire-o pelo botão abaixo: o link vale por 24 horas e encerra todas as sessões.',
            ]
          : []),
      ],
      ...(mail.link ? { botao: { texto: 'Não fui eu: retirar o segundo fator', link: mail.link } } : {}),
      aviso:
        mail.mudanca === 'redefinido'
          ? 'Se você não pediu isto, avise já quem administra o portal na empresa.'
          : 'Se não foi você, alguém sabe a sua senha: avise já quem administra o portal na empresa e troque a senha.',
    }
  },
}

const factorTextOf = (change: FactorChange, quando: string): string => {
  switch (change.mudanca) {
    case 'ativado':
      return `O segundo fator da sua conta no BI Manager foi ativado em ${quando}. Entrar com a senha pede agora também um código do aplicativo autenticador. As outras sessões abertas foram encerradas.`
    case 'trocado':
      return `O aparelho do segundo fator da sua conta no BI Manager foi trocado em ${quando}. O anterior e os códigos de recuperação dele não valem mais. As outras sessões abertas foram encerradas.`
    case 'desativado':
      return `O segundo fator da sua conta no BI Manager foi desativado em ${quando}. A senha sozinha volta a bastar para entrar.`
    case 'codigos':
      return `Os códigos de recuperação da sua conta no BI Manager foram trocados em ${quando}. Os anteriores não valem mais.`
    case 'redefinido':
      return `${oneLine(change.por)} retirou o segundo fator da sua conta no BI Manager em ${quando}. As sessões abertas foram encerradas. Até você configurar outro aparelho, a senha basta para entrar.`
  }
}

/** To a user verified by the provider, whose account another person may have requested. */
export const passwordRemovedMail: MailKind<WithTime> = {
  modelo: 'senha_retirada',
  text: (mail) => ({
    assunto: 'A senha da sua conta no BI Manager foi retirada',
    titulo: 'A senha da sua conta foi retirada',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)} você entrou no BI Manager pelo provedor de identidade, e a conta que já existia com o seu e-mail foi ligada a você.`,
      'A conta tinha sido pedida no formulário de cadastro, onde qualquer pessoa pode digitar o e-mail de outra. Por isso retiramos a senha escolhida ali e o segundo fator, se havia, e encerramos as sessões abertas. Continue entrando pelo provedor.',
    ],
    aviso:
      'Se não foi você quem entrou, avise quem administra o portal na empresa. Se a senha era sua, escolha outra em “Recuperar senha” na tela de entrada.',
  }),
}

/** To the user who verified the e-mail of an account that another identity had requested. */
export const identityRemovedMail: MailKind<WithTime> = {
  modelo: 'identidade_retirada',
  text: (mail) => ({
    assunto: 'Uma identidade foi desligada da sua conta no BI Manager',
    titulo: 'Uma identidade foi desligada da sua conta',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)} você comprovou que este e-mail é seu.`,
      'A conta tinha sido pedida por uma identidade do provedor que não trazia essa prova. Por isso a desligamos da conta e encerramos as sessões abertas.',
    ],
    aviso:
      'Se não foi você, ou se a identidade era sua e você não consegue mais entrar, fale com quem administra o portal na empresa.',
  }),
}

export const providerUnlinkedMail: MailKind<ByAdministrator> = {
  modelo: 'provedor_desligado',
  text: (mail) => ({
    assunto: 'Sua conta no BI Manager foi desligada do provedor de identidade',
    titulo: 'Conta desligada do provedor',
    paragrafos: [
      `${oneLine(mail.por)} desligou sua conta no BI Manager da sua identidade no provedor em ${inBrasilia(mail.quando)}. As sessões abertas foram encerradas.`,
    ],
    aviso: 'Se você não esperava por isto, fale com quem administra o portal na empresa.',
  }),
}

/** To the earlier address of an account whose e-mail the administrator changed. */
export const emailChangedMail: MailKind<ByAdministrator> = {
  modelo: 'email_alterado',
  text: (mail) => ({
    assunto: 'O e-mail da sua conta no BI Manager foi alterado',
    titulo: 'O e-mail da sua conta foi alterado',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)}, ${mail.por} trocou o e-mail da sua conta no BI Manager. As próximas mensagens vão para o endereço novo, e este não entra mais no portal.`,
    ],
    aviso: 'Se você não pediu isto, avise já quem administra o portal na empresa.',
  }),
}

interface CreatedKey extends WithTime {
  chave: string
  /** Titles of its groups. */
  permissoes: string[]
  /** ISO instant. */
  vence: string
  link: string
}

/** To the owner of a new API key. */
export const apiKeyCreatedMail: MailKind<CreatedKey> = {
  modelo: 'chave_criada',
  text: (mail) => ({
    assunto: 'Nova chave de API na sua conta no BI Manager',
    titulo: 'Uma chave de API foi criada',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)} foi criada na sua conta a chave de API “${oneLine(mail.chave)}”. Com ela, um programa chama o portal em seu nome, até ${inBrasilia(mail.vence)}.`,
      `Ela permite: ${mail.permissoes.join('; ')}.`,
    ],
    botao: { texto: 'Ver minhas chaves', link: mail.link },
    aviso:
      'Se não foi você, revogue a chave pelo botão, troque a sua senha e avise quem administra o portal na empresa.',
  }),
}

export const accountMails = [
  recoveryMail,
  invitationMail,
  confirmationMail,
  accountApprovedMail,
  accountRefusedMail,
  accountExistsMail,
  passwordChangedMail,
  secondFactorMail,
  passwordRemovedMail,
  identityRemovedMail,
  providerUnlinkedMail,
  emailChangedMail,
  apiKeyCreatedMail,
]
