import type { CapacityState } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { takeBack } from '../../platform/notifications/notify.ts'
import { type Due, lastDue, lastSize } from './capacity-schedule.ts'
import {
  claimWatch,
  findRunningSince,
  type KnownCapacity,
  listKnownCapacities,
  storeState,
} from './capacity-store.ts'
import type { ConnectionServices } from './connection-services.ts'
import { againMs, type Failure, failureSubject, notifyCapacityFailure } from './notify-capacity.ts'

type Needs = Pick<ConnectionServices, 'db' | 'capacityControl' | 'now'>

const minute = 60_000

/** Azure may take this time for a change, and be silent for this time. */
const patienceMs = 10 * minute

/** Minutes without use after which a capacity is paused that a reader started and has no limit. */
const openedMinutes = 60

interface Step {
  /** The states in which Azure accepts the change. */
  from: CapacityState[]
  /** Where the portal notes when it last asked for the change. */
  asked: 'agendaPedida' | 'tamanhoPedido'
  /** The notification when the change is not done in time. */
  late: string
}

const steps: Record<Due['acao'], Step> = {
  INICIAR: {
    from: ['PAUSADA'],
    asked: 'agendaPedida',
    late: 'A capacidade não ficou ativa em 10 minutos. O portal tenta de novo; confira-a no portal do Azure.',
  },
  PAUSAR: {
    from: ['ATIVA'],
    asked: 'agendaPedida',
    late: 'A capacidade não ficou pausada em 10 minutos. O portal tenta de novo; confira-a no portal do Azure.',
  },
  REDIMENSIONAR: {
    from: ['ATIVA', 'PAUSADA'],
    asked: 'tamanhoPedido',
    late: 'A capacidade não mudou de tamanho em 10 minutos. O portal tenta de novo; confira-a no portal do Azure.',
  },
}

/** The states that the portal cannot change. */
const stuck: Partial<Record<CapacityState, string>> = {
  DESCONHECIDA:
    'O Azure respondeu um estado que o portal não conhece. Confira a capacidade no portal do Azure.',
  FALHOU: 'O Azure diz que a capacidade falhou. Confira-a no portal do Azure.',
  SUSPENSA: 'O Azure parou a capacidade. Confira-a, e a assinatura, no portal do Azure.',
}

/** Changes capacities by schedule and after idle time, in the background. */
export const startCapacityWatch = (
  services: Needs,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } =>
  startRepeating({ name: 'watch of capacities', everyMs: minute, log }, (stopped) =>
    watchCapacities(services, log, stopped),
  )

/** Reads each capacity, and does what is due; of several processes, one per capacity. */
export const watchCapacities = async (
  services: Needs,
  log: Pick<FastifyBaseLogger, 'error'>,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db, capacityControl } = services
  // The schedules of a restored copy would change production's capacities.
  if ((await readInstallation(db)).ensaio) return
  for (const capacity of await listKnownCapacities(db)) {
    if (stopped?.aborted) return
    if (!(await claimWatch(db, capacity.idCapacidade, minute - 5_000))) continue
    try {
      const current = await capacityControl.refresh(capacity, 10_000)
      const solved = solvedSince(capacity, current)
      if (solved.length > 0)
        await inTransaction(db, async (tx) => {
          for (const acao of solved) await takeBack(tx, failureSubject(capacity.idCapacidade, acao))
        })
      await act(services, current)
    } catch (err) {
      log.error({ err, idCapacidade: capacity.idCapacidade }, 'the watch of a capacity failed')
    }
  }
}

/** Returns the failures that the state which was read now ends, whatever moment is due. */
const solvedSince = (before: KnownCapacity, now: KnownCapacity): Failure['acao'][] => [
  ...(before.falha !== null && now.falha === null ? (['LER'] as const) : []),
  ...(stuck[before.estado] && !stuck[now.estado] ? (['MUDAR'] as const) : []),
  ...(before.estado !== now.estado && now.estado === 'ATIVA' ? (['INICIAR'] as const) : []),
  ...(before.estado !== now.estado && now.estado === 'PAUSADA' ? (['PAUSAR'] as const) : []),
]

const act = async (services: Needs, capacity: KnownCapacity): Promise<void> => {
  const { db, now } = services
  const { idCapacidade: id, estado, falha, lidaEm, tentarEm, tamanhoTentarEm, naoPausada } = capacity
  const power = lastDue(capacity, now())
  const size = lastSize(capacity, now())
  const due = pending(power, capacity.agendaFeita) ?? pending(size, capacity.tamanhoFeito)
  if (due && falha === null && isReached(capacity, due)) {
    const isSize = due.acao === 'REDIMENSIONAR'
    // A start that failed is not solved by the pause at the end of the day.
    const solved: Failure['acao'][] = [due.acao, 'LER', 'MUDAR']
    return inTransaction(db, async (tx) => {
      await storeState(tx, id, {
        ...(isSize
          ? { tamanhoFeito: due.em, tamanhoTentarEm: null }
          : { agendaFeita: due.em, naoPausada: null, tentarEm: null }),
        ...(due.acao === 'INICIAR' ? { iniciadaPor: 'agenda' } : {}),
      })
      for (const acao of solved) await takeBack(tx, failureSubject(id, acao))
    })
  }
  if (tentarEm && tentarEm > now()) return
  const hasRule = power !== undefined || size !== undefined || idleMinutesOf(capacity) !== null
  if (falha !== null) {
    const isLasting = !lidaEm || now().getTime() - lidaEm.getTime() >= patienceMs
    if (due || (hasRule && isLasting)) await fail(services, capacity, 'LER', falha)
    return
  }
  if (stuck[estado]) {
    if (hasRule && lidaEm) await fail(services, capacity, 'MUDAR', stuck[estado])
    return
  }
  const isSizeWaiting = tamanhoTentarEm !== null && tamanhoTentarEm > now()
  const isCarriedOut =
    due && !(due.acao === 'REDIMENSIONAR' && isSizeWaiting) && (await carryOut(services, capacity, due))
  // A size that Azure does not set must not keep an idle capacity running.
  if (isCarriedOut || (due && due.acao !== 'REDIMENSIONAR')) return
  if (await isIdle(services, capacity)) await pause(services, capacity, 'ociosidade')
  else if (naoPausada !== null) await storeState(db, id, { naoPausada: null })
}

/** Returns the moment unless it is done. */
const pending = <T extends Due>(moment: T | undefined, done: Date | null): T | undefined =>
  moment && done !== null && done >= moment.em ? undefined : moment

const isReached = ({ estado, sku }: KnownCapacity, due: Due): boolean => {
  if (due.acao === 'REDIMENSIONAR') return sku === due.sku && steps.REDIMENSIONAR.from.includes(estado)
  return estado === (due.acao === 'INICIAR' ? 'ATIVA' : 'PAUSADA')
}

/**
 * Sends the schedule's change, unless Azure is at it; says so when Azure takes too long.
 * @returns whether Azure accepted it now
 */
const carryOut = async (services: Needs, capacity: KnownCapacity, due: Due): Promise<boolean> => {
  const { db, now } = services
  const { from, asked, late } = steps[due.acao]
  const lastAsked = capacity[asked]
  const isSent = lastAsked !== null && lastAsked >= due.em
  const isReady = from.includes(capacity.estado)
  if (isSent || !isReady) {
    const since = isSent ? lastAsked : due.em
    if (now().getTime() - since.getTime() < patienceMs) return false
    await fail(services, capacity, due.acao, late)
  }
  if (!isReady) return false
  const isAccepted =
    due.acao === 'PAUSAR' ? await pause(services, capacity, 'agenda') : await send(services, capacity, due)
  if (isAccepted) await storeState(db, capacity.idCapacidade, { [asked]: now() })
  return isAccepted
}

/** Returns the minutes without use after which a capacity is paused; null for never. */
const idleMinutesOf = ({ ociosaMinutos, iniciadaPor }: KnownCapacity): number | null =>
  ociosaMinutos ?? (iniciadaPor === 'abertura' ? openedMinutes : null)

const isIdle = async ({ db, now }: Needs, capacity: KnownCapacity): Promise<boolean> => {
  const { idCapacidade, estado, usadaEm, iniciadaEm } = capacity
  const minutes = idleMinutesOf(capacity)
  if (estado !== 'ATIVA' || minutes === null) return false
  const since = await findRunningSince(db, idCapacidade)
  const lastUse = Math.max(
    usadaEm?.getTime() ?? 0,
    iniciadaEm?.getTime() ?? 0,
    since?.getTime() ?? now().getTime(),
  )
  return now().getTime() - lastUse >= minutes * minute
}

/** @returns whether Azure accepted it */
const send = async (
  services: Needs,
  capacity: KnownCapacity,
  due: Exclude<Due, { acao: 'PAUSAR' }>,
): Promise<boolean> => {
  try {
    await services.capacityControl.change(capacity, due, { causa: 'agenda' })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.codigo !== 'capacidade_ocupada') await fail(services, capacity, due.acao, error.message)
    return false
  }
}

/** @returns whether Azure accepted it */
const pause = async (
  services: Needs,
  capacity: KnownCapacity,
  causa: 'agenda' | 'ociosidade',
): Promise<boolean> => {
  try {
    await services.capacityControl.change(capacity, { acao: 'PAUSAR' }, { causa })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { codigo, message } = error
    if (codigo === 'capacidade_atualizando') await withhold(services, capacity, causa, message)
    else if (codigo === 'capacidade_atualizacoes_desconhecidas') {
      await withhold(services, capacity, causa, message)
      await fail(services, capacity, 'PAUSAR', message)
    } else if (codigo !== 'capacidade_ocupada') await fail(services, capacity, 'PAUSAR', message)
    return false
  }
}

/** Says why the capacity was not paused; audits it once, until it is paused or in use again. */
const withhold = async (
  { db, capacityControl, now }: Needs,
  { idCapacidade: id, naoPausada }: KnownCapacity,
  causa: string,
  motivo: string,
): Promise<void> => {
  const withheld = { naoPausada: motivo, tentarEm: new Date(now().getTime() + againMs) }
  if (naoPausada !== null) return storeState(db, id, withheld)
  await capacityControl.own(async (tx, audit) => {
    await storeState(tx, id, withheld)
    await audit('capacity.pause-withheld', `capacidade:${id}`, { causa, motivo })
  })
}

const fail = ({ db, now }: Needs, capacity: KnownCapacity, acao: Failure['acao'], motivo: string) =>
  inTransaction(db, (tx) => notifyCapacityFailure(tx, capacity, { acao, motivo }, now()))
