import type { EffectiveIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isSpent, settle } from '../../platform/jobs/work-queue.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { DeliveryAccess } from '../deliveries/recipient.ts'
import { readRecipientRules } from '../deliveries/sending-rules.ts'
import { type AlertRow, checkAlertAccess, selectAlerts } from './alert-access.ts'
import { alertQueue, type ClaimedAlert } from './alert-queue.ts'
import type { AlertServices, Log } from './alert-services.ts'
import { type Found, failAlert, finishAlert, refuseAlert } from './finish-evaluation.ts'
import { cellOf, formsOf, readPage, readQuery } from './values/read-values.ts'

type Allowed = Extract<DeliveryAccess, { isAllowed: true }>
type AllowedAlert = { claim: ClaimedAlert; row: AlertRow; access: Allowed }

/**
 * Evaluates claimed alerts: one question to the provider for all that read the same.
 */
export const evaluateAlerts = async (
  services: AlertServices,
  claimed: readonly ClaimedAlert[],
  log: Log,
  stopped: AbortSignal,
): Promise<void> => {
  const { db, secrets } = services
  const rules = await readRecipientRules(db)
  const claims = new Map(claimed.map((claim) => [claim.idAlerta, claim]))
  const rows = await selectAlerts(db)
    .where((eb) => eb('alerta.idAlerta', '=', eb.fn.any(eb.val([...claims.keys()]))))
    .orderBy('alerta.idAlerta')
    .execute()
  const allowed: AllowedAlert[] = []
  for (const row of rows) {
    const claim = claims.get(row.idAlerta)
    if (!claim) continue
    const access = checkAlertAccess(row, rules, secrets)
    if (!access.isAllowed) await refuseAlert(services, { claim }, access.motivo)
    else if (isSpent(claim.repeticoes)) await failAlert(services, { claim }, interrupted(claim))
    else allowed.push({ claim, row, access })
  }
  const groups = Map.groupBy(allowed, ({ row, access }) => questionOf(row, access.identity))
  for (const group of groups.values()) {
    if (stopped.aborted) await leaveToOthers(db, group)
    else await evaluateGroup(services, group, log).catch((err: unknown) => logFailure(log, group, err))
  }
}

/** After a stop, another process evaluates the rest at once. */
const leaveToOthers = async (db: Db, group: AllowedAlert[]): Promise<void> => {
  for (const { claim } of group) await settle(db, alertQueue, claim, { afterMs: 0 })
}

/** The alerts of a group whose result was not stored are evaluated again when their lease ends. */
const logFailure = (log: Log, group: AllowedAlert[], err: unknown): void => {
  const alertas = group.map(({ claim }) => claim.idAlerta)
  log.error({ err, alertas }, 'the result of alerts could not be stored')
}

const interrupted = ({ repeticoes }: ClaimedAlert) => ({
  frase: `A avaliação falhou ou foi interrompida ${repeticoes - 1} vezes.`,
  mayPass: false,
})

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

const evaluateGroup = async (services: AlertServices, group: AllowedAlert[], log: Log): Promise<void> => {
  const started = performance.now()
  const read = await readGroup(services, group).catch((error: unknown) => () => {
    throw error
  })
  const duracaoMs = Math.round(performance.now() - started)
  for (const { claim, row, access } of group) {
    const evaluation = { claim, duracaoMs }
    let found: Found
    try {
      found = read(row)
    } catch (error) {
      await failAlert(services, evaluation, failureOf(error, log))
      continue
    }
    await finishAlert(services, evaluation, access.alcance, found)
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
