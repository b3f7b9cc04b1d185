import type { EffectiveIdentity } from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { DeliveryAccess } from '../deliveries/recipient.ts'
import { readRecipientRules } from '../deliveries/sending-rules.ts'
import { type AlertRow, checkAlertAccess, selectAlerts } from './alert-access.ts'
import type { AlertServices, Log } from './alert-services.ts'
import { type Found, failAlert, finishAlert, refuseAlert } from './finish-evaluation.ts'
import { cellOf, formsOf, readPage, readQuery } from './values/read-values.ts'

interface Claimed {
  ids: readonly number[]
  ocupadoAte: Date | null
}

type Allowed = Extract<DeliveryAccess, { isAllowed: true }>
type AllowedAlert = { row: AlertRow; access: Allowed }

/**
 * Evaluates claimed alerts: one question to the provider for all that read the same. After a stop, the
 * rest is evaluated when the claim has ended.
 */
export const evaluateAlerts = async (
  services: AlertServices,
  claimed: Claimed,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db, secrets } = services
  const rules = await readRecipientRules(db)
  const rows = await selectAlerts(db)
    .where((eb) => eb('alerta.idAlerta', '=', eb.fn.any(eb.val([...claimed.ids]))))
    .orderBy('alerta.idAlerta')
    .execute()
  const allowed: AllowedAlert[] = []
  for (const row of rows) {
    const access = checkAlertAccess(row, rules, secrets)
    if (access.isAllowed) allowed.push({ row, access })
    else await refuseAlert(services, { ...claimed, row }, access.motivo)
  }
  const groups = Map.groupBy(allowed, ({ row, access }) => questionOf(row, access.identity))
  for (const group of groups.values()) {
    if (stopped?.aborted) return
    await evaluateGroup(services, claimed, group, log)
  }
}

/** Alerts with the same question share its answer. */
const questionOf = (row: AlertRow, identity: EffectiveIdentity | undefined): string => {
  const { idRelatorio, origem, pagina, escolha, consulta } = row
  const choice = Object.entries(escolha).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([
    idRelatorio,
    identity ?? null,
    origem,
    ...(origem === 'DAX' ? [consulta] : [pagina, choice]),
  ])
}

const evaluateGroup = async (
  services: AlertServices,
  claimed: Claimed,
  group: AllowedAlert[],
  log: Log,
): Promise<void> => {
  const started = performance.now()
  const read = await readGroup(services, group).catch((error: unknown) => () => {
    throw error
  })
  const duracaoMs = Math.round(performance.now() - started)
  for (const { row, access } of group) {
    const claim = { ...claimed, row, duracaoMs }
    let found: Found
    try {
      found = read(row)
    } catch (error) {
      await failAlert(services, claim, failureOf(error, log))
      continue
    }
    await finishAlert(services, claim, access.alcance, found)
  }
}

/** Asks the provider. @returns a function that finds the value of an alert of the group */
const readGroup = async (
  services: AlertServices,
  group: AllowedAlert[],
): Promise<(row: AlertRow) => Found> => {
  const [first] = group
  if (!first) throw new Error('an empty group')
  const { row, access } = first
  const { identity } = access
  if (row.origem === 'DAX') {
    const reading = await readQuery(services, row, { identity, consulta: row.consulta ?? '' })
    return () => ({ reading, formas: null })
  }
  const page = await readPage(services, row, {
    // Apart from the owner's own pages; all alerts as one reader would share four answers at a time.
    identity,
    reader: `alertas:${row.idUsuario}`,
    pagina: row.pagina ?? '',
    filtros: row.escolha,
    visuais: group.flatMap(({ row: { visual } }) => visual ?? []),
  })
  return (alert) => ({ reading: cellOf(page, alert), formas: formsOf(page, alert) })
}

const failureOf = (error: unknown, log: Log) => {
  if (error instanceof Problem) {
    const { message: frase, retryAfter } = error
    // Whether the provider may answer within minutes.
    return { frase, retryAfter, mayPass: error.status >= 503 || error.codigo === 'bi_resposta_invalida' }
  }
  log.error({ err: error }, 'the evaluation of an alert failed')
  return { frase: 'A avaliação falhou por um erro do portal, que está no registro (log).', mayPass: true }
}
