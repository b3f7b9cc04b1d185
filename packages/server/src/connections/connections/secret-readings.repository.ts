import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isProduction } from '../../platform/db/queries/is-production.ts'
import { type Claimed, claimDue, type WorkTable } from '../../platform/jobs/work-queue.ts'
import type { SecretExpiry } from './secret-expiry.ts'

const hour = 3_600_000

const readingQueue: WorkTable<'leituraSegredo'> = {
  table: 'leituraSegredo',
  id: 'idPowerBi',
  due: 'proximaEm',
  lease: 'proximaEm',
}

/**
 * Queues the connections whose secret was never read, or may have been replaced by an edit in a version
 * without this table.
 */
export const queueReadings = async (db: Db): Promise<void> => {
  await sql`
    insert into leitura_segredo as leitura (id_power_bi, versao, proxima_em)
    select p.id_power_bi, p.versao, ${databaseNow}
    from powerbi p left join leitura_segredo l on l.id_power_bi = p.id_power_bi
    where p.provedor = 'microsoft' and p.tipo_credencial = 'service_principal'
      and (l.id_power_bi is null or l.versao <> p.versao) and ${isProduction}
    on conflict (id_power_bi) do update set versao = excluded.versao, proxima_em = excluded.proxima_em,
      resultado = null, vence_em = null
    where leitura.versao <> excluded.versao`.execute(db)
}

/** Claims a connection whose secret's expiry is to be read; again after an hour. */
export const claimReading = (db: Db): Promise<Claimed<'leituraSegredo'>[]> =>
  claimDue(db, readingQueue, { leaseMs: hour, limit: 1, only: isRead })

/** SQL: whether the connection has a secret that Microsoft Graph knows. */
const isRead = sql<boolean>`exists (select from powerbi p where p.id_power_bi = leitura_segredo.id_power_bi
  and p.provedor = 'microsoft' and p.tipo_credencial = 'service_principal')`

interface Reading {
  id: number
  /** The version of the connection that was read: an older version's reading is dropped. */
  version: number
}

/**
 * Stores a reading. A date that was read earlier stays when it cannot be read again: it belongs to
 * the same secret.
 * @returns the earlier and the new date when they differ
 */
export const recordReading = async (
  tx: Db,
  { id, version }: Reading,
  { reading, expiresAt }: SecretExpiry,
): Promise<{ before: Date | null; after: Date | null } | undefined> => {
  const known = await tx
    .selectFrom('leituraSegredo')
    .select(['resultado', 'venceEm'])
    .where('idPowerBi', '=', id)
    .where('versao', '=', version)
    .forUpdate()
    .executeTakeFirst()
  const before = known?.venceEm ?? null
  const isKept = before !== null && (reading === 'falhou' || reading === 'sem_permissao')
  const after = isKept ? before : expiresAt
  const next = fromNow(reading === 'falhou' ? hour : 24 * hour)
  const { rows } = await sql`
    insert into leitura_segredo (id_power_bi, versao, proxima_em, resultado, vence_em)
    select id_power_bi, versao, ${next}, ${isKept ? 'lida' : reading}, ${after}::timestamptz
    from powerbi where id_power_bi = ${id} and versao = ${version} for key share
    on conflict (id_power_bi) do update set versao = excluded.versao, proxima_em = excluded.proxima_em,
      resultado = excluded.resultado, vence_em = excluded.vence_em
    returning id_power_bi`.execute(tx)
  return rows.length > 0 && before?.getTime() !== after?.getTime() ? { before, after } : undefined
}

/** Drops the reading of a replaced secret, or keeps it for the edited connection. */
export const followEdit = async (
  tx: Db,
  { id, version, isOtherSecret }: { id: number; version: number; isOtherSecret: boolean },
): Promise<void> => {
  if (isOtherSecret) await tx.deleteFrom('leituraSegredo').where('idPowerBi', '=', id).execute()
  else
    await tx
      .updateTable('leituraSegredo')
      .set({ versao: version })
      .where('idPowerBi', '=', id)
      .where('versao', '=', version - 1)
      .execute()
}
