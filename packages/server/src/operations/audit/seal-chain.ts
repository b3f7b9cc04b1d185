import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import { type ChainEnd, type ChainLink, createChainLink, hasValidEndMac, signChainEnd } from './chain.ts'
import {
  type QueuedRow,
  type QueueRules,
  queueRules,
  type Refusal,
  readQueue,
  refusalOf,
} from './queued-rows.ts'

/**
 * A queued row that the portal did not write as it is. It stays in the queue, where the
 * verification finds it.
 */
interface RefusedRow {
  idAuditoria: number
  reason: Refusal
}

interface Outcome {
  sealed: number
  refused: RefusedRow[]
}

/** Rows per statement. Other writers may have to wait for one statement at most. */
const batchSize = 250

/**
 * Appends a link to the chain for each queued row. A batch takes effect only if the end of the
 * chain is still where it was read: of several processes one seals, and the others find it done.
 * @throws Error when the end markers of the chain are missing or altered
 */
export const sealQueue = async (db: Db, secrets: Secrets): Promise<Outcome> => {
  const outcome: Outcome = { sealed: 0, refused: [] }
  for (let cursor = 0; await isWaiting(db, cursor); ) {
    // Read before the queue: if another process seals in between, the end moves and `append` does
    // nothing.
    const ends = await readEnds(db, secrets)
    const queued = await readQueue(db, cursor, batchSize)
    const { links, refused } = linksOf(queued, { secrets, end: ends.fim, rules: await queueRules(db, ends) })
    if (links.length > 0 && !(await append(db, secrets, ends.fim, links))) return outcome
    outcome.sealed += links.length
    outcome.refused.push(...refused)
    cursor = queued.at(-1)?.idAuditoria ?? cursor
    if (queued.length < batchSize) break
  }
  return outcome
}

const isWaiting = (db: Db, after: number): Promise<boolean> =>
  hasRow(db.selectFrom('auditoriaFila').select('idAuditoria').where('idAuditoria', '>', after).limit(1))

const linksOf = (
  queued: QueuedRow[],
  { secrets, end, rules }: { secrets: Secrets; end: ChainEnd; rules: QueueRules },
) => {
  const links: ChainLink[] = []
  const refused: RefusedRow[] = []
  let { takesUnmarked } = rules
  for (const waiting of queued) {
    const { idAuditoria, row } = waiting
    const reason = refusalOf(secrets, waiting, { ...rules, takesUnmarked })
    if (reason) refused.push({ idAuditoria, reason })
    if (reason || !row) continue
    takesUnmarked &&= row.evento === null
    const before = links.at(-1) ?? end
    links.push(createChainLink(secrets, before.elo, { ordem: before.ordem + 1, idAuditoria }, row))
  }
  return { links, refused }
}

/**
 * Returns the markers of the chain's beginning and end, and creates them for a new chain.
 * @throws Error when a marker is missing or altered
 */
export const readEnds = async (db: Db, secrets: Secrets): Promise<Record<ChainEnd['ponta'], ChainEnd>> => {
  const found = await findEnds(db)
  const { inicio, fim } = found.inicio || found.fim ? found : await beginChain(db, secrets)
  if (!inicio || !fim || !hasValidEndMac(secrets, inicio) || !hasValidEndMac(secrets, fim)) {
    throw new Error('The ends of the audit chain are missing or altered: run `npm run audit:verify`.')
  }
  return { inicio, fim }
}

export const findEnds = async (
  db: Db,
): Promise<{ inicio: ChainEnd | undefined; fim: ChainEnd | undefined }> => {
  const ends = await db.selectFrom('auditoriaPonta').selectAll().execute()
  return {
    inicio: ends.find(({ ponta }) => ponta === 'inicio'),
    fim: ends.find(({ ponta }) => ponta === 'fim'),
  }
}

/** Does nothing when links exist: then the markers were deleted. */
const beginChain = async (db: Db, secrets: Secrets) => {
  if (!(await hasRow(db.selectFrom('auditoriaElo').select('ordem').limit(1)))) {
    const ends = (['inicio', 'fim'] as const).map((ponta) =>
      signChainEnd(secrets, { ponta, ordem: 0, elo: '' }),
    )
    const insert = db.insertInto('auditoriaPonta').values(ends)
    await insert.onConflict((conflict) => conflict.doNothing()).execute()
  }
  return findEnds(db)
}

/** @returns false when another process has sealed in the meantime */
const append = async (db: Db, secrets: Secrets, end: ChainEnd, links: ChainLink[]): Promise<boolean> => {
  const { ordem, elo } = links.at(-1) ?? end
  const { chave, marca } = signChainEnd(secrets, { ponta: 'fim', ordem, elo })
  const ids = links.map(({ idAuditoria }) => idAuditoria)
  const { rows } = await sql`
    with fim as (
      update auditoria_ponta set ordem = ${ordem}, elo = ${elo}, chave = ${chave}, marca = ${marca}
      where ponta = 'fim' and ordem = ${end.ordem} and elo = ${end.elo} returning 1
    ), elos as (
      insert into auditoria_elo (ordem, id_auditoria, chave, elo)
      select * from unnest(${links.map((link) => link.ordem)}::bigint[], ${ids}::bigint[],
        ${links.map((link) => link.chave)}::text[], ${links.map((link) => link.elo)}::text[])
      where exists (select from fim)
    ), fila as (
      delete from auditoria_fila where id_auditoria = any(${ids}::bigint[]) and exists (select from fim)
    )
    select 1 from fim`.execute(db)
  return rows.length > 0
}
