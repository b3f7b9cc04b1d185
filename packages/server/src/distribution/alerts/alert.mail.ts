import type { AlertDeliveryState } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { momentText } from '../../platform/lib/local-time.ts'
import type {
  MailContent,
  MailEnd,
  MailKind,
  MailServices,
  MailText,
  PreparedMail,
} from '../../platform/mail/mail-kind.ts'
import { emailSkipReason } from '../deliveries/recipient.ts'
import { mayLeave, readRecipientRules } from '../deliveries/sending-rules.ts'
import { conditionText, placeText, rowText, valueText } from './alert-words.ts'
import { type CrossingRow, crossingLink, crossingSkipReason, selectCrossings } from './crossings.ts'

/** What the queue holds of an e-mail of an alert: everything else is read when it is sent. */
interface QueuedAlert {
  idAvaliacao: number
}

/** A crossing of an alert, to its owner. */
export interface AlertMessage extends MailContent {
  nomeAlerta: string
  relatorio: string
  /** The visual and its column. */
  onde: string
  /** In words; null for the only row, and where it may not leave the portal. */
  linha: string | null
  filtros: string | null
  condicao: string
  avaliadoEm: string
  /** Null: the values may not leave the portal. */
  valores: { valor: string; anterior: string | null; serie: NonNullable<MailText['serie']> } | null
  link: string
}

/** Values in the e-mail's chart. */
const SHOWN = 6

/**
 * Checks once more, just before a queued e-mail is sent, whether the owner may get it: they may have lost
 * the report, the account or the identity since.
 */
const prepareAlertMail = async (
  { db, config, secrets }: MailServices,
  { idAvaliacao }: QueuedAlert,
): Promise<PreparedMail<AlertMessage>> => {
  const rules = await readRecipientRules(db)
  const row = await selectCrossings(db)
    .innerJoin('alertaEnvio', 'alertaEnvio.idAvaliacao', 'alertaAvaliacao.idAvaliacao')
    .select('alertaEnvio.estado as estadoEnvio')
    .where('alertaAvaliacao.idAvaliacao', '=', idAvaliacao)
    .where('canal', '=', 'EMAIL')
    .executeTakeFirst()
  if (row?.estadoEnvio !== 'NA_FILA') return { motivo: 'O alerta foi excluído.' }
  const skipReason = crossingSkipReason(row, rules, secrets) ?? emailSkipReason(row, rules)
  if (skipReason !== null) return { motivo: skipReason }
  const isShown = mayLeave(row, rules)
  const { nomeUsuario: nome, nomeAlerta, nomeRelatorio: relatorio, formato, avaliadaEm } = row
  return {
    para: row.emailUsuario,
    mail: {
      nome,
      nomeAlerta,
      relatorio,
      condicao: conditionText(row),
      onde: placeText(row),
      // They may name what only this person sees.
      linha: isShown ? rowText(row) : null,
      filtros: isShown ? row.emPalavras : null,
      avaliadoEm: momentText(avaliadaEm),
      valores: isShown
        ? {
            valor: valueText(row.valorAvaliado, formato),
            anterior: row.anterior === null ? null : valueText(row.anterior, formato),
            serie: await lastValues(db, row),
          }
        : null,
      link: crossingLink(config, row, rules),
    },
  }
}

/** Returns the last values with the same scope, the oldest first, as parts of the largest one. */
const lastValues = async (
  db: Db,
  { idAlerta, idAvaliacao, alcanceAvaliado, formato }: CrossingRow,
): Promise<NonNullable<AlertMessage['valores']>['serie']> => {
  const rows = await db
    .selectFrom('alertaAvaliacao')
    .select(['em', 'valor'])
    .where('idAlerta', '=', idAlerta)
    .where('idAvaliacao', '<=', idAvaliacao)
    .where('alcance', '=', alcanceAvaliado)
    .where('valor', 'is not', null)
    .orderBy('idAvaliacao', 'desc')
    .limit(SHOWN)
    .execute()
  const largest = Math.max(...rows.map(({ valor }) => Math.abs(valor ?? 0)))
  return rows.toReversed().map(({ em, valor }) => ({
    quando: momentText(em).slice(0, -3),
    valor: valueText(valor, formato),
    parte: largest === 0 ? 0 : Math.abs(valor ?? 0) / largest,
  }))
}

/** Returns the text of an alert's e-mail. */
const alertText = (mail: AlertMessage): MailText => {
  const { nomeAlerta, relatorio, onde, linha, filtros, condicao, avaliadoEm, valores, link } = mail
  const facts: [string, string | null][] = [
    ['Valor', valores?.valor ?? null],
    ['Valor anterior', valores?.anterior ?? null],
    ['Condição', condicao],
    ['Relatório', relatorio],
    ['Onde', onde],
    ['Linha', linha],
    ['Filtros', filtros],
    ['Avaliado em', avaliadoEm],
  ]
  return {
    assunto: `Alerta: ${nomeAlerta}`,
    titulo: nomeAlerta,
    paragrafos: [
      valores
        ? 'O valor que você vigia atingiu a condição do alerta.'
        : 'O valor que você vigia atingiu a condição do alerta. Ele só é mostrado no portal: abra o relatório pelo botão.',
    ],
    detalhes: facts.flatMap(([rotulo, valor]) => (valor ? [{ rotulo, valor }] : [])),
    ...(valores && valores.serie.length > 1 ? { serie: valores.serie } : {}),
    botao: { texto: 'Abrir o relatório', link },
    aviso:
      'Você recebe este e-mail porque criou este alerta. Pause ou exclua o alerta em “Alertas”, no portal. Não repasse os valores a quem não tem acesso.',
  }
}

const states = { ENVIADA: 'ENVIADO', PULADA: 'NAO_ENVIADO', FALHOU: 'FALHOU' } as const

/** Stores what became of an e-mail, in the transaction that deletes its message. */
const endAlertMail = async (
  tx: Db,
  { idAvaliacao }: QueuedAlert,
  { estado, motivo, em }: MailEnd,
): Promise<void> => {
  const ended: AlertDeliveryState = states[estado]
  await tx
    .updateTable('alertaEnvio')
    .set({ estado: ended, motivo, em })
    .where('idAvaliacao', '=', idAvaliacao)
    .where('canal', '=', 'EMAIL')
    .where('estado', '=', 'NA_FILA')
    .execute()
}

export const alertMail: MailKind<AlertMessage, QueuedAlert> = {
  modelo: 'alerta',
  worthSendingForMs: 24 * 3_600_000,
  prepare: (services, { mail }) => prepareAlertMail(services, mail),
  text: alertText,
  ended: endAlertMail,
}
