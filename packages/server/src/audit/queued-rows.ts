import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Secrets } from '../secrets.ts'
import { type End, isRowTrue, type SealedRow } from './chain.ts'

/** A row that waits to be sealed, as it is found. */
export interface QueuedRow {
  idAuditoria: number
  /** Undefined where the row is gone. */
  row: SealedRow | undefined
  /** Another row says that it is the same event. */
  isCopy: boolean
  isSealed: boolean
}

/** Why a queued row is not what the program wrote. */
export type Refusal = 'gone' | 'sealed before' | 'copy' | 'wrong mark' | 'older than what was dropped'

export const readQueue = async (db: Db, after: number, limit: number): Promise<QueuedRow[]> => {
  // Looked up row by row: `exists` may be planned as one pass over the whole table a batch.
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

/** What a queued row is judged by, besides itself. */
export interface QueueRules {
  /** When the oldest row that stands was written, where older ones have been dropped: none is older, unless it was copied. */
  oldest: Date | undefined
  /** The chain holds nothing yet but rows from before there were marks. */
  takesUnmarked: boolean
}

export const queueRules = async (
  db: Db,
  { inicio, fim }: { inicio: End | undefined; fim: End | undefined },
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

/** Undefined for a row that may be sealed. */
export const refusalOf = (
  secrets: Secrets,
  { row, isCopy, isSealed }: QueuedRow,
  { oldest, takesUnmarked }: QueueRules,
): Refusal | undefined => {
  if (!row) return 'gone'
  if (isSealed) return 'sealed before'
  if (isCopy) return 'copy'
  if (!isRowTrue(secrets, row) || (row.evento === null && !takesUnmarked)) return 'wrong mark'
  if (oldest && row.quando < oldest) return 'older than what was dropped'
  return undefined
}
