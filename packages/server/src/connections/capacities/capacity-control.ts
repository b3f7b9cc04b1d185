import type { AuditAction, CapacityState } from '@bi-manager/contract'
import type { WriteAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { assertProduction } from '../../platform/installation/test-environment.ts'
import { timeText } from '../../platform/lib/local-time.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { PowerBiApi } from '../power-bi/power-bi-api.ts'
import { registeredConnection } from '../power-bi/registered-connection.ts'
import type { CapacityApi, CapacityReading } from './capacity-api.ts'
import { capacityFailure } from './capacity-refusal.ts'
import { lastDue } from './capacity-schedule.ts'
import {
  claimChange,
  claimReading,
  endPeriod,
  extendPeriod,
  findKnownCapacity,
  type KnownCapacity,
  listGuardedRows,
  releaseChange,
  storeReading,
  storeState,
} from './capacity-store.ts'
import { assertNoRefresh, type GuardedConnection } from './refresh-guard.ts'

interface Needs {
  db: Db
  config: Config
  secrets: Secrets
  writeAudit: WriteAudit
  api: CapacityApi
  powerBi: PowerBiApi
  now: () => Date
}

/** Why the portal changes a capacity. */
type CapacityCause = 'manual' | 'agenda' | 'ociosidade' | 'abertura'

export type CapacityChange =
  | { acao: 'INICIAR' | 'PAUSAR' }
  /** Changes the size to `sku`. */
  | { acao: 'REDIMENSIONAR'; sku: string }

type Audit = (action: AuditAction, subject: string, details: Record<string, unknown>) => Promise<void>

/** Opens the transaction of the change and its audit line. */
export type Begin = (work: (tx: Db, audit: Audit) => Promise<void>) => Promise<void>

export type CapacityControl = ReturnType<typeof createCapacityControl>

/** Milliseconds. A process that stops during a change leaves its claim for this time. */
const claimMs = 120_000

/** Milliseconds in which a refresh that the portal asked for appears in Microsoft's history. */
const requestedMs = 180_000

/** Milliseconds after a start for which Azure may still answer that the capacity is paused. */
const startedMs = 120_000

/** The states in which Azure accepts the change, and the state that follows. */
const changes: Record<
  CapacityChange['acao'],
  { from: CapacityState[]; next: CapacityState; action: AuditAction }
> = {
  INICIAR: { from: ['PAUSADA'], next: 'INICIANDO', action: 'capacity.start-requested' },
  PAUSAR: { from: ['ATIVA'], next: 'PAUSANDO', action: 'capacity.pause-requested' },
  REDIMENSIONAR: {
    from: ['ATIVA', 'PAUSADA'],
    next: 'REDIMENSIONANDO',
    action: 'capacity.resize-requested',
  },
}

const running: CapacityState[] = ['ATIVA', 'REDIMENSIONANDO']

/** Reads and changes the state of capacities, for all causes. */
export const createCapacityControl = (needs: Needs) => {
  const { db, api, writeAudit, now } = needs

  const addressOf = (capacity: KnownCapacity) => ({
    connection: registeredConnection(capacity, needs),
    recurso: capacity.recurso,
  })

  /** Opens a transaction of the portal itself, without a user. */
  const own: Begin = (work) =>
    inTransaction(db, (tx) =>
      work(tx, (action, subject, details) => writeAudit(tx, { action, idUsuario: null, subject, details })),
    )

  /**
   * Returns the capacity with its state, read from Azure unless a reading is younger than
   * `maxAgeMs`. A failed reading leaves the state as it was, and says why in `falha`.
   */
  const refresh = async (capacity: KnownCapacity, maxAgeMs: number): Promise<KnownCapacity> => {
    const { idCapacidade: id } = capacity
    if (await claimReading(db, id, maxAgeMs)) {
      try {
        const before = (await findKnownCapacity(db, id)) ?? capacity
        const answer = await api.read(addressOf(capacity))
        const reading = isBeforeStart(before, answer) ? { ...answer, estado: before.estado } : answer
        const isNews = before.falha !== null || before.estado !== reading.estado
        const isStored = await storeReading(db, id, before.estado, {
          ...reading,
          lidaEm: now(),
          falha: null,
          ...(isNews ? { tentarEm: null, tamanhoTentarEm: null } : {}),
          ...(reading.estado === 'PAUSADA' ? { iniciadaPor: null } : {}),
        })
        if (isStored && running.includes(reading.estado)) await extendPeriod(db, id, reading, now())
        else if (isStored) await endPeriod(db, id)
      } catch (error) {
        await storeState(db, id, { falha: capacityFailure(error, addressOf(capacity).connection) })
      }
    }
    return (await findKnownCapacity(db, id)) ?? capacity
  }

  /** Whether the answer is older than the start that Azure accepted. */
  const isBeforeStart = ({ estado, iniciadaEm }: KnownCapacity, answer: CapacityReading): boolean =>
    estado === 'INICIANDO' &&
    answer.estado === 'PAUSADA' &&
    now().getTime() - (iniciadaEm?.getTime() ?? 0) < startedMs

  /** @throws Problem when a refresh is in progress on the capacity, or it cannot be known */
  const assertIdle = async ({ idCapacidade, conexoes }: KnownCapacity): Promise<void> => {
    const known = await findKnownCapacity(db, idCapacidade)
    const requested = known?.atualizacaoPedida
    if (requested && known.agora.getTime() - requested.getTime() < requestedMs)
      throw new Problem('capacidade_atualizando', {
        detail: `Uma atualização de dados foi pedida no portal às ${timeText(requested)}, e pausar agora a faria falhar. Aguarde três minutos e tente de novo.`,
      })
    const guarded = new Map<number, GuardedConnection>()
    for (const row of await listGuardedRows(db, conexoes)) {
      const known = guarded.get(row.idPowerBi) ?? {
        connection: registeredConnection(row, needs),
        workspaces: [],
      }
      guarded.set(row.idPowerBi, known)
      if (row.idGrupo) known.workspaces.push({ groupId: row.idGrupo, name: row.nomeGrupo ?? row.idGrupo })
    }
    await assertNoRefresh(needs, [...guarded.values()])
  }

  /**
   * Sends one change to Azure, and audits it with its cause. Of several processes, one sends it.
   * @throws Problem in a test restore, when the capacity is in another state, its data are being
   * refreshed, another change is under way, or Azure refuses
   */
  const change = async (
    capacity: KnownCapacity,
    wanted: CapacityChange,
    { causa, begin = own }: { causa: CapacityCause; begin?: Begin },
  ): Promise<KnownCapacity> => {
    await assertProduction(db)
    const { idCapacidade: id } = capacity
    const { from, next, action } = changes[wanted.acao]
    const subject = `capacidade:${id}`
    const usedAt = causa === 'ociosidade' ? capacity.usadaEm : undefined
    const claim = async (tx: Db, held?: Date): Promise<Date> => {
      const until = await claimChange(tx, id, { leaseMs: claimMs, states: from, held, usedAt })
      if (!until) throw new Problem('capacidade_ocupada')
      return until
    }
    const claimAndAudit = (held?: Date) =>
      begin(async (tx, audit) => {
        await claim(tx, held)
        await audit(action, subject, { causa, ...sizes(capacity, wanted) })
      })
    if (wanted.acao === 'PAUSAR') {
      // Claimed before the check: from here on, the portal asks for no refresh.
      const held = await claim(db)
      try {
        await assertIdle(capacity)
        await claimAndAudit(held)
      } catch (error) {
        await releaseChange(db, id, held)
        throw error
      }
    } else await claimAndAudit()
    try {
      await send(api, addressOf(capacity), wanted)
    } catch (error) {
      const motivo = capacityFailure(error, addressOf(capacity).connection)
      await own(async (tx, audit) => {
        await storeState(tx, id, { ocupadaAte: null })
        await audit('capacity.action-failed', subject, { acao: wanted.acao, causa, motivo })
      })
      throw error instanceof Problem && !error.codigo.startsWith('capacidade_')
        ? new Problem('capacidade_recusada', { detail: motivo, cause: error })
        : error
    }
    const begun = {
      iniciadaEm: now(),
      iniciadaPor: causa,
      ...(causa === 'abertura' ? { usadaEm: now() } : {}),
    }
    if (wanted.acao === 'PAUSAR') await endPeriod(db, id)
    await storeState(db, id, {
      estado: next,
      ocupadaAte: null,
      falha: null,
      tentarEm: null,
      naoPausada: null,
      ...(wanted.acao === 'INICIAR' ? begun : {}),
      ...(isAgainstSchedule(capacity, wanted, causa) ? { agendaFeita: now() } : {}),
      ...(wanted.acao === 'REDIMENSIONAR' && causa === 'manual' ? { tamanhoFeito: now() } : {}),
    })
    return (await findKnownCapacity(db, id)) ?? capacity
  }

  /** A change against the schedule's last moment holds until the next moment. */
  const isAgainstSchedule = (capacity: KnownCapacity, { acao }: CapacityChange, causa: CapacityCause) =>
    causa !== 'agenda' && acao !== 'REDIMENSIONAR' && lastDue(capacity, now())?.acao !== acao

  return {
    refresh,
    change,
    own,
    listSkus: (capacity: KnownCapacity) => api.listSkus(addressOf(capacity)),
  }
}

/** Returns what the audit says of a resize. */
const sizes = ({ sku }: KnownCapacity, wanted: CapacityChange) =>
  wanted.acao === 'REDIMENSIONAR' ? { de: sku, para: wanted.sku } : {}

const send = (
  api: CapacityApi,
  address: Parameters<CapacityApi['start']>[0],
  wanted: CapacityChange,
): Promise<unknown> => {
  if (wanted.acao === 'REDIMENSIONAR') return api.resize(address, wanted.sku)
  return wanted.acao === 'PAUSAR' ? api.pause(address) : api.start(address)
}
