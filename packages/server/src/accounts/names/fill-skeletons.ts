import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { nameSkeleton } from './name-skeleton.ts'

const rowsAtOnce = 1_000

/** Computes missing skeletons: of names older than the column or than a confusables table. */
export const fillSkeletons = async (db: Db): Promise<void> => {
  for (;;) {
    const rows = await db
      .selectFrom('usuario')
      .select(['idUsuario', 'nomeUsuario'])
      .where('nomeSemelhante', 'is', null)
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) return
    const ids = rows.map(({ idUsuario }) => idUsuario)
    const names = rows.map(({ nomeUsuario }) => nomeUsuario)
    // Only while the name is unchanged: another process may be running.
    await sql`
      update usuario set nome_semelhante = p.semelhante
      from unnest(${ids}::int[], ${names}::text[], ${names.map(nameSkeleton)}::text[]) as p(id, nome, semelhante)
      where id_usuario = p.id and nome_usuario = p.nome and nome_semelhante is null`.execute(db)
  }
}
