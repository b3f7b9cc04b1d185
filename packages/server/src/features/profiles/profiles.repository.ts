import type { ListQuery, Profile, ProfileReport, ReportChoice } from '@bi-manager/contract'
import { sql } from 'kysely'
import { contains, listPage } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'

const profiles = (db: Db) =>
  db
    .selectFrom('perfil')
    .select(['idPerfil', 'nomePerfil', 'versao'])
    .select(
      sql<number>`(select count(*)::int from perfil_relatorio r where r.id_perfil = perfil.id_perfil)`.as(
        'quantidadeRelatorios',
      ),
    )
    .select(
      sql<number>`(select count(*)::int from perfil_usuario u where u.id_perfil = perfil.id_perfil)`.as(
        'quantidadeMembros',
      ),
    )

export const listProfiles = (db: Db, query: ListQuery<'nomePerfil'>) =>
  listPage(
    db,
    profiles(db).$if(!!query.busca, (matching) => matching.where(contains('nomeOrdem', query.busca ?? ''))),
    { query, orders: { nomePerfil: ['nomeOrdem', 'idPerfil'] }, byDefault: 'nomePerfil' },
  )

export const findProfile = (db: Db, id: number): Promise<Profile | undefined> =>
  profiles(db).where('idPerfil', '=', id).executeTakeFirst()

export const insertProfile = async (tx: Db, nomePerfil: string): Promise<Profile> => {
  const { idPerfil } = await tx
    .insertInto('perfil')
    .values({ nomePerfil })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  return profiles(tx).where('idPerfil', '=', idPerfil).executeTakeFirstOrThrow()
}

/** Returns undefined when no profile has this id and, if given, this version. */
export const renameProfile = async (
  tx: Db,
  id: number,
  nomePerfil: string,
  ifMatch: number | undefined,
): Promise<Profile | undefined> => {
  const row = await tx
    .updateTable('perfil')
    .set((eb) => ({ nomePerfil, versao: eb('versao', '+', 1) }))
    .where('idPerfil', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning('idPerfil')
    .executeTakeFirst()
  return row && findProfile(tx, id)
}

export const deleteProfile = async (tx: Db, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('perfil').where('idPerfil', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export const listProfileReports = (db: Db, id: number): Promise<ProfileReport[]> =>
  db
    .selectFrom('perfilRelatorio')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'perfilRelatorio.idRelatorio')
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'idGrupoRelatorio'])
    .where('idPerfil', '=', id)
    .orderBy('nomeOrdem')
    .orderBy('relatorio.idRelatorio')
    .execute()

export const listProfileChoices = (db: Db, id: number, idGrupoRelatorio: number): Promise<ReportChoice[]> =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['idRelatorio', 'nomeRelatorio', 'relatorio.idGrupoRelatorio', 'nomeGrupo'])
    .select(
      sql<boolean>`exists (select from perfil_relatorio p
        where p.id_relatorio = relatorio.id_relatorio and p.id_perfil = ${id})`.as('isChecked'),
    )
    .where('relatorio.idGrupoRelatorio', '=', idGrupoRelatorio)
    .orderBy('relatorio.nomeOrdem')
    .orderBy('idRelatorio')
    .execute()

/** Returns the profile's report ids, of one workspace when it is given. */
export const profileReportIds = async (
  tx: Db,
  id: number,
  idGrupoRelatorio: number | undefined,
): Promise<number[]> => {
  const rows = await listProfileReports(tx, id)
  return rows
    .filter((row) => idGrupoRelatorio === undefined || row.idGrupoRelatorio === idGrupoRelatorio)
    .map(({ idRelatorio }) => idRelatorio)
}

export const changeProfileReports = async (
  tx: Db,
  id: number,
  { added, removed }: { added: number[]; removed: number[] },
): Promise<void> => {
  if (removed.length > 0) {
    await sql`delete from perfil_relatorio
      where id_perfil = ${id} and id_relatorio = any(${removed}::int[])`.execute(tx)
  }
  if (added.length > 0) {
    await sql`insert into perfil_relatorio (id_perfil, id_relatorio)
      select ${id}::int, unnest(${added}::int[]) on conflict do nothing`.execute(tx)
  }
}

export const listMembers = (db: Db, id: number, query: ListQuery<'nomeUsuario' | 'emailUsuario'>) =>
  listPage(
    db,
    db
      .selectFrom('perfilUsuario')
      .innerJoin('usuario', 'usuario.idUsuario', 'perfilUsuario.idUsuario')
      .select(['usuario.idUsuario', 'nomeUsuario', 'emailUsuario'])
      .where('idPerfil', '=', id)
      .$if(!!query.busca, (members) => members.where(contains('nomeOrdem', query.busca ?? ''))),
    {
      query,
      orders: {
        nomeUsuario: ['nomeOrdem', 'usuario.idUsuario'],
        emailUsuario: ['emailOrdem', 'usuario.idUsuario'],
      },
      byDefault: 'nomeUsuario',
    },
  )

export const memberIds = async (tx: Db, id: number): Promise<number[]> => {
  const rows = await tx.selectFrom('perfilUsuario').select('idUsuario').where('idPerfil', '=', id).execute()
  return rows.map(({ idUsuario }) => idUsuario)
}

/** @returns the ids that actually joined and left */
export const changeMembers = async (
  tx: Db,
  id: number,
  { adicionar, remover }: { adicionar: number[]; remover: number[] },
): Promise<{ joined: number[]; left: number[] }> => {
  const left = await sql<{ id: number }>`delete from perfil_usuario
    where id_perfil = ${id} and id_usuario = any(${remover}::int[]) returning id_usuario as id`.execute(tx)
  const joined = await sql<{ id: number }>`insert into perfil_usuario (id_perfil, id_usuario)
    select ${id}::int, unnest(${adicionar}::int[]) on conflict do nothing returning id_usuario as id`.execute(
    tx,
  )
  const idsOf = ({ rows }: { rows: { id: number }[] }) => rows.map((row) => row.id)
  return { joined: idsOf(joined), left: idsOf(left) }
}
