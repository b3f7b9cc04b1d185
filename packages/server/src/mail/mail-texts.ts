import { brazilianDayOf } from '@bi-manager/contract'
import { dayText, timeText } from '../lib/local-time.ts'
import { alertText } from './alert-text.ts'
import { type CompleteMail, type FactorChange, factorTitles, type MailText } from './mails.ts'
import { subscriptionText } from './subscription-text.ts'

/**
 * Returns the text of a message.
 * @param empresa the company's name, where the installation has one
 */
export const textOf = (mail: CompleteMail, empresa: string | undefined): MailText => {
  const text = (texts[mail.modelo] as TextOf<CompleteMail>)(mail, empresa)
  return { ...text, paragrafos: [greeting(mail.nome), ...text.paragrafos] }
}

type TextOf<M extends CompleteMail> = (mail: M, empresa: string | undefined) => MailText

/** Each message without its greeting. */
const texts: { [M in CompleteMail['modelo']]: TextOf<Extract<CompleteMail, { modelo: M }>> } = {
  assinatura: subscriptionText,
  alerta: alertText,
  recuperacao: (mail) => ({
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
  convite: (mail, empresa) => ({
    assunto: 'Seu convite para o BI Manager',
    titulo: 'Você foi convidado',
    paragrafos: [
      `${oneLine(mail.convidadoPor)} convidou você para o BI Manager, o portal de relatórios${empresa ? ` de ${oneLine(empresa)}` : ' da empresa'}. Para entrar, defina sua senha pelo botão abaixo.`,
      `O link vale por ${count(mail.dias, 'dia')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Definir minha senha', link: mail.link },
    aviso:
      'Se você não esperava este convite, ignore este e-mail: a conta só passa a valer quando uma senha é definida. Não repasse o link a ninguém.',
  }),
  confirmacao: (mail) => ({
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
  conta_aprovada: (mail) => ({
    assunto: 'Sua conta no BI Manager foi aprovada',
    titulo: 'Sua conta foi aprovada',
    paragrafos: ['Um administrador aprovou sua conta no BI Manager. Você já pode entrar.'],
    botao: { texto: 'Entrar no BI Manager', link: mail.link },
    aviso: 'Se você não pediu esta conta, avise quem administra o portal na empresa.',
  }),
  conta_recusada: () => ({
    assunto: 'Seu pedido de conta no BI Manager',
    titulo: 'Seu pedido não foi aprovado',
    paragrafos: [
      'Um administrador analisou seu pedido de conta no BI Manager e não o aprovou. Se você acha que houve um engano, fale com quem administra o portal na empresa.',
    ],
    aviso: 'Se você não pediu esta conta, não precisa fazer nada.',
  }),
  conta_existente: (mail) => ({
    assunto: 'Você já tem uma conta no BI Manager',
    titulo: 'Você já tem uma conta',
    paragrafos: [
      'Alguém informou seu e-mail para criar uma conta no BI Manager, mas você já tem uma. Entre com ela; se não se lembra da senha, use “Recuperar senha” na tela de entrada.',
    ],
    botao: { texto: 'Abrir o BI Manager', link: mail.link },
    aviso: 'Se não foi você, ignore este e-mail: nada mudou na sua conta.',
  }),
  senha_alterada: (mail) => ({
    assunto: 'A senha da sua conta no BI Manager foi alterada',
    titulo: 'Sua senha foi alterada',
    paragrafos: [
      `A senha da sua conta no BI Manager foi alterada em ${inBrasilia(mail.quando)}. As outras sessões abertas foram encerradas.`,
    ],
    aviso:
      'Se não foi você, use já “Recuperar senha” na tela de entrada e avise quem administra o portal na empresa.',
  }),
  segundo_fator: (mail) => {
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
  chave_criada: (mail) => ({
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
  email_alterado: (mail) => ({
    assunto: 'O e-mail da sua conta no BI Manager foi alterado',
    titulo: 'O e-mail da sua conta foi alterado',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)}, ${mail.por} trocou o e-mail da sua conta no BI Manager. As próximas mensagens vão para o endereço novo, e este não entra mais no portal.`,
    ],
    aviso: 'Se você não pediu isto, avise já quem administra o portal na empresa.',
  }),
  senha_retirada: (mail) => ({
    assunto: 'A senha da sua conta no BI Manager foi retirada',
    titulo: 'A senha da sua conta foi retirada',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)} você entrou no BI Manager pelo provedor de identidade, e a conta que já existia com o seu e-mail foi ligada a você.`,
      'A conta tinha sido pedida no formulário de cadastro, onde qualquer pessoa pode digitar o e-mail de outra. Por isso retiramos a senha escolhida ali e o segundo fator, se havia, e encerramos as sessões abertas. Continue entrando pelo provedor.',
    ],
    aviso:
      'Se não foi você quem entrou, avise quem administra o portal na empresa. Se a senha era sua, escolha outra em “Recuperar senha” na tela de entrada.',
  }),
  identidade_retirada: (mail) => ({
    assunto: 'Uma identidade foi desligada da sua conta no BI Manager',
    titulo: 'Uma identidade foi desligada da sua conta',
    paragrafos: [
      `Em ${inBrasilia(mail.quando)} você comprovou que este e-mail é seu.`,
      'A conta tinha sido pedida por uma identidade do provedor que não trazia essa prova. Por isso a desligamos da conta e encerramos as sessões abertas.',
    ],
    aviso:
      'Se não foi você, ou se a identidade era sua e você não consegue mais entrar, fale com quem administra o portal na empresa.',
  }),
  segredo_vence: (mail) => ({
    assunto: `Segredo a trocar no BI Manager: ${oneLine(mail.segredo)}`,
    titulo: 'Um segredo precisa ser trocado',
    paragrafos: [
      `“${oneLine(mail.segredo)}”: ${mail.texto} Com o segredo vencido, os relatórios ou a entrada que dependem dele deixam de funcionar.`,
    ],
    botao: { texto: 'Abrir no BI Manager', link: mail.link },
    aviso: 'Se você não cuida disso, avise quem administra o portal na empresa.',
  }),
  acesso_vence: (mail) => ({
    assunto: `${mail.titulo} no BI Manager`,
    titulo: mail.titulo,
    paragrafos: [mail.texto],
    botao: { texto: 'Abrir o BI Manager', link: mail.link },
    aviso: 'Se você não usa o BI Manager, ignore este e-mail.',
  }),
  pedido_respondido: (mail) => ({
    assunto: `${mail.titulo} no BI Manager`,
    titulo: mail.titulo,
    paragrafos: [mail.texto],
    botao: { texto: mail.abreRelatorio ? 'Abrir o relatório' : 'Ver meus pedidos', link: mail.link },
    aviso: 'Se você não fez este pedido, avise quem administra o portal na empresa.',
  }),
  mencao: (mail) => ({
    assunto: 'Você foi mencionado em um comentário no BI Manager',
    titulo: 'Você foi mencionado em um comentário',
    paragrafos: [
      `${oneLine(mail.por)} mencionou você em um comentário no relatório “${oneLine(mail.relatorio)}”. Entre no portal para ler e responder.`,
    ],
    botao: { texto: 'Ver o comentário', link: mail.link },
    aviso: 'Se você não acompanha este relatório, ignore este e-mail.',
  }),
  convidado_convite: (mail, empresa) => ({
    assunto: 'Você foi convidado a ver um relatório no BI Manager',
    titulo: 'Você foi convidado a ver um relatório',
    paragrafos: [
      `${oneLine(mail.por)} convidou você a ver o relatório “${oneLine(mail.relatorio)}” no BI Manager, o portal de relatórios${empresa ? ` de ${oneLine(empresa)}` : ' da empresa'}, até ${brazilianDayOf(mail.ultimoDia)}. Você não precisa de conta nem de senha.`,
      'Guarde este e-mail. A cada visita, abra a página do botão e peça um link: ele chega a este mesmo endereço.',
    ],
    botao: { texto: 'Abrir a página do convite', link: mail.link },
    aviso: 'Se você não esperava este convite, ignore este e-mail: sem o link que a página envia, nada abre.',
  }),
  convidado_link: (mail) => ({
    assunto: 'Seu link para ver o relatório no BI Manager',
    titulo: 'Seu link para ver o relatório',
    paragrafos: [
      `Recebemos o seu pedido para ver o relatório “${oneLine(mail.relatorio)}”. Abra-o pelo botão abaixo.`,
      `O link vale por ${count(mail.minutos, 'minuto')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Ver o relatório', link: mail.link },
    aviso:
      'Se você não pediu este link, ignore este e-mail. Não repasse o link a ninguém: ele abre o relatório.',
  }),
  teste: (mail) => ({
    assunto: 'E-mail de teste do BI Manager',
    titulo: 'E-mail de teste',
    paragrafos: [
      `Você enviou esta mensagem em ${inBrasilia(mail.quando)}, em “Situação do sistema”. Se ela chegou, o envio de e-mails do portal funciona.`,
    ],
    aviso: 'Se não foi você, avise quem administra o portal na empresa.',
  }),
  provedor_desligado: (mail) => ({
    assunto: 'Sua conta no BI Manager foi desligada do provedor de identidade',
    titulo: 'Conta desligada do provedor',
    paragrafos: [
      `${oneLine(mail.por)} desligou sua conta no BI Manager da sua identidade no provedor em ${inBrasilia(mail.quando)}. As sessões abertas foram encerradas.`,
    ],
    aviso: 'Se você não esperava por isto, fale com quem administra o portal na empresa.',
  }),
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

/** Puts a name on one line, without control and format characters. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 120)

/** Anyone may type any name and e-mail: an address as name would reach strangers as a link. */
const looksLikeAddress = /[/\\:@]|\.\S/

const greeting = (name: string): string => {
  const shown = oneLine(name)
  return shown === '' || looksLikeAddress.test(shown) ? 'Olá!' : `Olá, ${shown}!`
}

/** An address as name would reach strangers as a link. */
const nameGiven = (name: string): string => {
  const shown = oneLine(name)
  return shown === '' || looksLikeAddress.test(shown) ? '' : ` e o nome “${shown}”`
}

const count = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`

const inBrasilia = (instant: string): string => {
  const at = new Date(instant)
  return `${dayText(at)} às ${timeText(at)} (horário de Brasília)`
}
