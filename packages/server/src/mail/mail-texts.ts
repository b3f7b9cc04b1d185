import type { Mail } from './mails.ts'

/** What a message says, before it has a form. */
export interface MailText {
  assunto: string
  titulo: string
  paragrafos: string[]
  botao?: { texto: string; link: string }
  /** What to do if one did not ask for this. */
  aviso: string
}

/** @param empresa the company's name, where the installation has one */
export const textOf = (mail: Mail, empresa: string | undefined): MailText => {
  const saudacao = greeting(mail.nome)
  switch (mail.modelo) {
    case 'recuperacao':
      return {
        assunto: 'Redefinir sua senha do BI Manager',
        titulo: 'Redefinir sua senha',
        paragrafos: [
          saudacao,
          'Recebemos um pedido para redefinir a senha da sua conta no BI Manager. Escolha uma nova senha pelo botão abaixo.',
          `O link vale por ${count(mail.minutos, 'minuto')} e só pode ser usado uma vez.`,
        ],
        botao: { texto: 'Escolher nova senha', link: mail.link },
        aviso:
          'Se você não fez este pedido, ignore este e-mail: sua senha continua a mesma. Não repasse o link a ninguém.',
      }
    case 'convite':
      return {
        assunto: 'Seu convite para o BI Manager',
        titulo: 'Você foi convidado',
        paragrafos: [
          saudacao,
          `${oneLine(mail.convidadoPor)} convidou você para o BI Manager, o portal de relatórios${empresa ? ` de ${oneLine(empresa)}` : ' da empresa'}. Para entrar, defina sua senha pelo botão abaixo.`,
          `O link vale por ${count(mail.dias, 'dia')} e só pode ser usado uma vez.`,
        ],
        botao: { texto: 'Definir minha senha', link: mail.link },
        aviso:
          'Se você não esperava este convite, ignore este e-mail: a conta só passa a valer quando uma senha é definida. Não repasse o link a ninguém.',
      }
    case 'conta_aprovada':
      return {
        assunto: 'Sua conta no BI Manager foi aprovada',
        titulo: 'Sua conta foi aprovada',
        paragrafos: [saudacao, 'Um administrador aprovou sua conta no BI Manager. Você já pode entrar.'],
        botao: { texto: 'Entrar no BI Manager', link: mail.link },
        aviso: 'Se você não pediu esta conta, avise quem administra o portal na empresa.',
      }
    case 'conta_recusada':
      return {
        assunto: 'Seu pedido de conta no BI Manager',
        titulo: 'Seu pedido não foi aprovado',
        paragrafos: [
          saudacao,
          'Um administrador analisou seu pedido de conta no BI Manager e não o aprovou. Se você acha que houve um engano, fale com quem administra o portal na empresa.',
        ],
        aviso: 'Se você não pediu esta conta, não precisa fazer nada.',
      }
    case 'conta_existente':
      return {
        assunto: 'Você já tem uma conta no BI Manager',
        titulo: 'Você já tem uma conta',
        paragrafos: [
          saudacao,
          'Alguém informou seu e-mail para criar uma conta no BI Manager, mas você já tem uma. Entre com ela; se não se lembra da senha, use “Recuperar senha” na tela de entrada.',
        ],
        botao: { texto: 'Abrir o BI Manager', link: mail.link },
        aviso: 'Se não foi você, ignore este e-mail: nada mudou na sua conta.',
      }
    case 'senha_alterada':
      return {
        assunto: 'A senha da sua conta no BI Manager foi alterada',
        titulo: 'Sua senha foi alterada',
        paragrafos: [
          saudacao,
          `A senha da sua conta no BI Manager foi alterada em ${inBrasilia(mail.quando)}. As outras sessões abertas foram encerradas.`,
        ],
        aviso:
          'Se não foi você, use já “Recuperar senha” na tela de entrada e avise quem administra o portal na empresa.',
      }
  }
}

/** A name as it stands in a sentence: on one line, without characters that turn or hide text. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 120)

/** Anybody may type any name and any e-mail into a form: an address for a name would reach strangers as a link. */
const looksLikeAddress = /[/\\:@]|\.\S/

const greeting = (name: string): string => {
  const shown = oneLine(name)
  return shown === '' || looksLikeAddress.test(shown) ? 'Olá!' : `Olá, ${shown}!`
}

const count = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`

const inBrasilia = (instant: string): string => {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Date(instant).toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', ...options })
  return `${part({ dateStyle: 'short' })} às ${part({ timeStyle: 'short' })} (horário de Brasília)`
}
