import { sendsIdentity } from '../../connections/index.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { selectExportableReports } from '../../reports/index.ts'
import {
  accountSkipReason,
  type DeliveryAccess,
  deliveryScope,
  INACTIVE,
  recipientColumns,
} from '../deliveries/recipient.ts'
import type { RecipientRules } from '../deliveries/sending-rules.ts'

/** Selects alerts with what decides whether, and as whom, they may be evaluated now. */
export const selectAlerts = (db: Db) =>
  selectExportableReports(db)
    .innerJoin('alerta', 'alerta.idRelatorio', 'relatorio.idRelatorio')
    .innerJoin('usuario as dono', 'dono.idUsuario', 'alerta.idDono')
    .select(['alerta.idAlerta', 'nomeAlerta', 'origem', 'pagina', 'tituloPagina', 'visual', 'tituloVisual'])
    .select([
      'coluna',
      'rotuloColuna',
      'formato',
      'chaveLinha as linha',
      'formas',
      'alerta.filtros as escolha',
      'endereco',
    ])
    .select(['emPalavras', 'consulta', 'condicao', 'limite', 'percentual', 'frequencia', 'horario', 'fuso'])
    .select([
      'porEmail',
      'webhook',
      'ativo',
      'alerta.estado',
      'alerta.alcance',
      'alerta.valor',
      'valorEm',
      'referencia',
    ])
    .select(['alerta.falha', 'repeticoes', 'alerta.versao as versaoAlerta', 'nomeGrupo'])
    .select(recipientColumns('dono'))

export type AlertRow = Awaited<ReturnType<ReturnType<typeof selectAlerts>['execute']>>[number]

/** Returns why the owner may not see the value now, in Portuguese; null when they may. */
export const ownerSkipReason = (owner: AlertRow, rules: RecipientRules): string | null => {
  const unseen = accountSkipReason(owner, rules)
  if (unseen === INACTIVE) return 'A conta de quem criou o alerta não está ativa.'
  if (unseen !== null) return `Quem criou o alerta: ${unseen.charAt(0).toLowerCase()}${unseen.slice(1)}`
  if (owner.origem === 'DAX' && owner.tipo !== 'ADMIN')
    return 'Quem criou o alerta não é mais administrador: só administradores usam consultas DAX.'
  return isUnproven(owner) ? 'O e-mail de quem criou o alerta não foi confirmado.' : null
}

/**
 * Returns as whom the value is read, and a keyed digest of all that determines it.
 * @throws Problem 403 as `effectiveIdentityOf`
 */
export const scopeOf = (row: AlertRow, secrets: Pick<Secrets, 'digest'>) => {
  const { origem, pagina, visual, coluna, linha, escolha, consulta } = row
  return deliveryScope(row, secrets, 'alerta', [origem, pagina, visual, coluna, linha, escolha, consulta])
}

/** Returns what determines the values that the owner may see now; undefined when they may see none. */
export const shownScope = (row: AlertRow, secrets: Pick<Secrets, 'digest'>): string | undefined =>
  row.sees && !isUnproven(row) ? scopeOf(row, secrets).alcance : undefined

/** Returns the `shownScope` of each of these alerts, by id. Deleted alerts are left out. */
export const listShownScopes = async (
  db: Db,
  secrets: Pick<Secrets, 'digest'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | undefined>> => {
  if (ids.length === 0) return new Map()
  const alerts = selectAlerts(db).where((eb) => eb('alerta.idAlerta', '=', eb.fn.any(eb.val([...ids]))))
  return new Map((await alerts.execute()).map((row) => [row.idAlerta, shownScope(row, secrets)]))
}

/** The report shows rows by an e-mail that could be another person's. */
const isUnproven = (owner: AlertRow): boolean => owner.emailPorProvar && sendsIdentity(owner)

/** Returns whether the owner may see the value now, by the data of the row, and what determines it. */
export const checkAlertAccess = (
  row: AlertRow,
  rules: RecipientRules,
  secrets: Pick<Secrets, 'digest'>,
): DeliveryAccess => {
  const motivo = row.ativo ? ownerSkipReason(row, rules) : 'O alerta foi pausado.'
  return motivo === null ? { isAllowed: true, ...scopeOf(row, secrets) } : { isAllowed: false, motivo }
}
