import type { Db } from '../../platform/db/open-database.ts'
import { noteLastUse } from '../../platform/db/queries/note-last-use.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { dayOf, dayText, timeText } from '../../platform/lib/local-time.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { Begin, CapacityControl } from './capacity-control.ts'
import { nextDue } from './capacity-schedule.ts'
import { type KnownCapacity, listKnownCapacities, mayStart, storeUse } from './capacity-store.ts'
import { notifyCapacityFailure } from './notify-capacity.ts'

interface Opening {
  idPowerBi: number
  user: Pick<Caller, 'idUsuario' | 'tipo'>
  /** Whether a person opens the report, and not the page by itself. */
  isUserActivity: boolean
  begin: Begin
}

export type CapacityGate = ReturnType<typeof createCapacityGate>

/** Milliseconds for which a process remembers all capacities. */
const rememberedMs = 5_000

/** Milliseconds between two readings while readers wait for a capacity. */
const waitingMs = 4_000

/** Milliseconds between two notes of use. */
const useMs = 60_000

/** Milliseconds. Power BI accepts calls some time after Azure calls the capacity active. */
const settlingMs = 5 * 60_000

/** Seconds after which a waiting viewer asks again. */
const askAgain = 10

/** Keeps readers informed of a paused capacity, starts it for those who may, and notes its use. */
export const createCapacityGate = ({
  db,
  control,
  now,
}: {
  db: Db
  control: CapacityControl
  now: () => Date
}) => {
  let cache: { until: number; capacities: Promise<KnownCapacity[]> } | undefined
  const notedAt = new Map<number, number>()

  const listCachedCapacities = (): Promise<KnownCapacity[]> => {
    const time = now().getTime()
    if (cache && time < cache.until && cache.until - time <= rememberedMs) return cache.capacities
    const capacities = listKnownCapacities(db)
    cache = { until: time + rememberedMs, capacities }
    capacities.catch(() => {
      cache = undefined
    })
    return capacities
  }

  /** The connection's own capacity comes before one that it shares. */
  const capacitiesOf = async (idPowerBi: number): Promise<KnownCapacity[]> =>
    (await listCachedCapacities())
      .filter(({ conexoes }) => conexoes.includes(idPowerBi))
      .toSorted((one, other) => Number(other.idPowerBi === idPowerBi) - Number(one.idPowerBi === idPowerBi))

  const start = async (capacity: KnownCapacity, begin: Begin): Promise<Problem> => {
    if (capacity.tentarEm && capacity.tentarEm > now())
      return new Problem('bi_pausado', { detail: failedStart })
    try {
      await control.change(capacity, { acao: 'INICIAR' }, { causa: 'abertura', begin })
    } catch (error) {
      // Azure's problems only: the caller's session may have ended.
      if (!(error instanceof Problem && error.codigo.startsWith('capacidade_'))) throw error
      // Another reader was faster.
      if (error.codigo !== 'capacidade_ocupada') {
        await inTransaction(db, (tx) =>
          notifyCapacityFailure(tx, capacity, { acao: 'INICIAR', motivo: error.message }, now()),
        )
        return new Problem('bi_pausado', { detail: failedStart, cause: error })
      }
    }
    cache = undefined
    return startingProblem()
  }

  const problemOf = async (capacity: KnownCapacity, opening: Opening): Promise<Problem | undefined> => {
    const { estado, falha } = capacity
    if (falha !== null) return undefined
    if (estado === 'INICIANDO' || estado === 'PREPARANDO') return startingProblem()
    if (estado === 'SUSPENSA' || estado === 'FALHOU')
      return new Problem('bi_pausado', { detail: stoppedByAzure })
    if (estado !== 'PAUSADA' && estado !== 'PAUSANDO') return undefined
    if (!(await mayStart(db, opening.user, capacity.idCapacidade)))
      return new Problem('bi_pausado', { detail: waitText(capacity, now()) })
    if (estado === 'PAUSANDO') return new Problem('bi_pausado', { detail: stillPausing })
    if (!opening.isUserActivity) return new Problem('bi_pausado', { detail: mayBeStarted })
    return start(capacity, opening.begin)
  }

  const stopped = new Set(['PAUSADA', 'PAUSANDO', 'INICIANDO', 'PREPARANDO', 'SUSPENSA', 'FALHOU'])

  return {
    /** Forgets what is remembered, after a change of capacities. */
    forget: (): void => {
      cache = undefined
      notedAt.clear()
    },
    /**
     * Lets a report open whose capacity runs, or is not known.
     * @throws Problem `capacidade_iniciando` when it starts, `bi_pausado` when it does not
     */
    assertRunning: async (opening: Opening): Promise<void> => {
      const [capacity] = await capacitiesOf(opening.idPowerBi)
      if (!capacity || !stopped.has(capacity.estado)) return
      const problem = await problemOf(await control.refresh(capacity, waitingMs), opening)
      if (problem) throw problem
    },
    /** Returns the problem that the reader sees when Power BI refuses because of a paused capacity. */
    explain: async (error: unknown, opening: Opening): Promise<unknown> => {
      if (!(error instanceof Problem) || error.codigo !== 'bi_pausado') return error
      const [capacity] = await capacitiesOf(opening.idPowerBi)
      if (!capacity) return error
      const current = await control.refresh(capacity, waitingMs)
      cache = undefined
      const isSettling = now().getTime() - (current.iniciadaEm?.getTime() ?? 0) < settlingMs
      if (current.estado === 'ATIVA' && isSettling) return startingProblem()
      return (await problemOf(current, opening)) ?? error
    },
    /** Notes that a report of the connection is open, at most once a minute. */
    noteUse: async (idPowerBi: number): Promise<void> => {
      const time = now()
      if (Math.abs(time.getTime() - (notedAt.get(idPowerBi) ?? 0)) < useMs) return
      const capacities = await capacitiesOf(idPowerBi)
      if (capacities.length === 0) return
      notedAt.set(idPowerBi, time.getTime())
      const ids = capacities.map(({ idCapacidade }) => idCapacidade)
      // Only the schedule of pauses reads it: the report opens without.
      await noteLastUse(db, () =>
        storeUse(db, ids, { now: time, before: new Date(time.getTime() - useMs / 2) }),
      )
    },
  }
}

const startingProblem = () => new Problem('capacidade_iniciando', { retryAfter: askAgain })

const failedStart =
  'A capacidade do serviço de BI está pausada, e o portal não conseguiu iniciá-la. Os administradores foram avisados.'
const stoppedByAzure =
  'A capacidade do serviço de BI foi parada pelo Azure e não pode ser iniciada pelo portal. Avise um administrador.'
const stillPausing =
  'A capacidade do serviço de BI está sendo pausada. Aguarde um minuto e escolha Tentar novamente para iniciá-la.'
const mayBeStarted =
  'A capacidade do serviço de BI está pausada. Escolha Tentar novamente para iniciá-la e abrir o relatório.'

/** Tells a reader who may not start the capacity when it starts, and whom to ask. */
const waitText = (capacity: KnownCapacity, now: Date): string => {
  const next = nextDue({ ...capacity, pausaAs: null }, now)
  if (!next)
    return 'A capacidade do serviço de BI está pausada e não tem hora para iniciar. Peça a um administrador que a inicie.'
  const day = dayOf(next.em) === dayOf(now) ? 'hoje' : `em ${dayText(next.em)}`
  return `A capacidade do serviço de BI está pausada. Ela inicia ${day} às ${timeText(next.em)}, e o relatório abre sozinho. Para abrir antes, peça a um administrador.`
}
