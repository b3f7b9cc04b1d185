import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { SecretExpiry } from './secret-expiry.ts'

const hour = 3_600_000

/** Connections read in one run; the rest follow in the next one. */
const inOneRun = 20

/**
 * Returns the ids of the connections whose secret's expiry this process must read now. A connection
 * is returned again only after an hour, or after an edit by a version without this table, which
 * may have replaced the secret.
 */
export const claimReadings = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into leitura_segredo as leitura (id_power_bi, versao, proxima_em)
    select p.id_power_bi, p.versao, ${fromNow(hour)}
    from powerbi p left join leitura_segredo l on l.id_power_bi = p.id_power_bi
    where p.provedor = 'microsoft' and p.tipo_credencial = 'service_principal'
      and (l.id_power_bi is null or l.proxima_em <= ${databaseNow} or l.versao <> p.versao)
    order by l.proxima_em nulls first, p.id_power_bi
    limit ${inOneRun}
    on conflict (id_power_bi) do update set versao = excluded.versao, proxima_em = excluded.proxima_em,
      resultado = case when leitura.versao = excluded.versao then leitura.resultado end,
      vence_em = case when leitura.versao = excluded.versao then leitura.vence_em end
    where leitura.proxima_em <= ${databaseNow} or leitura.versao <> excluded.versao
    returning id_power_bi as id`.execute(db)
  return rows.map(({ id }) => id)
}

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
