import type { AlertChannel, AlertDeliveryState } from '@bi-manager/contract'
import { databaseNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { emailSkipReason } from '../deliveries/recipient.ts'
import { reportLink } from '../deliveries/report-link.ts'
import type { RecipientRules } from '../deliveries/sending-rules.ts'
import { alertMail } from './alert.mail.ts'
import type { AlertRow } from './alert-access.ts'
import type { AlertServices } from './alert-services.ts'
import { conditionText, placeText, rowText, valueText } from './alert-words.ts'

interface Crossing {
  idAvaliacao: number
  valor: number | null
  anterior: number | null
  /** What determined the value. */
  alcance: string
  rules: RecipientRules
}

/** Notifies the owner of a crossing, in the transaction that stores it. */
export const announceCrossing = async (
  tx: Db,
  services: AlertServices,
  row: AlertRow,
  { idAvaliacao, valor, anterior, alcance, rules }: Crossing,
): Promise<void> => {
  const { writeAudit, now } = services
  const { idAlerta, idUsuario, nomeAlerta } = row
  const em = now()
  const motivo = row.porEmail ? emailSkipReason(row, rules) : null
  const bell = {
    titulo: `Alerta: ${nomeAlerta}`,
    texto: sentenceOf(row, { valor, anterior }),
    rota: reportLink({ publicUrl: '' }, { ...row, consulta: row.endereco }),
    idAlerta,
    alcance,
  }
  const mail = row.porEmail &&
    motivo === null && { services, kind: alertMail, message: () => ({ mail: { idAvaliacao } }) }
  await notify(tx, { audience: [idUsuario], kind: 'alerta', bell, mail }, em)
  const add = (canal: AlertChannel, motivo: string | null) => {
    const tentarEm = canal === 'WEBHOOK' ? databaseNow : null
    const estado: AlertDeliveryState = motivo === null ? 'NA_FILA' : 'NAO_ENVIADO'
    return tx.insertInto('alertaEnvio').values({ idAvaliacao, canal, estado, motivo, em, tentarEm }).execute()
  }
  if (row.porEmail) await add('EMAIL', motivo)
  if (row.webhook) await add('WEBHOOK', null)
  const canais = ['SINO', ...(row.porEmail ? ['EMAIL'] : []), ...(row.webhook ? ['WEBHOOK'] : [])]
  await writeAudit(tx, {
    action: 'alert.crossed',
    idUsuario: null,
    subject: `alerta:${idAlerta}`,
    details: { idAvaliacao, canais },
  })
}

/**
 * @example
 * 'Custo em “Resumo” (Operadora: CNU), no relatório “Custos”: R$ 12,00, antes R$ 9,00.
 * Condição: acima de R$ 10,00.'
 */
const sentenceOf = (row: AlertRow, { valor, anterior }: Pick<Crossing, 'valor' | 'anterior'>): string => {
  const { nomeRelatorio, formato } = row
  const key = rowText(row)
  const what = `${placeText(row)}${key ? ` (${key})` : ''}, no relatório “${nomeRelatorio}”`
  const earlier = anterior === null ? '' : `, antes ${valueText(anterior, formato)}`
  return `${what}: ${valueText(valor, formato)}${earlier}. Condição: ${conditionText(row)}.`
}
