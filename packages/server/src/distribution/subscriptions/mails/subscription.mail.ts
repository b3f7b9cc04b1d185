import { SUBSCRIPTION, type SubscriptionFormat } from '@bi-manager/contract'
import type { Config } from '../../../platform/config/config.ts'
import { lockPdf } from '../../../platform/files/pdf/lock-pdf.ts'
import { momentText } from '../../../platform/lib/local-time.ts'
import { orUndefined } from '../../../platform/lib/or-undefined.ts'
import type {
  MailContent,
  MailFile,
  MailKind,
  MailServices,
  MailText,
  PreparedMail,
} from '../../../platform/mail/mail-kind.ts'
import { contentTypeOf } from '../../../reports/index.ts'
import { plainQuery, reportLink } from '../../deliveries/report-link.ts'
import { attachmentLimit, mayLeave, readRecipientRules } from '../../deliveries/sending-rules.ts'
import { unsubscribeAddresses } from '../recipients/unsubscribe-token.ts'
import { setMailState } from './mail-states.ts'
import { readRunFile } from './run-files.ts'
import { checkRecipient, isAttached, mailSkipReason, type RunMailRow, selectRunMails } from './run-mails.ts'
import { GONE, LINK_FOR_PASSWORD, LOST_PDF_PASSWORD } from './skip-reasons.ts'

/** What the queue holds of an e-mail of a subscription: everything else is read when it is sent. */
interface QueuedSubscription {
  idExecucao: number
  idUsuario: number
}

/** A report to one recipient of a subscription. */
export interface SubscriptionMessage extends MailContent {
  assunto: string
  /** Written by who made the subscription; line breaks count. */
  nota: string | null
  relatorio: string
  /** The title of the page; null: the whole report. */
  pagina: string | null
  /** Titles of the chosen visuals of a spreadsheet; null: all of them. */
  visuais: string | null
  /** In words; null without filters. */
  filtros: string | null
  /** When the data were refreshed, in words; null when the provider does not say. */
  dadosDe: string | null
  /** Who made the subscription; null: the recipient. */
  feitaPor: string | null
  /** Sent by 'Enviar agora'. */
  ehTeste: boolean
  link: string
  /** For mail programs (RFC 8058), and for people. */
  saida: { oneClick: string; page: string }
  arquivo: { formato: SubscriptionFormat; conteudo: Buffer } | null
  /**
   * Why a wanted file is left out; null: none is. `SENHA`: the recipient has set a password, which
   * only a PDF can have. `OUTRO`: it is too large, or may not leave the portal.
   */
  semAnexo: 'SENHA' | 'OUTRO' | null
  /** The PDF opens with the recipient's password. */
  comSenha: boolean
}

/**
 * Checks once more, just before a queued e-mail is sent, whether its recipient may get it: they may have
 * lost the report, the account or the identity since, or have unsubscribed.
 */
const prepareSubscriptionMail = async (
  services: MailServices,
  { idExecucao, idUsuario }: QueuedSubscription,
): Promise<PreparedMail<SubscriptionMessage>> => {
  const { db, config, secrets } = services
  const find = () =>
    selectRunMails(db)
      .where('assinaturaEntrega.idExecucao', '=', idExecucao)
      .where('assinaturaEntrega.idUsuario', '=', idUsuario)
      .executeTakeFirst()
  const planned = await find()
  const mayHaveFile = planned && isAttached(planned, await readRecipientRules(db))
  const file = mayHaveFile ? await fileOf(services, planned) : undefined
  if (file === LOST_PDF_PASSWORD) return { motivo: LOST_PDF_PASSWORD }
  // Checked after the file was read, which may take a while, by the rules as they are then.
  const row = await find()
  const rules = await readRecipientRules(db)
  if (row?.estadoEntrega !== 'NA_FILA') return { motivo: GONE }
  const skipReason = mailSkipReason(row, checkRecipient(row, rules, secrets))
  if (skipReason !== null) return { motivo: skipReason }
  if (row.senhaPdf !== planned?.senhaPdf) return prepareSubscriptionMail(services, { idExecucao, idUsuario })
  const isStillAttached = isAttached(row, rules) && (row.bytes ?? 0) <= attachmentLimit(rules)
  const conteudo = isStillAttached ? file : undefined
  const isForPassword = isStillAttached && row.arquivo !== null && needsLink(row)
  const { idAssinatura, nomeUsuario, emailUsuario, assunto, nota, nomeRelatorio, formato } = row
  const { tituloPagina, pagina, visuais, emPalavras, dadosDe, nomeDono, idDono, entrega, causa } = row
  return {
    para: emailUsuario,
    remark: isForPassword ? LINK_FOR_PASSWORD : null,
    mail: {
      nome: nomeUsuario,
      assunto,
      nota,
      relatorio: nomeRelatorio,
      pagina: tituloPagina ?? pagina,
      visuais: visuais.map(({ titulo }) => titulo).join(', ') || null,
      // They may name what only one person sees.
      filtros: mayLeave(row, rules) ? emPalavras : null,
      dadosDe: dadosDe ? momentText(dadosDe) : null,
      feitaPor: idDono === idUsuario ? null : nomeDono,
      ehTeste: causa === 'TESTE',
      link: subscriptionLink(config, row),
      saida: unsubscribeAddresses(config, secrets, { idAssinatura, idUsuario }),
      arquivo: conteudo ? { formato, conteudo } : null,
      semAnexo: entrega === 'LINK' || conteudo ? null : isForPassword ? 'SENHA' : 'OUTRO',
      comSenha: row.senhaPdf !== null,
    },
  }
}

/**
 * Returns the link of a subscription's e-mail: report and page, and which subscription it is. The
 * portal asks for its filters after the sign-in, and answers them to its recipients only.
 */
const subscriptionLink = (config: Pick<Config, 'publicUrl'>, row: RunMailRow): string => {
  const query = plainQuery(row)
  query.set(SUBSCRIPTION, String(row.idAssinatura))
  return reportLink(config, { ...row, consulta: String(query) })
}

/**
 * Whether the recipient gets a link instead of the file. Their password promises that what they receive
 * is encrypted, and pictures and spreadsheets cannot be.
 */
const needsLink = ({ senhaPdf, formato }: Pick<RunMailRow, 'senhaPdf' | 'formato'>): boolean =>
  senhaPdf !== null && formato !== 'PDF'

/** Returns the file as it may leave: a PDF with the recipient's password, if they have set one. */
const fileOf = async (services: MailServices, row: RunMailRow) => {
  const { idArquivo, arquivo, chave, senhaPdf } = row
  if (idArquivo === null || arquivo === null || chave === null || needsLink(row)) return undefined
  if (senhaPdf === null) return readRunFile(services, idArquivo, { arquivo, chave })
  const password = orUndefined(() => services.secrets.decrypt(senhaPdf))
  if (password === undefined) return LOST_PDF_PASSWORD
  const plain = await readRunFile(services, idArquivo, { arquivo, chave })
  return plain && lockPdf(plain, password)
}

/** Returns the text of a report's e-mail. */
const subscriptionText = (mail: SubscriptionMessage): MailText => {
  const { assunto, nota, relatorio, pagina, visuais, filtros, dadosDe, feitaPor, arquivo, ehTeste } = mail
  const facts: [string, string | null][] = [
    ['Relatório', relatorio],
    ['Página', pagina],
    ['Visuais', visuais],
    ['Filtros', filtros],
    ['Dados de', dadosDe],
    ['Assinatura de', feitaPor],
  ]
  return {
    assunto,
    titulo: assunto,
    paragrafos: [
      ...(nota ? nota.split(/\n+/) : []),
      ...(ehTeste ? ['Este é um envio de teste, só para você.'] : []),
      arrivalOf(arquivo?.formato, mail),
    ],
    detalhes: facts.flatMap(([rotulo, valor]) => (valor ? [{ rotulo, valor }] : [])),
    ...(arquivo?.formato === 'PNG' ? { figura: `${relatorio}${pagina ? `, ${pagina}` : ''}` } : {}),
    botao: { texto: 'Abrir o relatório', link: mail.link },
    aviso: feitaPor
      ? `Você recebe este e-mail porque ${feitaPor} assinou este relatório para você. Não repasse o link nem o arquivo a quem não tem acesso.`
      : 'Você recebe este e-mail porque assinou este relatório. Não repasse o link nem o arquivo a quem não tem acesso.',
    saida: { texto: 'Cancelar esta assinatura', link: mail.saida.page },
  }
}

const arrivalOf = (
  formato: SubscriptionFormat | undefined,
  { semAnexo, comSenha }: SubscriptionMessage,
): string => {
  if (formato === 'PDF' && comSenha)
    return 'O relatório está no arquivo PDF anexado, que abre com a senha que você definiu na sua conta.'
  if (formato === 'PDF') return 'O relatório está no arquivo PDF anexado, como você o vê no portal.'
  if (formato === 'XLSX') return 'Os dados estão na planilha XLSX anexada, como você os vê no portal.'
  if (formato === 'PNG') return 'Veja abaixo a página do relatório, como você a vê no portal.'
  if (semAnexo === 'SENHA')
    return 'O arquivo não vai neste e-mail: você definiu uma senha para os seus PDFs, e planilhas e imagens não podem ter senha. Abra o relatório pelo botão.'
  return semAnexo === 'OUTRO'
    ? 'O arquivo não vai neste e-mail: ele é grande demais, ou os dados só podem ser vistos no portal. Abra o relatório pelo botão.'
    : 'Abra o relatório no portal pelo botão: ele abre com os filtros desta assinatura.'
}

const filesOf = ({ relatorio, arquivo }: SubscriptionMessage): MailFile[] => {
  if (!arquivo) return []
  const { formato, conteudo: content } = arquivo
  const name = `${fileNameOf(relatorio)}.${formato.toLowerCase()}`
  return [{ name, contentType: contentTypeOf(formato), content, isPicture: formato === 'PNG' }]
}

/** Returns the report's name without what file systems refuse. */
const fileNameOf = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, '-')
    .replace(/^[\s.-]+|[\s.-]+$/g, '')
    .slice(0, 80)
    .toWellFormed() || 'relatorio'

export const subscriptionMail: MailKind<SubscriptionMessage, QueuedSubscription> = {
  modelo: 'assinatura',
  worthSendingForMs: 24 * 3_600_000,
  prepare: (services, { mail }) => prepareSubscriptionMail(services, mail),
  text: subscriptionText,
  files: filesOf,
  /** One click in the mail program ends the subscription (RFC 8058). */
  headers: ({ saida }) => ({
    'List-Unsubscribe': `<${saida.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
  ended: (tx, { idExecucao, idUsuario }, end) =>
    setMailState(tx, { idExecucao, of: { people: [idUsuario] }, ...end }),
}
