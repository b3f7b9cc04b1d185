import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { plainQuery, reportLink } from '../deliveries/report-link.ts'
import { mayLeave, type RecipientRules } from '../deliveries/sending-rules.ts'
import { checkAlertAccess, selectAlerts } from './alert-access.ts'

/** Selects crossings with the columns by which `crossingSkipReason` decides. */
export const selectCrossings = (db: Db) =>
  selectAlerts(db)
    .innerJoin('alertaAvaliacao', 'alertaAvaliacao.idAlerta', 'alerta.idAlerta')
    .select(['alertaAvaliacao.idAvaliacao', 'alertaAvaliacao.em as avaliadaEm'])
    .select(['alertaAvaliacao.valor as valorAvaliado', 'alertaAvaliacao.anterior'])
    .select(['alertaAvaliacao.alcance as alcanceAvaliado', 'alertaAvaliacao.versaoAlerta as versaoAvaliada'])

export type CrossingRow = Awaited<ReturnType<ReturnType<typeof selectCrossings>['execute']>>[number]

const CHANGED = 'O relatório, o alerta ou a identidade da pessoa mudou depois da avaliação.'

/** Returns why the owner may not be notified of the crossing now, in Portuguese; null when they may. */
export const crossingSkipReason = (
  row: CrossingRow,
  rules: RecipientRules,
  secrets: Pick<Secrets, 'digest'>,
): string | null => {
  const access = checkAlertAccess(row, rules, secrets)
  if (!access.isAllowed) return access.motivo
  const isSame = access.alcance === row.alcanceAvaliado && row.versaoAlerta === row.versaoAvaliada
  return isSame ? null : CHANGED
}

/**
 * Returns the report's address for an e-mail or a webhook: without the filters where values may not
 * leave the portal, since those may name what only this person sees.
 */
export const crossingLink = (
  config: Pick<Config, 'publicUrl'>,
  row: CrossingRow,
  rules: RecipientRules,
): string =>
  reportLink(config, { ...row, consulta: mayLeave(row, rules) ? row.endereco : String(plainQuery(row)) })
