import type { MailFailureKind } from '../db/tables/system-tables.ts'
import { connectionFault, faultSentence, isFault, isProxyFault } from '../lib/connection-fault.ts'

export interface MailFailure {
  /** Codes only: a server's own text may repeat the address or the message. */
  codigo: string
  motivo: MailFailureKind
}

/** Failures of this message alone: the mail server may accept the next one. */
const ofOneMessage: readonly MailFailureKind[] = ['endereco', 'mensagem', 'outra']

/** The portal's own time limit of a delivery: a large message over a slow line reaches it. */
const TIME_LIMIT = /^EABORT\b/

/** Returns whether every other message would fail, too. */
export const isOfWholeServer = ({ codigo, motivo }: MailFailure): boolean =>
  !ofOneMessage.includes(motivo) && !TIME_LIMIT.test(codigo)

/** Returns whether the mail server answered, and refused this message alone. */
export const isAnswer = (failure: MailFailure): boolean =>
  !isOfWholeServer(failure) && /\b[45]\d\d\b/.test(failure.codigo)

/** Returns whether the mail server has refused the message permanently (RFC 5321, 5yz). */
const isPermanent = ({ codigo }: MailFailure): boolean => /\b5\d\d\b/.test(codigo)

/**
 * Permanent codes with which Exchange Online and Gmail name a limit of messages an hour or a day: the
 * message may be accepted later (ADR 0042 has the sources).
 */
const LIMIT_CODES = /\b5\.(4\.5|1\.90|2\.12[12]|7\.(232|233|705))\b/

/** Limits whose enhanced code has other meanings too; `LIMIT` then stands for the text. */
const LIMIT_TEXTS =
  /^5\d\d[ -](5\.7\.1 .*daily smtp relay limit exceeded|5\.2\.2 .*submission quota exceeded)/i
const LIMIT = 'LIMIT'

/** Returns whether the mail server accepts no more messages now. */
const isLimit = ({ codigo }: MailFailure): boolean =>
  LIMIT_CODES.test(codigo) || codigo.split(' ').includes(LIMIT)

/** Returns whether no later attempt can succeed: the address or the content was refused. */
export const isFinal = (failure: MailFailure): boolean =>
  isAnswer(failure) && isPermanent(failure) && !isLimit(failure)

/** Describes an error of nodemailer or of the outbox folder. */
export const failureOf = (error: unknown): MailFailure => {
  const { code, command, response, responseCode, timeoutType, name } = error as Partial<
    Record<string, unknown>
  >
  const fault = connectionFault(error)
  const enhanced = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ''))?.[1]
  // The server does not know the command that begins the encryption.
  const step = code === 'ETLS' && command === STARTTLS && responseCode ? STARTTLS : undefined
  const limit = LIMIT_TEXTS.test(String(response ?? '')) ? LIMIT : undefined
  const parts = [code ?? name, step, responseCode, enhanced, limit, timeoutType, fault]
  const codigo = parts.filter((part) => part !== undefined).join(' ')
  return { codigo, motivo: kindOf(error, fault) }
}

const STARTTLS = 'STARTTLS'

/** No node knew the kind of a message in time. */
export const unknownKind: MailFailure = { codigo: 'UNKNOWN_KIND', motivo: 'outra' }

/** Decides by the codes of nodemailer, Node's TLS and the file system. */
const kindOf = (error: unknown, fault: string | undefined): MailFailureKind => {
  const { code, command, name, responseCode } = error as Partial<Record<string, unknown>>
  const text = String(code ?? '')
  if (text === 'EAUTH') return 'credencial'
  // 421: the server closes the connection, whatever the command was.
  const refusedStep = responseCode && responseCode !== 421 ? kindOfCommand[String(command)] : undefined
  if (refusedStep) return refusedStep
  if (text === 'EMESSAGE') return 'mensagem'
  if (fault) return isProxyFault(fault) ? 'conexao' : 'certificado'
  if (text === 'ETLS') return 'certificado'
  if (/^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOTDIR|EISDIR|ENOENT|EEXIST)$/.test(text)) return 'pasta'
  // EABORT: the portal's own time limit.
  if (/^(EABORT|ECONN|EPROXY|ESOCKET|ETIME|EDNS|EPROTOCOL|EHOST|ENET|ENOTFOUND|EAI_|EPIPE)/.test(text))
    return 'conexao'
  return name === 'TimeoutError' ? 'conexao' : 'outra'
}

/** What a server refuses when it refuses an SMTP command. */
const kindOfCommand: Record<string, MailFailureKind> = {
  'RCPT TO': 'endereco',
  'MAIL FROM': 'remetente',
  DATA: 'mensagem',
}

/**
 * Returns a Portuguese sentence: what happened and what to do. `$` below stands for the SMTP code.
 */
export const failureSentence = (failure: MailFailure): string => {
  const fault = failure.codigo.split(' ').find(isFault)
  if (failure.codigo === unknownKind.codigo) return UNKNOWN_KIND
  if (fault) return `${faultSentence(fault, 'do servidor de e-mail')}.`
  if (failure.codigo.split(' ').includes(STARTTLS)) return NO_STARTTLS
  const code = /\b[45]\d\d\b/.exec(failure.codigo)?.[0]
  if (isPermanent(failure) && isLimit(failure)) return AT_LIMIT.replace('$', code ?? '')
  const special = isFinal(failure) && reasons.find(({ codes }) => codes.test(failure.codigo))
  if (special) return special.sentence.replace('$', code ?? '')
  const sentences = isPermanent(failure) ? refused : deferred
  return `${sentences[failure.motivo].replace('$', code ? ` (${code})` : '')}.`
}

const NO_STARTTLS =
  'O servidor de e-mail não oferece STARTTLS nesta porta, e o portal não envia sem criptografia: use smtps:// ou outra porta em SMTP_URL, ou ?requireTLS=false se a rede até ele for sua.'

const UNKNOWN_KIND =
  'Nenhum nó do portal conhece este tipo de e-mail, e ele não foi enviado: confira se todos os nós têm a mesma versão.'

const AT_LIMIT =
  'O servidor de e-mail não aceitou a mensagem agora ($), por um limite de envio dele: veja com quem cuida dele. O portal tenta de novo sozinho.'

/** Permanent refusals whose reason is another one than that of the refused step. */
const reasons = [
  {
    codes: /\b5\.(2\.3|3\.4)\b/,
    sentence:
      'O servidor de e-mail recusou a mensagem ($) por ser grande demais: diminua o arquivo ou envie só o link.',
  },
  {
    // Not 5.7.504 and 5.7.505, with which Exchange Online refuses an address.
    codes: /\b5\.7\.(?!50[45]\b)\d+/,
    sentence:
      'O servidor de e-mail recusou a mensagem ($) por uma regra dele: veja com quem cuida dele se ela foi tomada por spam.',
  },
]

const refused: Record<MailFailureKind, string> = {
  endereco: 'O servidor de e-mail recusou o endereço$: confira se ele está certo',
  mensagem: 'O servidor de e-mail recusou a mensagem$: veja com quem cuida dele se ela foi tomada por spam',
  remetente: 'O servidor de e-mail recusou o remetente$: confira MAIL_FROM',
  credencial: 'O servidor de e-mail recusou o usuário ou a senha do portal$: confira SMTP_URL',
  certificado: 'A conexão segura com o servidor de e-mail falhou$: confira o certificado dele',
  conexao: 'O servidor de e-mail recusou a conexão$: confira SMTP_URL e o que ele aceita',
  pasta: 'A pasta outbox de DATA_DIR não pode ser gravada$: confira espaço e permissões',
  outra: 'O e-mail não pôde ser enviado$: veja o log do portal',
}

const deferred: Record<MailFailureKind, string> = {
  ...refused,
  endereco: 'O servidor do destinatário pediu para tentar mais tarde$: o portal tenta de novo sozinho',
  mensagem: 'O servidor de e-mail adiou a mensagem$: o portal tenta de novo sozinho',
  remetente: 'O servidor de e-mail adiou o remetente$: o portal tenta de novo sozinho',
  credencial:
    'O servidor de e-mail não aceitou a entrada do portal$: confira o usuário e a senha de SMTP_URL',
  conexao: 'O servidor de e-mail não respondeu$: confira SMTP_URL, a rede e o firewall',
}
