import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { endOfDay } from '../../platform/db/queries/expiry.ts'

interface NewGrant {
  idUsuario: number
  idRelatorio: number
  /** Undefined: an existing grant keeps its last day, and one that has ended gets no end. */
  validoAte: string | null | undefined
}

/**
 * Grants a report to a user, whose row is locked.
 * @returns what changed; a grant that has ended counts as new
 */
export const insertGrant = async (
  tx: Db,
  { idUsuario, idRelatorio, validoAte }: NewGrant,
): Promise<{ isNew: boolean; isChanged: boolean }> => {
  const venceEm = endOfDay(validoAte ?? null)
  const { rows } = await sql<{ isNew: boolean }>`
    with velha as (
      select vence_em from relatorio_usuario where id_usuario = ${idUsuario} and id_relatorio = ${idRelatorio}
    )
    insert into relatorio_usuario (id_usuario, id_relatorio, vence_em)
    values (${idUsuario}, ${idRelatorio}, ${venceEm})
    on conflict (id_usuario, id_relatorio) do update set vence_em = excluded.vence_em
    where relatorio_usuario.vence_em is distinct from excluded.vence_em
      and (${validoAte !== undefined}::boolean or relatorio_usuario.vence_em <= now())
    returning not exists (select from velha where vence_em is null or vence_em > now()) as is_new`.execute(tx)
  return { isNew: rows[0]?.isNew ?? false, isChanged: rows.length > 0 }
}
