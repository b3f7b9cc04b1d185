import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'

const keys = {
  beneficiario: 'id',
  prontuario: 'id',
  anexo: 'id',
  incidente: 'id',
  acesso_saude: 'id_acesso',
} as const

/**
 * Reserves ascending ids for new rows: a value is encrypted with the id of its row. Unused ids are
 * lost.
 */
export const reserveIds = async (db: Db, table: keyof typeof keys, count: number): Promise<number[]> => {
  const { rows } = await sql<{ number: number }>`
    select nextval(pg_get_serial_sequence(${table}, ${keys[table]})) as number
    from generate_series(1, ${count}::int)`.execute(db)
  return rows.map(({ number }) => number)
}

export const reserveId = async (db: Db, table: keyof typeof keys): Promise<number> => {
  const [number] = await reserveIds(db, table, 1)
  if (number === undefined) throw new Error('The database gave no number.')
  return number
}
