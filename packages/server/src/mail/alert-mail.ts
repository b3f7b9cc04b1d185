import type { AlertDeliveryState } from '@bi-manager/contract'
import { conditionText, placeText, rowText, valueText } from '../alerts/alert-words.ts'
import { type CrossingRow, crossingLink, crossingObstacle, selectCrossings } from '../alerts/crossings.ts'
import { emailObstacle } from '../alerts/judge-alert.ts'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { momentText } from '../lib/local-time.ts'
import { mayLeave, readRecipientRules } from '../subscriptions/delivery-rules.ts'
import type { AlertMessage } from './mails.ts'

/** What the queue holds of an e-mail of an alert: everything else is read when it is sent. */
export interface QueuedAlert {
  modelo: 'alerta'
  idAvaliacao: number
}

/** Values in the e-mail's chart. */
const SHOWN = 6

/**
 * Judges a queued e-mail once more, just before it is sent: the owner may have lost the report, the
 * account or the identity since.
 */
export const judgeAlertMail = async (
  { db, config, secrets }: Pick<Services, 'config' | 'db' | 'secrets'>,
  { idAvaliacao }: QueuedAlert,
): Promise<{ para: string; mail: AlertMessage } | { motivo: string }> => {
  const rules = await readRecipientRules(db)
  const row = await selectCrossings(db)
    .innerJoin('alertaEnvio', 'alertaEnvio.idAvaliacao', 'alertaAvaliacao.idAvaliacao')
    .select('alertaEnvio.estado as estadoEnvio')
    .where('alertaAvaliacao.idAvaliacao', '=', idAvaliacao)
    .where('canal', '=', 'EMAIL')
    .executeTakeFirst()
  if (row?.estadoEnvio !== 'NA_FILA') return { motivo: 'O alerta foi excluído.' }
  const obstacle = crossingObstacle(row, rules, secrets) ?? emailObstacle(row, rules)
  if (obstacle !== null) return { motivo: obstacle }
  const isShown = mayLeave(row, rules)
  const { nomeUsuario: nome, nomeAlerta, nomeRelatorio: relatorio, formato, avaliadaEm } = row
  return {
    para: row.emailUsuario,
    mail: {
      modelo: 'alerta',
      nome,
      nomeAlerta,
      relatorio,
      condicao: conditionText(row),
      onde: placeText(row),
      // They may name what only this person sees.
      linha: isShown ? rowText(row.linha) : null,
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

const states = { ENVIADA: 'ENVIADO', PULADA: 'NAO_ENVIADO', FALHOU: 'FALHOU' } as const

/** Stores what became of an e-mail, in the transaction that deletes its message. */
export const endAlertMail = async (
  tx: Db,
  { idAvaliacao }: QueuedAlert,
  { estado, motivo, em }: { estado: keyof typeof states; motivo: string | null; em: Date },
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
