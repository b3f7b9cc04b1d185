import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'

interface Membership {
  idUsuario: number
  idPerfil: number
}

/**
 * Adds people to profiles. A membership that still counts keeps its last day; one that has ended
 * counts again, without a last day. Profiles that were deleted are skipped.
 * @returns the memberships that did not count before
 */
export const joinProfiles = async (tx: Db, members: readonly Membership[]): Promise<Membership[]> => {
  if (members.length === 0) return []
  const { rows } = await sql<Membership>`
    insert into perfil_usuario (id_perfil, id_usuario)
    select id_perfil, id_usuario
    from unnest(
      ${members.map(({ idPerfil }) => idPerfil)}::int[], ${members.map(({ idUsuario }) => idUsuario)}::int[]
    ) with ordinality as membro (id_perfil, id_usuario, posicao)
    where exists (select from perfil where perfil.id_perfil = membro.id_perfil)
    order by posicao
    on conflict (id_usuario, id_perfil) do update set vence_em = null
    where perfil_usuario.vence_em <= now()
    returning id_perfil, id_usuario`.execute(tx)
  return rows
}
