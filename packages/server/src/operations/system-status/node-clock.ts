import { hostname } from 'node:os'
import type { SystemStatus } from '@bi-manager/contract'
import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { spanText } from './item.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now'>

/** Milliseconds. Codes of second factors, links and schedules depend on the clock of the node. */
const MAX_DIFFERENCE_MS = 10_000

const minute = 60_000
/** A node that differs says so every 5 minutes (watch-system.ts); one that stopped is forgotten. */
const FORGOTTEN_MS = 15 * minute

const PREFIX = 'relogio:'

/** Host name and port of this process: several may share one address. */
export const nodeName = ({ port }: Pick<Services['config'], 'port'>): string => `${hostname()}:${port}`

interface Difference {
  /** Milliseconds that the node is ahead of the database; negative when it is behind. */
  ms: number
  isTooLarge: boolean
}

/** Compares the node's clock with the database's. A slow answer makes no difference too large. */
const readDifference = async ({ db, now }: Needs): Promise<Difference> => {
  const askedAt = now().getTime()
  const started = performance.now()
  const { rows } = await sql<{ agora: Date }>`select clock_timestamp() as agora`.execute(db)
  const halfMs = (performance.now() - started) / 2
  const ms = Math.round(askedAt + halfMs - (rows[0]?.agora.getTime() ?? 0))
  return { ms, isTooLarge: Math.abs(ms) - halfMs > MAX_DIFFERENCE_MS }
}

const differenceText = (ms: number): string => {
  const size = Math.abs(ms)
  const span = size < minute ? `${Math.round(size / 1000)} segundos` : spanText(size)
  return `${span} ${ms > 0 ? 'adiantado' : 'atrasado'} em relação ao do banco`
}

/** Compares the clock of this node, and names others that found that theirs differ. */
export const clockItem = async (needs: Needs): Promise<SystemStatus['relogio']> => {
  const [{ ms, isTooLarge }, others] = await Promise.all([readDifference(needs), listOthers(needs)])
  if (!isTooLarge && others.length === 0)
    return { estado: 'ok', frase: 'O relógio deste nó acompanha o do banco.', diferencaMs: ms }
  const own = isTooLarge ? [`O relógio deste nó está ${differenceText(ms)}.`] : []
  const ofOthers = others.length > 0 ? [`O relógio de ${others.join(', ')} está errado.`] : []
  return { estado: 'atencao', frase: [...own, ...ofOthers, ADVICE].join(' '), diferencaMs: ms }
}

const ADVICE = 'Acerte a hora da máquina com NTP.'

const listOthers = async ({ db, config }: Needs): Promise<string[]> => {
  const rows = await db
    .selectFrom('avisoSistema')
    .select('causa')
    .where('causa', 'like', `${PREFIX}%`)
    .where('causa', '<>', PREFIX + nodeName(config))
    .where('em', '>', fromNow(-FORGOTTEN_MS))
    .orderBy('causa')
    .execute()
  return rows.map(({ causa }) => causa.slice(PREFIX.length))
}

/** Returns this node's cause of a notification, and those of nodes that have stopped. */
export const clockCauses = async (needs: Needs) => {
  const causa = PREFIX + nodeName(needs.config)
  const { ms, isTooLarge } = await readDifference(needs)
  await keepAlive(needs.db, causa)
  const stopped = await needs.db
    .selectFrom('avisoSistema')
    .select('causa')
    .where('causa', 'like', `${PREFIX}%`)
    .where('em', '<=', fromNow(-FORGOTTEN_MS))
    .execute()
  const active = {
    ocorrencia: ms > 0 ? 'adiantado' : 'atrasado',
    titulo: 'Relógio de um nó errado',
    texto: `O relógio de ${nodeName(needs.config)} está ${differenceText(ms)}. ${ADVICE}`,
  }
  return {
    own: { causa, active: isTooLarge ? active : undefined },
    stopped: stopped.map((one) => ({ causa: one.causa, active: undefined })),
  }
}

const keepAlive = async (db: Db, causa: string): Promise<void> => {
  await db.updateTable('avisoSistema').set({ em: databaseNow }).where('causa', '=', causa).execute()
}
