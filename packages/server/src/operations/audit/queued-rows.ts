import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ChainEnd, hasValidRowMac, type SealedRow } from './chain.ts'

/** A row of the queue, with what decides whether it may be sealed. */
export interface QueuedRow {
  idAuditoria: number
  /** Undefined when the row was deleted. */
  row: SealedRow | undefined
  /** Another row has the same event id. */
  isCopy: boolean
  isSealed: boolean
}

/** Why a queued row was not written by the portal as it is. */
export type Refusal = 'gone' | 'sealed before' | 'copy' | 'wrong mark' | 'older than what was dropped'

export const readQueue = async (db: Db, after: number, limit: number): Promise<QueuedRow[]> => {
  // Subqueries per row: `exists` could be planned as a scan of the whole table for each batch.
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('auditoriaFila')
        .select('idAuditoria')
        .where('idAuditoria', '>', after)
        .orderBy('idAuditoria')
        .limit(limit)
        .as('f'),
    )
    .leftJoin('auditoria as a', 'a.idAuditoria', 'f.idAuditoria')
    .select(['f.idAuditoria', 'evento', 'quando', 'idUsuario', 'acao', 'objeto', 'detalhes', 'endereco'])
    .select(['idRequisicao', 'chave', 'marca'])
    .select([
      sql<boolean>`(select b.id_auditoria from auditoria b
        where b.evento = a.evento and b.id_auditoria <> a.id_auditoria limit 1) is not null`.as('isCopy'),
      sql<boolean>`(select e.ordem from auditoria_elo e
        where e.id_auditoria = f.id_auditoria limit 1) is not null`.as('isSealed'),
    ])
    .orderBy('f.idAuditoria')
    .execute()
  return rows.map(({ idAuditoria, isCopy, isSealed, quando, acao, detalhes, ...row }) => ({
    idAuditoria,
    isCopy,
    isSealed,
    row: quando && acao !== null && detalhes ? { ...row, quando, acao, detalhes } : undefined,
  }))
}

/** The chain's state that decides which queued rows may be sealed. */
export interface QueueRules {
  /**
   * Time of the oldest row, when older ones were deleted: an older row in the queue must be a copy.
   */
  oldest: Date | undefined
  /** Whether the chain has only rows from before the HMACs. */
  takesUnmarked: boolean
}

export const queueRules = async (
  db: Db,
  { inicio, fim }: { inicio: ChainEnd | undefined; fim: ChainEnd | undefined },
): Promise<QueueRules> => {
  const linked = db
    .selectFrom('auditoriaElo as e')
    .innerJoin('auditoria as a', 'a.idAuditoria', 'e.idAuditoria')
    .select(['quando', 'evento'])
    .limit(1)
  const oldest = inicio?.ordem ? await linked.orderBy('ordem').executeTakeFirst() : undefined
  const last = fim?.ordem ? await linked.where('ordem', '=', fim.ordem).executeTakeFirst() : undefined
  return { oldest: oldest?.quando, takesUnmarked: !fim?.ordem || last?.evento === null }
}

/** Returns undefined for a row that may be sealed. */
export const refusalOf = (
  secrets: Secrets,
  { row, isCopy, isSealed }: QueuedRow,
  { oldest, takesUnmarked }: QueueRules,
): Refusal | undefined => {
  if (!row) return 'gone'
  if (isSealed) return 'sealed before'
  if (isCopy) return 'copy'
  if (!hasValidRowMac(secrets, row) || (row.evento === null && !takesUnmarked)) return 'wrong mark'
  if (oldest && row.quando < oldest) return 'older than what was dropped'
  return undefined
}
