import { sql } from 'kysely'
import type { Db } from './open-database.ts'

const keys = {
  powerbi: 'id_power_bi',
  grupo_relatorio: 'id_grupo_relatorio',
  relatorio: 'id_relatorio',
  perfil: 'id_perfil',
  usuario: 'id_usuario',
  beneficiario: 'id',
  prontuario: 'id',
  anexo: 'id',
  incidente: 'id',
} as const

/**
 * Holds the row until the transaction ends: what is read of it after this is what the change is made to, and whoever else
 * changes it waits.
 * @returns false when there is none
 */
export const lockRow = async (tx: Db, table: keyof typeof keys, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(keys[table])} = ${id} for update`.execute(tx)
  return rows.length > 0
}
