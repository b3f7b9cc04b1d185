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
 * Locks the row until the transaction ends: reads after this call see its current state, and other
 * writers wait.
 * @returns false when the row does not exist
 */
export const lockRow = async (tx: Db, table: keyof typeof keys, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(keys[table])} = ${id} for update`.execute(tx)
  return rows.length > 0
}
