import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { momentText } from '../lib/local-time.ts'
import { orUndefined } from '../lib/or-undefined.ts'
import { lockPdf } from '../pdf/lock-pdf.ts'
import {
  type DeliveryRow,
  isAttached,
  judge,
  mailObstacle,
  selectDeliveries,
} from '../subscriptions/deliveries.ts'
import { attachmentLimit, mayLeave, readRecipientRules } from '../subscriptions/delivery-rules.ts'
import { setState } from '../subscriptions/delivery-states.ts'
import { subscriptionLink } from '../subscriptions/report-link.ts'
import { readRunFile } from '../subscriptions/run-files.ts'
import { GONE, LINK_FOR_PASSWORD, LOST_PDF_PASSWORD } from '../subscriptions/skip-reasons.ts'
import { unsubscribeAddresses } from '../subscriptions/unsubscribe-token.ts'
import type { SubscriptionMessage } from './mails.ts'

/** What the queue holds of an e-mail of a subscription: everything else is read when it is sent. */
export interface QueuedSubscription {
  modelo: 'assinatura'
  idExecucao: number
  idUsuario: number
}

/** An e-mail that may be sent now, with a remark for the run, or why it may not, in Portuguese. */
export type JudgedMail =
  | { para: string; mail: SubscriptionMessage; remark: string | null }
  | { motivo: string }

type Needs = Pick<Services, 'config' | 'db' | 'secrets' | 'files'>

/**
 * Judges a queued e-mail once more, just before it is sent: its recipient may have lost the report,
 * the account or the identity since, or have unsubscribed.
 */
export const judgeSubscriptionMail = async (
  services: Needs,
  { idExecucao, idUsuario }: QueuedSubscription,
): Promise<JudgedMail> => {
  const { db, config, secrets } = services
  const find = () =>
    selectDeliveries(db)
      .where('assinaturaEntrega.idExecucao', '=', idExecucao)
      .where('assinaturaEntrega.idUsuario', '=', idUsuario)
      .executeTakeFirst()
  const planned = await find()
  const mayHaveFile = planned && isAttached(planned, await readRecipientRules(db))
  const file = mayHaveFile ? await fileOf(services, planned) : undefined
  if (file === LOST_PDF_PASSWORD) return { motivo: LOST_PDF_PASSWORD }
  // Judged, by the rules as they are now, after the file was read: that may take a while.
  const row = await find()
  const rules = await readRecipientRules(db)
  if (row?.estadoEntrega !== 'NA_FILA') return { motivo: GONE }
  const obstacle = mailObstacle(row, judge(row, rules, secrets))
  if (obstacle !== null) return { motivo: obstacle }
  if (row.senhaPdf !== planned?.senhaPdf)
    return judgeSubscriptionMail(services, { modelo: 'assinatura', idExecucao, idUsuario })
  const isStillAttached = isAttached(row, rules) && (row.bytes ?? 0) <= attachmentLimit(rules)
  const conteudo = isStillAttached ? file : undefined
  const isForPassword = isStillAttached && row.arquivo !== null && needsLink(row)
  const { idAssinatura, nomeUsuario, emailUsuario, assunto, nota, nomeRelatorio, formato } = row
  const { tituloPagina, pagina, visuais, emPalavras, dadosDe, nomeDono, idDono, entrega, causa } = row
  return {
    para: emailUsuario,
    remark: isForPassword ? LINK_FOR_PASSWORD : null,
    mail: {
      modelo: 'assinatura',
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
 * Whether the recipient gets a link instead of the file. Their password promises that what they receive
 * is encrypted, and pictures and spreadsheets cannot be.
 */
const needsLink = ({ senhaPdf, formato }: Pick<DeliveryRow, 'senhaPdf' | 'formato'>): boolean =>
  senhaPdf !== null && formato !== 'PDF'

/** Returns the file as it may leave: a PDF with the recipient's password, if they have set one. */
const fileOf = async (services: Needs, row: DeliveryRow) => {
  const { idArquivo, arquivo, chave, senhaPdf } = row
  if (idArquivo === null || arquivo === null || chave === null || needsLink(row)) return undefined
  if (senhaPdf === null) return readRunFile(services, idArquivo, { arquivo, chave })
  const password = orUndefined(() => services.secrets.open(senhaPdf))
  if (password === undefined) return LOST_PDF_PASSWORD
  const plain = await readRunFile(services, idArquivo, { arquivo, chave })
  return plain && lockPdf(plain, password)
}

/** Ends an e-mail that was sent, skipped or given up, in the transaction that deletes its message. */
export const endSubscriptionMail = (
  tx: Db,
  { idExecucao, idUsuario }: QueuedSubscription,
  end: { estado: 'ENVIADA' | 'PULADA' | 'FALHOU'; motivo: string | null; em: Date },
): Promise<void> => setState(tx, { idExecucao, of: { people: [idUsuario] }, ...end })
