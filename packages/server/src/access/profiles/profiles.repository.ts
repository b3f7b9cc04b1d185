import {
  Email,
  type EmailCheck,
  emailKey,
  type ListQuery,
  type Profile,
  type ProfileReport,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import { joinProfiles } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { endOfDay, isCurrent, lastDayOf } from '../../platform/db/queries/expiry.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'

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
      sql<number>`(select count(*)::int from perfil_usuario u
        where u.id_perfil = perfil.id_perfil and ${isCurrent('u.venceEm')})`.as('quantidadeMembros'),
    )

export const listProfiles = (db: Db, query: ListQuery<'nomePerfil'>) =>
  listPage(
    db,
    profiles(db).$if(!!query.busca, (matching) =>
      matching.where(containsWords(['nomeBusca'], query.busca ?? '')),
    ),
    { query, orders: { nomePerfil: ['nomeNatural', 'idPerfil'] }, byDefault: 'nomePerfil' },
  )

export const findProfile = (db: Db, id: number): Promise<Profile | undefined> =>
  profiles(db).where('idPerfil', '=', id).executeTakeFirst()

export const listProfileReports = (db: Db, id: number): Promise<ProfileReport[]> =>
  db
    .selectFrom('perfilRelatorio')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'perfilRelatorio.idRelatorio')
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'idGrupoRelatorio'])
    .where('idPerfil', '=', id)
    .orderBy('nomeNatural')
    .orderBy('relatorio.idRelatorio')
    .execute()

const searched = ['nomeBusca', 'emailBusca'] as const
type MemberOrder = 'nomeUsuario' | 'emailUsuario'

/** Selects users, with whether they are members of the profile now. */
const candidates = (db: Db, id: number) =>
  db
    .selectFrom('usuario')
    .select(['usuario.idUsuario', 'nomeUsuario', 'emailUsuario', 'situacao'])
    .select(
      sql<boolean>`exists (select from perfil_usuario m
        where m.id_perfil = ${id} and m.id_usuario = usuario.id_usuario and ${isCurrent('m.venceEm')})`.as(
        'jaMembro',
      ),
    )

export const listCandidates = (db: Db, id: number, query: ListQuery<MemberOrder>) =>
  listPage(
    db,
    candidates(db, id).$if(!!query.busca, (people) =>
      people.where(containsWords(searched, query.busca ?? '')),
    ),
    {
      query,
      orders: {
        nomeUsuario: ['nomeNatural', 'usuario.idUsuario'],
        emailUsuario: ['emailOrdem', 'usuario.idUsuario'],
      },
      byDefault: 'nomeUsuario',
      large: { name: 'usuario', key: 'usuario.idUsuario', isNarrowed: !!query.busca },
    },
  )

/** Returns a result per line: the user with this e-mail, or why the line adds no member. */
export const checkEmails = async (db: Db, id: number, emails: string[]): Promise<EmailCheck[]> => {
  // PostgreSQL has no text with the character U+0000.
  const known = emails.filter((email) => !email.includes('\0')).map(emailKey)
  const people = await candidates(db, id)
    .where(sql<boolean>`lower(email_usuario) = any(${known}::text[])`)
    .execute()
  const byEmail = new Map(people.map((person) => [emailKey(person.emailUsuario), person]))
  const seen = new Set<string>()
  return emails.map((email): EmailCheck => {
    const key = emailKey(email)
    const isRepeated = seen.has(key)
    seen.add(key)
    const pessoa = byEmail.get(key)
    if (!pessoa) {
      return { email, resultado: Email.safeParse(email).success ? 'desconhecido' : 'invalido', pessoa: null }
    }
    return {
      email,
      resultado: isRepeated ? 'repetido' : pessoa.jaMembro ? 'ja_membro' : 'encontrado',
      pessoa,
    }
  })
}

/** Returns a page of the members, also of those whose membership has ended. */
export const listMembers = (db: Db, id: number, query: ListQuery<MemberOrder>) =>
  listPage(
    db,
    db
      .selectFrom('perfilUsuario')
      .innerJoin('usuario', 'usuario.idUsuario', 'perfilUsuario.idUsuario')
      .select(['usuario.idUsuario', 'nomeUsuario', 'emailUsuario'])
      .select(lastDayOf('perfilUsuario.venceEm').as('validoAte'))
      .where('idPerfil', '=', id)
      .$if(!!query.busca, (members) => members.where(containsWords(searched, query.busca ?? ''))),
    {
      query,
      orders: {
        nomeUsuario: ['nomeNatural', 'usuario.idUsuario'],
        emailUsuario: ['emailOrdem', 'usuario.idUsuario'],
      },
      byDefault: 'nomeUsuario',
    },
  )

export const memberIds = async (tx: Db, id: number): Promise<number[]> => {
  const members = tx.selectFrom('perfilUsuario').select('idUsuario').where('idPerfil', '=', id)
  const rows = await members.where(isCurrent('perfilUsuario.venceEm')).execute()
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
  const joined = await joinProfiles(
    tx,
    adicionar.map((idUsuario) => ({ idPerfil: id, idUsuario })),
  )
  return { joined: joined.map(({ idUsuario }) => idUsuario), left: left.rows.map((row) => row.id) }
}

/** A new last day of a membership. */
interface MemberTerm {
  idUsuario: number
  validoAte: string | null
}

/** Returns the last day of each membership, by user. People who are no members are left out. */
export const findTerms = async (
  tx: Db,
  id: number,
  people: number[],
): Promise<Map<number, string | null>> => {
  const rows = await tx
    .selectFrom('perfilUsuario')
    .select(['idUsuario', lastDayOf('perfilUsuario.venceEm').as('validoAte')])
    .where('idPerfil', '=', id)
    .where((eb) => eb('idUsuario', '=', eb.fn.any(eb.val(people))))
    .execute()
  return new Map(rows.map(({ idUsuario, validoAte }) => [idUsuario, validoAte]))
}

/** Changes the last days of memberships. @returns those that differ from the stored ones */
export const changeTerms = async (tx: Db, id: number, terms: MemberTerm[]): Promise<MemberTerm[]> => {
  if (terms.length === 0) return []
  const { rows } = await sql<MemberTerm>`
    update perfil_usuario m set vence_em = n.vence_em
    from (
      select id_usuario, valido_ate, ${endOfDay(sql`valido_ate`)} as vence_em
      from unnest(
        ${terms.map(({ idUsuario }) => idUsuario)}::int[],
        ${terms.map(({ validoAte }) => validoAte)}::date[]) as prazo (id_usuario, valido_ate)
    ) n
    where m.id_perfil = ${id} and m.id_usuario = n.id_usuario and m.vence_em is distinct from n.vence_em
    returning m.id_usuario, n.valido_ate`.execute(tx)
  return rows
}
